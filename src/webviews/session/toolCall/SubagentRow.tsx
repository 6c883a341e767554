/** A session that a tool started: its title, its state, and a link that opens it. */
import * as l10n from '../../../base/l10n.ts';
import type { ToolResultSubagentContent } from '../../../ahp/common/tools.ts';
import { chatState } from '../../../views/session/frame/header.ts';
import { Icon } from '../parts/Icon.tsx';
import { resourceModel } from '../page/resourceViews.ts';
import { useSession, useWatched } from '../page/sessionContext.tsx';

export function SubagentRow({ content, live }: { content: ToolResultSubagentContent; live: boolean }) {
  const state = resourceModel('chat', useWatched(live ? content.resource : undefined, 'chat'));
  const { away, openChat } = useSession();
  const status = state && chatState(state, away);
  return (
    <div class="row subagent-row">
      <Icon name={status?.kind === 'needsYou' ? 'warning' : 'organization'} />
      <span class="row-text" title={content.description}>
        {content.title || content.agentName || l10n.t('Subagent')}
      </span>
      {status && <span class="fact">{status.label}</span>}
      <span class="row-end">
        <button
          type="button"
          class="link-button"
          aria-label={content.title ? l10n.t`Open session ${content.title}` : undefined}
          onClick={() => openChat(content.resource)}
        >
          {l10n.t('Open session')}
        </button>
      </span>
    </div>
  );
}
