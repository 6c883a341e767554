/** Does what the user asks for, each thing once at a time, and says why it could not be done until they ask for the next. */
import { useRef, useState } from 'preact/hooks';
import { messageOf } from '../../../base/errors.ts';

/** `deed`: names it. Rejects with words for the user. `done` is called when it was done. */
export type Do = <T>(deed: string, start: () => Promise<T>, done?: (result: T) => void) => void;

/** `onSettled` is called after each of them. */
export function useDeeds(onSettled?: () => void): { problem: string; act: Do } {
  const [problem, setProblem] = useState('');
  const underWay = useRef(new Set<string>());
  const act: Do = (deed, start, done) => {
    // A second click on the same button would start a second run.
    if (underWay.current.has(deed)) return;
    underWay.current.add(deed);
    setProblem('');
    start()
      .then(done)
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => {
        underWay.current.delete(deed);
        onSettled?.();
      });
  };
  return { problem, act };
}
