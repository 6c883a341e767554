/** Where the extension asks the focus to go. What is not loaded yet gets it when it is there, unless the user has done something since. */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import type { FocusMessage } from '../protocol.ts';
import { useWish } from './useWish.ts';
import type { WaitingCards } from './waitingCards.ts';

interface Page {
  cards: WaitingCards;
  composer: { current: { focus(): void } | null };
  /** Undefined until the session and its chat are known. */
  open: OpenChat | undefined;
  /** The chats of which the page shows what waits, or will. */
  chats: ReadonlyMap<URI, ChatState | undefined>;
  /** False where the session has no such chat. */
  chooseChat(uri: URI): boolean;
}

export function useFocusOn({ cards, composer, open, chats, chooseChat }: Page): (message: FocusMessage) => void {
  return useWish(({ target, card }) => {
    if (target === 'needsYou' && !open) return 'loading';
    if (card && !chats.has(card.chat) && chooseChat(card.chat)) return 'loading';
    if (card && chats.has(card.chat) && !chats.get(card.chat)) return 'loading';
    // An answer key that is meant for this card must not reach another one.
    const isThere = target === 'needsYou' && (card ? cards.focus(card) : cards.focusNext());
    if (!isThere) composer.current?.focus();
    return 'done';
  });
}
