import { useLayoutEffect, useRef } from 'preact/hooks';

/** Called with what was chosen, once nothing is. */
export function useReturn(chosen: string | undefined, onReturn: (left: string) => void): void {
  const before = useRef(chosen);
  useLayoutEffect(() => {
    const left = before.current;
    before.current = chosen;
    if (left !== undefined && chosen === undefined) onReturn(left);
  }, [chosen]);
}
