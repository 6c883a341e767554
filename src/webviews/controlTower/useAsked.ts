/** What is asked of the gateway again and again, while the page is seen. */
import { useRef } from 'preact/hooks';
import { type Polled, usePolled } from '../polled/usePolled.ts';

const ASK_EVERY_MS = 2_000;

export function useAsked<T>(key: string, ask: () => Promise<T>): Polled<T> {
  const last = useRef<{ readonly key: string; readonly value: T }>(undefined);
  return usePolled(
    key,
    async () => {
      const known = last.current?.key === key ? last.current : undefined;
      if (known && document.visibilityState !== 'visible') return known.value;
      const value = await ask();
      last.current = { key, value };
      return value;
    },
    ASK_EVERY_MS,
  );
}
