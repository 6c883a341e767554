/** Problems of the whole session, above the composer: it cannot be saved, or has no model. */
import * as l10n from '../../../base/l10n.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import { agentOf, modelProblem } from '../../../views/hosts/agentModels.ts';
import { nextModel, saveProblem } from '../../../views/session/composer/composer.ts';
import { Icon } from '../parts/Icon.tsx';
import { waitingServers } from '../../../views/session/sessionCustomizations.ts';
import { useSession } from '../page/sessionContext.tsx';
import { ChooseModelButton, GiveModelsButton } from '../transcript/remedyButtons.tsx';
import { useLate } from '../page/useLate.ts';

export function Notices({ open, root }: { open: OpenChat; root: RootState | undefined }) {
  const { session } = open;
  const { post } = useSession();
  const unsaved = saveProblem(session);
  const problem = modelProblem(session, nextModel(open.chat)?.id, root);
  const isLate = useLate(problem !== undefined);
  const servers = waitingServers(session);
  const [server = ''] = servers;
  const agent = agentOf(session, root)?.displayName;
  return (
    <>
      {servers.length > 0 && (
        <div class="note" role="status">
          <Icon name="key" />
          <span class="row-text">
            {servers.length === 1
              ? l10n.t`The MCP server “${server}” needs you to sign in.`
              : l10n.t`${l10n.countText(servers.length)} MCP servers need you to sign in: ${servers.join(', ')}.`}
          </span>
          <span class="remedies">
            <vscode-button secondary data-needs="commands" onClick={() => post({ type: 'runCommand', command: 'showCustomizations' })}>
              {l10n.t('Show')}
            </vscode-button>
          </span>
        </div>
      )}
      {unsaved !== undefined && (
        <div class="note" role="alert">
          <Icon name="warning" />
          <span class="row-text">
            {l10n.t`This session cannot be saved: ${unsaved}. It accepts no messages until it can be saved again. What you type here is kept.`}
          </span>
        </div>
      )}
      {problem && isLate && (
        <div class="note" role="status">
          <Icon name="warning" />
          {problem.kind === 'gone' ? (
            <>
              <span class="row-text">{l10n.t`The model “${problem.name}” is not offered any more.`}</span>
              <span class="remedies">
                <ChooseModelButton />
              </span>
            </>
          ) : (
            <>
              <span class="row-text">
                {agent ? l10n.t`${agent} has no model to work with.` : l10n.t('The agent has no model to work with.')}
              </span>
              <span class="remedies">
                {problem.sources.map((source) => (
                  <GiveModelsButton key={source} source={source} />
                ))}
              </span>
            </>
          )}
        </div>
      )}
    </>
  );
}
