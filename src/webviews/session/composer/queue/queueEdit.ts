/** The one queued message of a chat that is being edited in its place. What is typed survives a reload, and the message's turn. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ChatState } from '../../../../ahp/channels/chat/state.ts';
import type { PendingMessage } from '../../../../ahp/channels/shapes/message.ts';
import { reworded, wordsOf } from '../../../../views/session/composer/composer.ts';
import { sessionKey } from '../../../../views/session/sessionRef.ts';
import { useSession } from '../../page/sessionContext.tsx';
import { persist, readPersisted } from '../../page/pageShell.ts';

type Kind = 'steering' | 'queued';
interface Edit {
  kind: Kind;
  id: string;
  text: string;
}

export interface QueueEdit {
  /** What is typed for the message, if it is the one that is edited. */
  textOf(kind: Kind, id: string): string | undefined;
  begin(kind: Kind, message: PendingMessage): void;
  type(text: string): void;
  save(): void;
  cancel(): void;
}

/** `onGone` gets the words when the message does not wait any more: it was sent, or another client has removed it. */
export function useQueueEdit(chat: ChatState, onGone: (words: string) => void): QueueEdit {
  const { hostId, chat: uri, dispatch } = useSession();
  const form = `${sessionKey({ hostId, uri })}\nqueue`;
  const [edit, setEdit] = useState(() => readPersisted().forms[form] as Edit | undefined);
  const keep = (next: Edit | undefined) => {
    setEdit(next);
    persist('forms', form, next);
  };
  const message = edit && waitingMessage(chat, edit);
  const isGone = edit !== undefined && message === undefined;
  useLayoutEffect(() => {
    if (!isGone) return;
    keep(undefined);
    onGone(edit.text);
  }, [isGone]);
  const save = () => {
    keep(undefined);
    const changed = message && reworded(message.message, edit.text);
    if (changed) dispatch(uri, { type: 'chat/pendingMessageSet', kind: edit.kind, id: edit.id, message: changed });
  };
  return {
    textOf: (kind, id) => (edit?.kind === kind && edit.id === id ? edit.text : undefined),
    begin(kind, { id, message }) {
      // Of another message that was being edited nothing is lost.
      save();
      keep({ kind, id, text: wordsOf(message) });
    },
    type: (text) => edit && keep({ ...edit, text }),
    save,
    cancel: () => keep(undefined),
  };
}

function waitingMessage({ steeringMessage, queuedMessages }: ChatState, { kind, id }: Edit): PendingMessage | undefined {
  return (kind === 'steering' ? [steeringMessage] : (queuedMessages ?? [])).find((message) => message?.id === id);
}
