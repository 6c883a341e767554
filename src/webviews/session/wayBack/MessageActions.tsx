/** What can be done with a message that was sent, shown while the mouse or the focus is there. */
import * as l10n from '../../../base/l10n.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import { isOwnMessage } from '../../../views/session/wayBack/wayBack.ts';
import { messageView } from '../../../views/session/transcript/messageView.ts';
import { useSession } from '../page/sessionContext.tsx';
import { Icon } from '../parts/Icon.tsx';
import { copyText } from '../text/CodeText.tsx';

export function MessageActions({ turnId, message }: { turnId: string; message: Message }) {
  const { wayBack } = useSession();
  const { words } = messageView(message);
  const offered = wayBack?.isOffered ? wayBack : undefined;
  const isOwn = isOwnMessage(message);
  if (!offered && words === '') return null;
  const button = (icon: string, label: string, onClick: () => void) => (
    <button type="button" class="icon-button" aria-label={label} title={label} aria-disabled={offered?.isGoing} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="message-actions" role="group" aria-label={l10n.t('Message actions')}>
      {offered && isOwn && button('edit', l10n.t('Edit this message and send it again'), () => offered.beginEdit(turnId))}
      {offered && isOwn && button('refresh', l10n.t('Try again from this message'), () => offered.go(turnId, 'retry'))}
      {offered && button('discard', l10n.t('Go back to before this message'), () => offered.go(turnId, 'back'))}
      {words !== '' && button('copy', l10n.t('Copy this message'), () => copyText(words))}
    </div>
  );
}
