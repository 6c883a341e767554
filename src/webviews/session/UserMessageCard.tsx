/** What the user wrote, with its attachments, and whether it has arrived. */
import { memo } from 'preact/compat';
import type { UserMessage } from '../../ahp/v1/session.ts';
import { AttachmentChips } from './AttachmentChips.tsx';

export type Delivery = 'sent' | 'sending';

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

export function DeliveryNote({ delivery }: { delivery: Delivery }) {
  return delivery === 'sending' ? <span class="fact">sending</span> : null;
}
