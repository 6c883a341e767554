/** Delays the display of a problem, because many are over in a moment: a lost connection, or models that the host does not have yet. */
import { useEffect, useState } from 'preact/hooks';

/** A shorter problem is not shown. */
const DELAY_MS = 700;

/** True after `wrong` has been true for 0.7 s. */
export function useLate(wrong: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!wrong) {
      setLate(false);
      return undefined;
    }
    const timer = setTimeout(() => setLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [wrong]);
  return wrong && late;
}
