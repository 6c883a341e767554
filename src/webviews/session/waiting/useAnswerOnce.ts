/** Allows one answer, however often a button is pressed before the host confirms. */
import { useRef } from 'preact/hooks';

/** Returns a function that is true the first time, and again after the answer was refused (a new `rejection`) or `waiting` has changed. */
export function useAnswerOnce(waiting: unknown, rejection: unknown): () => boolean {
  const answered = useRef<{ waiting: unknown; rejection: unknown }>(undefined);
  return () => {
    const last = answered.current;
    if (last && last.waiting === waiting && last.rejection === rejection) return false;
    answered.current = { waiting, rejection };
    return true;
  };
}
