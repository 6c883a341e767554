/** A session that a tool started: its title, its state, and a link that opens it. */
import type { SessionState } from '../../../ahp/v1/session.ts';
import type { ToolResultSubagentContent } from '../../../ahp/v1/toolCall.ts';
import { headerView } from '../../../views/session/frame/header.ts';
import { Icon } from '../parts/Icon.tsx';
import { useSession, useWatched } from '../page/sessionContext.tsx';

export function SubagentRow({ content, live }: { content: ToolResultSubagentContent; live: boolean }) {
  const state = useWatched(live ? content.resource : undefined)?.optimistic as SessionState | undefined;
  const { away, post } = useSession();
  const status = state && headerView(state, undefined, '', away ? 'away' : undefined).state;
  return (
    <div class="row subagent-row">
      <Icon name={status?.kind === 'needsYou' ? 'warning' : 'organization'} />
      <span class="row-text" title={content.description}>
        {content.title || content.agentName || 'Subagent'}
      </span>
      {status && <span class="fact">{status.label}</span>}
      <span class="row-end">
        <button type="button" class="link-button" onClick={() => post({ type: 'openSession', uri: content.resource })}>
          Open session<span class="visually-hidden"> {content.title}</span>
        </button>
      </span>
    </div>
  );
}
