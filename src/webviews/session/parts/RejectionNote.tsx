/** Says that the host refused an action of the user. */
import * as l10n from '../../../base/l10n.ts';
import type { RejectedMessage } from '../protocol.ts';
import { useSession } from '../page/sessionContext.tsx';

export function RejectionNote({ rejection, what }: { rejection: RejectedMessage; what: string }) {
  const { store } = useSession();
  return (
    <div class="note note-error" role="alert">
      <span class="codicon codicon-error" aria-hidden="true" />
      <span class="row-text">{l10n.t`${what}: ${rejection.reason}`}</span>
      <vscode-toolbar-button icon="close" label={l10n.t('Dismiss')} onClick={() => store.dismissRejection(rejection.clientSeq)} />
    </div>
  );
}
