/** What the user wrote, with its attachments, and whether it has arrived. */
import { memo } from 'preact/compat';
import type { UserMessage } from '../../ahp/v1/session.ts';
import { AttachmentChips } from './AttachmentChips.tsx';
import { post } from './vscodeApi.ts';

export type Delivery = { kind: 'sent' } | { kind: 'sending' } | { kind: 'unknown'; clientSeq: number };
export const sent: Delivery = { kind: 'sent' };
export const sending: Delivery = { kind: 'sending' };

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
  if (delivery.kind === 'sent') return null;
  if (delivery.kind === 'sending') return <span class="fact">sending</span>;
  const resolve = (how: 'sendAgain' | 'discard') => post({ type: 'resolveUnknown', clientSeq: delivery.clientSeq, how });
  return (
    <span class="delivery-unknown">
      <span class="fact">The connection was lost: it is not known whether this arrived.</span>
      <button type="button" class="link-button" onClick={() => resolve('sendAgain')}>
        Send again
      </button>
      <button type="button" class="link-button" onClick={() => resolve('discard')}>
        Discard
      </button>
    </span>
  );
}
