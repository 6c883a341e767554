/** Messages that wait for the running turn: the steering message, then the queue in its order. */
import type { ComponentChildren } from 'preact';
import type { PendingMessage } from '../../../ahp/channels/shapes/message.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import { isMessage } from '../../../views/session/gestures.ts';
import { moveQueued, sendNow } from '../../../views/session/composer/composer.ts';
import { type Delivery, deliveryOf } from '../../../views/session/composer/deliveries.ts';
import { messageView } from '../../../views/session/transcript/messageView.ts';
import { Icon } from '../parts/Icon.tsx';
import { newId } from '../page/newId.ts';
import type { PendingAction } from '../protocol.ts';
import { useSession } from '../page/sessionContext.tsx';
import { SenderName } from '../transcript/SenderName.tsx';
import { DeliveryNote } from '../transcript/UserMessageCard.tsx';

interface QueueProps {
  open: OpenChat;
  pending: readonly PendingAction[];
  readOnly: boolean;
  /** Moves the message from the queue to the composer. */
  onEdit(kind: 'steering' | 'queued', message: PendingMessage): void;
}

export function Queue({ open, pending, readOnly, onEdit }: QueueProps) {
  const { away, chat: uri, dispatch } = useSession();
  const { session, chat } = open;
  const queued = chat.queuedMessages ?? [];
  const steering = chat.steeringMessage;
  if (!steering && queued.length === 0) return null;
  const move = (id: string, by: -1 | 1) => {
    const action = moveQueued(chat, id, by);
    if (action) dispatch(uri, action);
  };
  const delivery = (id: string): Delivery => {
    const set = pending.find(({ action }) => isMessage(action) && action.type === 'chat/pendingMessageSet' && action.id === id);
    return set ? deliveryOf(set, away) : 'sent';
  };
  // What is taken from the queue now has no turn yet for a moment, so only a session that accepts messages is said to wait.
  const isHeld = !chat.activeTurn && session.lifecycle === 'ready' && !away && !readOnly;
  const sendButton = (kind: 'steering' | 'queued', message: PendingMessage) =>
    isHeld && (
      <IconButton
        icon="send"
        label="Send now"
        onClick={() => {
          for (const action of sendNow(kind, message, newId(), new Date().toISOString())) dispatch(uri, action);
        }}
      />
    );
  const remove = (kind: 'steering' | 'queued', id: string) => dispatch(uri, { type: 'chat/pendingMessageRemoved', kind, id });
  return (
    <ul class="queue" aria-label="Waiting messages">
      {away && <li class="queue-item hint">Waiting for the host</li>}
      {isHeld && <li class="queue-item hint">These wait, because the last turn did not finish. They are sent before your next message.</li>}
      {steering && (
        <QueueItem label={isHeld ? 'Waits' : 'Steers'} message={steering} delivery={delivery(steering.id)}>
          {!readOnly && (
            <>
              {sendButton('steering', steering)}
              <ItemButtons
                message={steering}
                onEdit={() => onEdit('steering', steering)}
                onRemove={() => remove('steering', steering.id)}
              />
            </>
          )}
        </QueueItem>
      )}
      {queued.map((message, index) => (
        <QueueItem
          key={message.id}
          label={isHeld ? 'Waits' : index === 0 ? 'Next' : 'Then'}
          message={message}
          delivery={delivery(message.id)}
        >
          {!readOnly && (
            <>
              {sendButton('queued', message)}
              {queued.length > 1 && (
                <>
                  <IconButton icon="arrow-up" label="Move up" disabled={index === 0} onClick={() => move(message.id, -1)} />
                  <IconButton
                    icon="arrow-down"
                    label="Move down"
                    disabled={index === queued.length - 1}
                    onClick={() => move(message.id, 1)}
                  />
                </>
              )}
              <ItemButtons message={message} onEdit={() => onEdit('queued', message)} onRemove={() => remove('queued', message.id)} />
            </>
          )}
        </QueueItem>
      ))}
    </ul>
  );
}

interface QueueItemProps {
  label: string;
  message: PendingMessage;
  delivery: Delivery;
  children: ComponentChildren;
}
function QueueItem({ label, message, delivery, children }: QueueItemProps) {
  const { words, sentBy } = messageView(message.message);
  const count = message.message.attachments?.length ?? 0;
  return (
    <li class="queue-item">
      <span class="queue-label">{label}</span>
      <span class="queue-text" title={words}>
        {sentBy && (
          <>
            <SenderName sentBy={sentBy} />
            {': '}
          </>
        )}
        {words}
        {count > 0 && ` (${count} attached)`}
      </span>
      <DeliveryNote delivery={delivery} />
      <span class="row-end">{children}</span>
    </li>
  );
}

function ItemButtons({ message, onEdit, onRemove }: { message: PendingMessage; onEdit(): void; onRemove(): void }) {
  // What something else sent is not turned into words of the user.
  const isOwn = !messageView(message.message).sentBy;
  return (
    <>
      {isOwn && <IconButton icon="edit" label="Edit" onClick={onEdit} />}
      <IconButton icon="close" label="Remove" onClick={onRemove} />
    </>
  );
}

function IconButton({ icon, label, disabled = false, onClick }: { icon: string; label: string; disabled?: boolean; onClick(): void }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
