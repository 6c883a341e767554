/** What is found in the turns, looked for again when they or the query have changed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { findInTurns, type Found, NOTHING } from '../../../views/session/find/findInTurns.ts';
import type { TurnView } from '../../../views/session/transcript/transcript.ts';

/** After a keystroke, and between two looks at turns that grow. */
const PAUSE_MS = 150;
/** The page draws and takes keys between two slices. */
const SLICE_MS = 10;

/** `of`: what it was found for. */
export type FoundFor = Found & { of: string };

export function useFound(turns: readonly TurnView[], query: string): FoundFor {
  const [found, setFound] = useState<FoundFor>({ ...NOTHING, of: '' });
  const latest = useRef({ turns, query });
  latest.current = { turns, query };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asked = useRef('');
  useEffect(() => {
    const begin = () => {
      const { turns: in_, query: of } = latest.current;
      const steps = findInTurns(in_, of);
      const go = () => {
        const began = performance.now();
        let step = steps.next();
        while (!step.done && performance.now() - began < SLICE_MS) step = steps.next();
        timer.current = step.done ? undefined : setTimeout(go);
        if (!step.done) return;
        setFound({ ...step.value, of });
        if (latest.current.turns !== in_) timer.current = setTimeout(begin, PAUSE_MS);
      };
      go();
    };
    // Another query ends the search for the last one. Turns that grow do not.
    if (asked.current === query && timer.current !== undefined) return;
    asked.current = query;
    clearTimeout(timer.current);
    timer.current = setTimeout(begin, PAUSE_MS);
  }, [turns, query]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return found;
}
