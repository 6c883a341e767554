import { messageOf } from '../../base/errors.ts';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Polled<T> {
  /** The last answer. Undefined until the first. */
  value: T | undefined;
  /** Why there is no newer one. */
  problem: string | undefined;
  /** When the last one came, in milliseconds since the epoch. */
  at: number;
  /** Asks at once. */
  refresh(): void;
}

/** Asks again and again, each time some time after the answer before. `key`: of what is asked for; undefined: nothing. */
export function usePolled<T>(key: string | undefined, ask: (signal: AbortSignal) => Promise<T>, everyMs: number): Polled<T> {
  const [state, setState] = useState<{ key?: string; value?: T; problem?: string; at: number }>({ at: 0 });
  const [round, setRound] = useState(0);
  const asked = useRef(ask);
  asked.current = ask;
  useEffect(() => {
    if (key === undefined) return undefined;
    const stop = new AbortController();
    let timer = 0;
    const again = async () => {
      try {
        const value = await asked.current(stop.signal);
        if (!stop.signal.aborted) setState({ key, value, at: Date.now() });
      } catch (error) {
        const problem = messageOf(error);
        if (!stop.signal.aborted) setState((before) => ({ ...(before.key === key ? before : { key, at: 0 }), problem }));
      }
      if (!stop.signal.aborted) timer = window.setTimeout(() => void again(), everyMs);
    };
    void again();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [key, everyMs, round]);
  const refresh = useCallback(() => setRound((before) => before + 1), []);
  const isOwn = state.key === key;
  return { value: isOwn ? state.value : undefined, problem: isOwn ? state.problem : undefined, at: state.at, refresh };
}
