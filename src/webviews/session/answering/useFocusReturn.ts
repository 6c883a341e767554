/**
 * When a card that has the focus is removed, the focus returns to where it was before, or else to another place: the composer, if none is given.
 * After an answer it goes on from there to the next call of the turn.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { WaitingCards } from './waitingCards.ts';

export const COMPOSER_ID = 'composer';

const composer = () => document.getElementById(COMPOSER_ID);

export function useFocusReturn(
  card: RefObject<HTMLElement | null>,
  cards: WaitingCards | undefined,
  otherwise: () => HTMLElement | null = composer,
): void {
  const latest = useRef({ cards, otherwise });
  latest.current = { cards, otherwise };
  useLayoutEffect(() => {
    const element = card.current;
    if (!element) return undefined;
    let cameFrom: HTMLElement | undefined;
    const remember = (event: FocusEvent) => {
      const from = event.relatedTarget;
      if (from instanceof HTMLElement && !element.contains(from)) cameFrom = from;
    };
    element.addEventListener('focusin', remember);
    return () => {
      element.removeEventListener('focusin', remember);
      if (!element.contains(document.activeElement)) return;
      queueMicrotask(() => {
        // The page may have moved it to the next card.
        if (document.activeElement !== document.body) return;
        // Also before it goes on, because it is to return there after the last of the calls.
        (cameFrom?.isConnected ? cameFrom : latest.current.otherwise())?.focus();
        latest.current.cards?.focusAfterAnswer();
      });
    };
  }, [card]);
}
