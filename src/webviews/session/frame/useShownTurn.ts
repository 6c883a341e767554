/** Goes to a turn that the extension names, or to a call in it, unless the user has done something since. */
import { useRef } from 'preact/hooks';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import { useWish } from '../answering/useWish.ts';
import { reveal } from '../text/reveal.ts';
import type { TranscriptHandle } from '../transcript/Transcript.tsx';

/** A turn that is further from the end is not gone to, because all turns after it would have to be drawn. */
const MAX_DRAWN = 1_000;
/** Frames in which the page may draw what is missing. */
const MAX_FRAMES = 60;

interface Page {
  /** Undefined until the session and its chat are known. */
  open: OpenChat | undefined;
  chat: URI | undefined;
  /** Undefined where the session is its only chat. */
  defaultChat: URI | undefined;
  transcript: { current: Pick<TranscriptHandle, 'loadOlder' | 'fetchOlder' | 'focusOn'> | null };
  /** False where the session has no such chat. */
  chooseChat(uri: URI): boolean;
}
interface Place {
  /** Absent: the default one. */
  readonly chat?: URI;
  readonly turn: string;
  readonly call?: string;
}

export function useShownTurn({ open, chat, defaultChat, transcript, chooseChat }: Page): (place: Place) => void {
  const asked = useRef<{ readonly place: Place; readonly cursor: string; readonly turns: number }>(undefined);
  const goTo = (place: Place, frames: number) => {
    const { turn, call } = place;
    const element = document.querySelector<HTMLElement>(`.turn[data-turn="${CSS.escape(turn)}"]`);
    if (element) {
      element.tabIndex = -1;
      transcript.current?.focusOn(element);
      if (call === undefined) return;
      reveal(element, `c:${call}`);
      // Once it is drawn that is open.
      requestAnimationFrame(() => {
        const row = element.querySelector<HTMLElement>(`[data-call="${CSS.escape(call)}"] summary`);
        if (row) transcript.current?.focusOn(row);
      });
      return;
    }
    if (frames === 0) return;
    transcript.current?.loadOlder();
    requestAnimationFrame(() => goTo(place, frames - 1));
  };
  return useWish((place) => {
    if (!open) return 'loading';
    const wanted = place.chat ?? defaultChat;
    if (wanted !== undefined && chat !== wanted) return chooseChat(wanted) ? 'loading' : 'done';
    if (open.chat.turns.slice(-MAX_DRAWN).some(({ id }) => id === place.turn)) {
      // After the transcript has gone to its end.
      requestAnimationFrame(() => goTo(place, MAX_FRAMES));
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
