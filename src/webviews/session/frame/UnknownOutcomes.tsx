/** Actions that may or may not have reached the host before the connection was lost. The user decides about each. */
import * as l10n from '../../../base/l10n.ts';
import type { ActionLike } from '../../../ahp/common/reducers/reducer.ts';
import { isMessage, wordsFor } from '../../../views/session/sessionGesture.ts';
import { messageView } from '../../../views/session/transcript/messageView.ts';
import type { PendingAction } from '../protocol.ts';
import { useSession } from '../page/sessionContext.tsx';

export function UnknownOutcomes({ pending }: { pending: readonly PendingAction[] }) {
  const { post } = useSession();
  const unknown = pending.filter(({ outcome }) => outcome === 'unknown');
  return (
    <>
      {unknown.map(({ clientSeq, action }) => {
        const resolve = (how: 'sendAgain' | 'discard') => post({ type: 'resolveUnknown', clientSeq, how });
        return (
          <div key={clientSeq} class="note" role="alert">
            <span class="row-text">{l10n.t`${nameOf(action)}: the connection was lost, and it is not known whether this arrived.`}</span>
            <vscode-button onClick={() => resolve('sendAgain')}>{l10n.t('Send again')}</vscode-button>
            <vscode-button secondary onClick={() => resolve('discard')}>
              {l10n.t('Discard')}
            </vscode-button>
          </div>
        );
      })}
    </>
  );
}

/** Shows the text of a message, so that the user's text stays visible. */
export function nameOf(action: ActionLike): string {
  return isMessage(action) ? l10n.t`“${messageView(action.message).words}”` : wordsFor(action).name;
}
