/** Reports what of the page has the keyboard focus, each time it changes. */
import type { FocusPlace } from './focusPlace.ts';

export interface FocusWatch {
  /** To be called after the page has changed: a focused element may be gone without an event. */
  look(): void;
  stop(): void;
}

/** `placeOf`: of an element that has the focus. */
export function watchFocus(placeOf: (element: Element) => FocusPlace, report: (place: FocusPlace) => void): FocusWatch {
  let last: FocusPlace = 'none';
  const look = () => {
    // A page keeps its active element when another page gets the focus.
    const element = document.hasFocus() ? document.activeElement : null;
    const place = element ? placeOf(element) : 'none';
    if (place !== last) report((last = place));
  };
  // After a blur, the new element has the focus only in the next task. When the focus leaves the page there is no focusin.
  const lookSoon = () => setTimeout(look);
  document.addEventListener('focusin', look);
  document.addEventListener('focusout', lookSoon);
  window.addEventListener('focus', lookSoon);
  window.addEventListener('blur', lookSoon);
  return {
    look,
    stop() {
      document.removeEventListener('focusin', look);
      document.removeEventListener('focusout', lookSoon);
      window.removeEventListener('focus', lookSoon);
      window.removeEventListener('blur', lookSoon);
    },
  };
}
