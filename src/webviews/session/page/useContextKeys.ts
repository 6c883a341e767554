/** Tells the extension what keybindings and menus depend on, each time it changes. */
import { useEffect, useState } from 'preact/hooks';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { waitingOf } from '../../../views/session/waiting.ts';
import { COMPOSER_ID } from './useFocusReturn.ts';
import { post } from './vscodeApi.ts';
import type { WaitingCards } from './waitingCards.ts';

export function useContextKeys(session: SessionState | undefined, cards: WaitingCards): void {
  const needsYou = session ? waitingOf(session).length : 0;
  const running = session?.activeTurn !== undefined;
  const [focus, setFocus] = useState({ call: false, composer: false });
  useEffect(() => {
    const read = () => {
      const call = cards.forKey() !== undefined;
      const composer = document.hasFocus() && document.activeElement?.id === COMPOSER_ID;
      setFocus((before) => (before.call === call && before.composer === composer ? before : { call, composer }));
    };
    // After a blur the new element has the focus only in the next task; a focus that leaves the page ends in no focusin.
    const readSoon = () => setTimeout(read);
    document.addEventListener('focusin', read);
    document.addEventListener('focusout', readSoon);
    window.addEventListener('focus', readSoon);
    window.addEventListener('blur', readSoon);
    return () => {
      document.removeEventListener('focusin', read);
      document.removeEventListener('focusout', readSoon);
      window.removeEventListener('focus', readSoon);
      window.removeEventListener('blur', readSoon);
    };
  }, [cards]);
  useEffect(() => {
    post({ type: 'context', needsYou, running, callFocused: focus.call, composerFocused: focus.composer });
  }, [needsYou, running, focus]);
}
