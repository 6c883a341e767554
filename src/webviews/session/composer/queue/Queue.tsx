/** Messages that wait for the running turn: the steering message, then the queue in its order. */
import * as l10n from '../../../../base/l10n.ts';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PendingMessage } from '../../../../ahp/channels/shapes/message.ts';
import type { OpenChat } from '../../../../views/session/openChat.ts';
import { isMessage } from '../../../../views/session/sessionGesture.ts';
import { moveQueued, moveQueuedTo, sendNow, steerQueued } from '../../../../views/session/composer/composer.ts';
import { type Delivery, deliveryOf } from '../../../../views/session/composer/deliveries.ts';
import { messageView } from '../../../../views/session/transcript/messageView.ts';
import { Icon } from '../../parts/Icon.tsx';
import { WordsEditor } from '../../parts/WordsEditor.tsx';
import { useQueueEdit } from './queueEdit.ts';
import { newId } from '../../page/newId.ts';
import type { PendingAction } from '../../protocol.ts';
import { useSession } from '../../page/sessionContext.tsx';
import { SenderName } from '../../transcript/SenderName.tsx';
import { DeliveryNote } from '../../transcript/UserMessageCard.tsx';

interface QueueProps {
  open: OpenChat;
  pending: readonly PendingAction[];
  readOnly: boolean;
  /** A message that was being edited does not wait any more. Gets what was typed. */
  onEditedGone(words: string): void;
}

export function Queue({ open, pending, readOnly, onEditedGone }: QueueProps) {
  const { away, chat: uri, dispatch } = useSession();
  const { session, chat } = open;
  const queued = chat.queuedMessages ?? [];
  const steering = chat.steeringMessage;
  const edit = useQueueEdit(chat, onEditedGone);
  const list = useRef<HTMLUListElement>(null);
  /** The button that had the focus when its message was moved: the browser takes the focus from what moves. */
  const moved = useRef<HTMLElement>(undefined);
  const dragged = useRef<string>(undefined);
  const [spoken, setSpoken] = useState('');
  const order = queued.map(({ id }) => id).join('\n');
  useLayoutEffect(() => {
    const button = moved.current;
    moved.current = undefined;
    const focused = document.activeElement;
    // The user may have gone on elsewhere before the host answered.
    if (!button?.isConnected || (focused !== document.body && focused !== button)) return;
    (button.matches(':disabled') ? button.closest('li')?.querySelector<HTMLElement>('button:enabled') : button)?.focus();
  }, [order]);
  if (!steering && queued.length === 0) return null;
  const reorder = (action: ReturnType<typeof moveQueued>, id: string) => {
    if (!action) return;
    const focused = document.activeElement;
    moved.current = focused instanceof HTMLElement && list.current?.contains(focused) ? focused : undefined;
    setSpoken(l10n.t`Moved to place ${action.order.indexOf(id) + 1} of ${action.order.length}`);
    dispatch(uri, action);
  };
  const move = (id: string, by: -1 | 1) => reorder(moveQueued(chat, id, by), id);
  const steer = (message: PendingMessage) => {
    for (const action of steerQueued(chat, message, newId(), new Date().toISOString()) ?? []) dispatch(uri, action);
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
        label={l10n.t('Send now')}
        onClick={() => {
          for (const action of sendNow(kind, message, newId(), new Date().toISOString())) dispatch(uri, action);
        }}
      />
    );
  const editorOf = (kind: 'steering' | 'queued', { id }: PendingMessage) => {
    const text = readOnly ? undefined : edit.textOf(kind, id);
    if (text === undefined) return {};
    const { type, save, cancel } = edit;
    const canSave = text.trim() !== '';
    return {
      editor: (
        <WordsEditor
          label={l10n.t('Waiting message')}
          text={text}
          save={l10n.t('Save')}
          canSave={canSave}
          onInput={type}
          onSave={save}
          onCancel={cancel}
        />
      ),
    };
  };
  const remove = (kind: 'steering' | 'queued', id: string) => dispatch(uri, { type: 'chat/pendingMessageRemoved', kind, id });
  return (
    <>
      <div class="visually-hidden" role="status" aria-live="polite">
        {spoken}
      </div>
      <ul class="queue" aria-label={l10n.t('Waiting messages')} ref={list}>
        {away && <li class="queue-item hint">{l10n.t('Waiting for the host')}</li>}
        {isHeld && (
          <li class="queue-item hint">
            {l10n.t('These wait, because the last turn did not finish. They are sent before your next message.')}
          </li>
        )}
        {steering && (
          <QueueItem
            label={isHeld ? l10n.t('Waits') : l10n.t('Steers')}
            message={steering}
            delivery={delivery(steering.id)}
            {...editorOf('steering', steering)}
          >
            {!readOnly && (
              <>
                {sendButton('steering', steering)}
                <ItemButtons
                  message={steering}
                  onEdit={() => edit.begin('steering', steering)}
                  onRemove={() => remove('steering', steering.id)}
                />
              </>
            )}
          </QueueItem>
        )}
        {queued.map((message, index) => (
          <QueueItem
            key={message.id}
            label={isHeld ? l10n.t('Waits') : index === 0 ? l10n.t({ message: 'Next', comment: 'what is sent next' }) : l10n.t('Then')}
            message={message}
            delivery={delivery(message.id)}
            {...editorOf('queued', message)}
            {...(!readOnly &&
              queued.length > 1 && {
                moving: {
                  onMove: (by) => move(message.id, by),
                  onDrag: () => (dragged.current = message.id),
                  onDrop() {
                    if (dragged.current !== undefined) reorder(moveQueuedTo(chat, dragged.current, message.id), dragged.current);
                    dragged.current = undefined;
                  },
                },
              })}
          >
            {!readOnly && (
              <>
                {sendButton('queued', message)}
                {chat.activeTurn && isOwn(message) && (
                  <IconButton icon="debug-step-into" label={l10n.t('Steer with this')} onClick={() => steer(message)} />
                )}
                {queued.length > 1 && (
                  <>
                    <IconButton
                      icon="arrow-up"
                      label={l10n.t('Move up')}
                      keys={l10n.t('Alt+Up')}
                      disabled={index === 0}
                      onClick={() => move(message.id, -1)}
                    />
                    <IconButton
                      icon="arrow-down"
                      label={l10n.t('Move down')}
                      keys={l10n.t('Alt+Down')}
                      disabled={index === queued.length - 1}
                      onClick={() => move(message.id, 1)}
                    />
                  </>
                )}
                <ItemButtons message={message} onEdit={() => edit.begin('queued', message)} onRemove={() => remove('queued', message.id)} />
              </>
            )}
          </QueueItem>
        ))}
      </ul>
    </>
  );
}

interface QueueItemProps {
  label: string;
  message: PendingMessage;
  delivery: Delivery;
  /** Absent where it cannot be moved. */
  moving?: { onMove(by: -1 | 1): void; onDrag(): void; onDrop(): void };
  /** In place of the words and the buttons while the message is edited. */
  editor?: ComponentChildren;
  children: ComponentChildren;
}
function QueueItem({ label, message, delivery, moving, editor, children }: QueueItemProps) {
  const { words, sentBy } = messageView(message.message);
  const item = useRef<HTMLLIElement>(null);
  const isEdited = editor !== undefined;
  const wasEdited = useRef(isEdited);
  useLayoutEffect(() => {
    // The focus was in the editor, which has gone.
    if (wasEdited.current && !isEdited && document.activeElement === document.body) {
      item.current?.querySelector<HTMLElement>('button:has(> .codicon-edit)')?.focus();
    }
    wasEdited.current = isEdited;
  }, [isEdited]);
  const count = message.message.attachments?.length ?? 0;
  return (
    <li
      ref={item}
      class="queue-item"
      draggable={moving !== undefined && !isEdited}
      onDragStart={(event) => {
        // Not as text: it would be dropped into the message field.
        event.dataTransfer?.setData('application/x-tapline-queued', '');
        moving?.onDrag();
      }}
      onDragOver={(event) => moving && isQueued(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!moving || !isQueued(event)) return;
        event.preventDefault();
        moving.onDrop();
      }}
      onKeyDown={(event) => {
        if (!moving || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
        event.preventDefault();
        event.stopPropagation();
        moving.onMove(event.key === 'ArrowUp' ? -1 : 1);
      }}
    >
      <span class="queue-label">{label}</span>
      {editor ?? (
        <>
          <span class="queue-text" title={words}>
            {sentBy && (
              <>
                <SenderName sentBy={sentBy} />
                {': '}
              </>
            )}
            {words}
            {count > 0 && ` ${l10n.t`(${l10n.countText(count)} attached)`}`}
          </span>
          <DeliveryNote delivery={delivery} />
          <span class="row-end">{children}</span>
        </>
      )}
    </li>
  );
}

/** A message of the queue, and no file or text. */
function isQueued({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('application/x-tapline-queued') ?? false;
}

/** What something else sent is not turned into words of the user. */
function isOwn({ message }: PendingMessage): boolean {
  return !messageView(message).sentBy;
}

function ItemButtons({ message, onEdit, onRemove }: { message: PendingMessage; onEdit(): void; onRemove(): void }) {
  return (
    <>
      {isOwn(message) && <IconButton icon="edit" label={l10n.t('Edit')} onClick={onEdit} />}
      <IconButton icon="close" label={l10n.t('Remove')} onClick={onRemove} />
    </>
  );
}

interface IconButtonProps {
  icon: string;
  label: string;
  keys?: string;
  disabled?: boolean;
  onClick(): void;
}
function IconButton({ icon, label, keys, disabled = false, onClick }: IconButtonProps) {
  const title = keys === undefined ? label : `${label} (${keys})`;
  return (
    <button type="button" class="icon-button" aria-label={label} title={title} disabled={disabled} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
