/** Takes one answer to what waits, however often its button is pressed before the host's word comes back. */
import { useRef } from 'preact/hooks';

/**
 * Returns a test that is true the first time for `waiting`, and again once the answer was refused (another `rejection`) or
 * something else waits.
 */
export function useAnswerOnce(waiting: unknown, rejection: unknown): () => boolean {
  const answered = useRef<{ waiting: unknown; rejection: unknown }>(undefined);
  return () => {
    const last = answered.current;
    if (last && last.waiting === waiting && last.rejection === rejection) return false;
    answered.current = { waiting, rejection };
    return true;
  };
}
