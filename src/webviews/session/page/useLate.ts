/** Says what is wrong only when it stays so: hosts come back, and models are told to them, within a moment. */
import { useEffect, useState } from 'preact/hooks';

/** What is over sooner is not worth a word. */
const DELAY_MS = 700;

/** True while `wrong` holds, from 0.7 s on. */
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
