/** Goes to a turn that the extension names, unless the user has done something since. */
import { useRef } from 'preact/hooks';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import { useWish } from '../answering/useWish.ts';
import type { TranscriptHandle } from '../transcript/Transcript.tsx';

/** A turn that is further from the end is not gone to, because all turns after it would have to be drawn. */
const MAX_DRAWN = 1_000;
/** Frames in which the page may draw what is missing. */
const MAX_FRAMES = 60;

interface Page {
  /** Undefined until the session and its chat are known. */
  open: OpenChat | undefined;
  chat: URI | undefined;
  transcript: { current: Pick<TranscriptHandle, 'loadOlder' | 'fetchOlder'> | null };
  /** False where the session has no such chat. */
  chooseChat(uri: URI): boolean;
}
interface Place {
  readonly chat: URI;
  readonly turn: string;
}

export function useShownTurn({ open, chat, transcript, chooseChat }: Page): (place: Place) => void {
  const asked = useRef<{ readonly place: Place; readonly cursor: string; readonly turns: number }>(undefined);
  const reveal = (turn: string, frames: number) => {
    const element = document.querySelector<HTMLElement>(`.turn[data-turn="${CSS.escape(turn)}"]`);
    if (element) {
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
      element.scrollIntoView({ block: 'start' });
      // The browser's own event comes later, and until then the transcript would go back to its end.
      element.closest('.transcript')?.dispatchEvent(new Event('scroll'));
      return;
    }
    if (frames === 0) return;
    transcript.current?.loadOlder();
    requestAnimationFrame(() => reveal(turn, frames - 1));
  };
  return useWish((place) => {
    if (!open) return 'loading';
    if (chat !== place.chat) return chooseChat(place.chat) ? 'loading' : 'done';
    if (open.chat.turns.slice(-MAX_DRAWN).some(({ id }) => id === place.turn)) {
      // After the transcript has gone to its end.
      requestAnimationFrame(() => reveal(place.turn, MAX_FRAMES));
      return 'done';
    }
    const { turns, turnsNextCursor: cursor } = open.chat;
    if (cursor === undefined || turns.length >= MAX_DRAWN) return 'done';
    const last = asked.current?.place === place ? asked.current : undefined;
    // Once: the transcript says why they do not come, and has a button for another attempt.
    if (!transcript.current || last?.cursor === cursor) return 'loading';
    // A host could give empty pages without an end.
    if (last && turns.length <= last.turns) return 'done';
    asked.current = { place, cursor, turns: turns.length };
    transcript.current.fetchOlder();
    return 'loading';
  });
}
