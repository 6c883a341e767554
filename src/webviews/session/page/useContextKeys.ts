/** Posts what keybindings and menus depend on, each time it changes: the focus, and what the session does. */
import { useEffect, useRef } from 'preact/hooks';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { ChatOffer } from '../../../views/session/chatOffers.ts';
import type { FocusPlace } from '../../focus/focusPlace.ts';
import { type FocusWatch, watchFocus } from '../../focus/watchFocus.ts';
import { isTyping } from '../answering/accidentalInput.ts';
import { COMPOSER_ID } from '../answering/useFocusReturn.ts';
import type { SessionPort } from './sessionPort.ts';
import { post } from './pageShell.ts';
import type { WaitingCards } from '../answering/waitingCards.ts';

/** `chats`: those of which the page shows what waits. The first is the one that is shown. */
export function useContextKeys(
  port: SessionPort,
  chat: ChatState | undefined,
  needsYou: number,
  chats: readonly URI[],
  offers: readonly ChatOffer[],
): void {
  const running = chat?.activeTurn !== undefined;
  useEffect(
    () => port.post({ type: 'context', needsYou, running, chats: [...chats], offers: [...offers] }),
    [port, needsYou, running, chats.join('\n'), offers.join()],
  );
}

/** For every page with cards: what of it has the keyboard focus. */
export function useFocusReport(cards: WaitingCards): void {
  const watch = useRef<FocusWatch>(undefined);
  useEffect(() => {
    const placeOf = ({ id }: Element): FocusPlace =>
      id === COMPOSER_ID ? 'composer' : cards.forKey() ? 'card' : isTyping() ? 'field' : 'page';
    const current = watchFocus(placeOf, (place) => post({ type: 'focus', place }));
    watch.current = current;
    return () => current.stop();
  }, [cards]);
  useEffect(() => watch.current?.look());
}
