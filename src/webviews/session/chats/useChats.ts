/** What the user does with the chats of the session, and what becomes of the chat that is shown. */
import * as l10n from '../../../base/l10n.ts';
import { messageOf } from '../../../base/errors.ts';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import { chatTitle } from '../../../views/session/chats.ts';
import { request } from '../page/pageRequests.ts';
import type { SessionPort } from '../page/sessionPort.ts';
import type { SessionStore } from '../page/sessionStore.ts';
import type { ChatSource } from '../protocol.ts';
import { selectedTextOf } from './selectedText.ts';

interface AskedChat {
  readonly kind: 'rename' | 'delete';
  readonly chat: URI;
  readonly title: string;
}

export function useChats(port: SessionPort, store: SessionStore, session: SessionState | undefined, shown: URI | undefined) {
  const [problem, setProblem] = useState<string>();
  const [isMaking, setMaking] = useState(false);
  // A second click may come before the page is drawn again.
  const makes = useRef(false);
  const newChat = useCallback(
    (source?: ChatSource) => {
      if (makes.current) return;
      const make = (is: boolean) => {
        makes.current = is;
        setMaking(is);
      };
      make(true);
      setProblem(undefined);
      request(port.post, 'createChat', source ? { source: withSelection(source) } : {})
        .then(
          ({ uri: made }) => store.chooseChat(made),
          (error: unknown) => setProblem(l10n.t`No chat was made: ${messageOf(error)}`),
        )
        .finally(() => make(false));
    },
    [store, port],
  );
  const [asked, setAsked] = useState<AskedChat>();
  const shownAsked = useRef<AskedChat>(undefined);
  shownAsked.current = asked;
  // The shell asks the user where it can.
  const asksHere = () => store.state.lacks?.includes('chats') === true;
  const ask = (kind: AskedChat['kind'], chat: URI) => session && setAsked({ kind, chat, title: chatTitle(session, chat) });
  const rename = (chat: URI) => (asksHere() ? ask('rename', chat) : port.post({ type: 'renameChat', chat }));
  const remove = (chat: URI) => (asksHere() ? ask('delete', chat) : port.post({ type: 'deleteChat', chat }));
  const accept = async (deed: AskedChat, title: string): Promise<void> => {
    const { kind, chat } = deed;
    try {
      await (kind === 'rename' ? request(port.post, 'nameChat', { chat, title }) : request(port.post, 'removeChat', { chat }));
    } catch (error) {
      if (shownAsked.current === deed) throw error;
      // The user has left the dialog meanwhile, which says nothing any more.
      setProblem(
        kind === 'rename'
          ? l10n.t`The chat “${deed.title}” was not renamed: ${messageOf(error)}`
          : l10n.t`The chat “${deed.title}” was not deleted: ${messageOf(error)}`,
      );
    }
  };
  const dialog = asked && {
    ...asked,
    onAccept: (name: string) => accept(asked, name),
    onClose: () => setAsked((shownNow) => (shownNow === asked ? undefined : shownNow)),
  };
  const choose = useCallback(
    (chat: URI) => {
      setProblem(undefined);
      store.chooseChat(chat);
    },
    [store],
  );
  const last = useRef<{ chat: URI; title: string }>(undefined);
  useEffect(() => {
    const before = last.current;
    if (!session || shown === undefined) return;
    last.current = { chat: shown, title: chatTitle(session, shown) };
    if (before && before.chat !== shown && !session.chats.some(({ resource }) => resource === before.chat))
      setProblem(l10n.t`The chat “${before.title}” was removed. Another chat is shown now.`);
  }, [session, shown]);
  return { problem, setProblem, newChat, isMaking, choose, rename, remove, dialog };
}

function withSelection(source: ChatSource): ChatSource {
  const text = source.kind === 'sideChat' ? selectedTextOf(source.turnId) : undefined;
  return text === undefined ? source : { ...source, selection: { text } };
}

/** Another one for each chat, so that nothing that was typed for one is sent to another. A chat that is known late takes over what was typed so far. */
export function useComposerKey(chat: URI | undefined): number {
  const last = useRef({ chat, key: 0 });
  const { chat: before, key } = last.current;
  if (chat !== before) last.current = { chat, key: before === undefined ? key : key + 1 };
  return last.current.key;
}
