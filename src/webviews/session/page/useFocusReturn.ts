/** When a card that has the focus is removed, the focus returns to where it was before, or else to the composer. */
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

export const COMPOSER_ID = 'composer';

export function useFocusReturn(card: RefObject<HTMLElement | null>): void {
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
        (cameFrom?.isConnected ? cameFrom : document.getElementById(COMPOSER_ID))?.focus();
      });
    };
  }, [card]);
}
