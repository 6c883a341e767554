/** What the user wrote, with its attachments, and whether it has arrived. */
import { memo } from 'preact/compat';
import type { UserMessage } from '../../../ahp/v1/common.ts';
import type { Delivery } from '../../../views/session/deliveries.ts';
import { AttachmentChips } from '../parts/AttachmentChips.tsx';

export const UserMessageCard = memo(function UserMessageCard({ message, delivery }: { message: UserMessage; delivery: Delivery }) {
  return (
    <div class="user-message">
      <h2 class="visually-hidden">You</h2>
      <div class="user-text">{message.text}</div>
      {message.attachments && message.attachments.length > 0 && <AttachmentChips attachments={message.attachments} />}
      <DeliveryNote delivery={delivery} />
    </div>
  );
});

const words: Record<Exclude<Delivery, 'sent'>, string> = {
  sending: 'sending',
  held: 'not sent yet',
  unanswered: 'not answered yet',
};

export function DeliveryNote({ delivery }: { delivery: Delivery }) {
  return delivery === 'sent' ? null : <span class="fact">{words[delivery]}</span>;
}
