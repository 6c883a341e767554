import { messageOf } from '../../base/errors.ts';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type AttentionList, attentionList } from '../../views/portal/answers/attentionList.ts';
import { type Backoff, backoffDelay } from '../../base/connection/backoff.ts';
import { read } from './portalApi.ts';

const BACKOFF: Backoff = { firstMs: 500, longestMs: 15_000 };
/** A browser has six connections to the portal for all its tabs, so a tab that nobody sees keeps none. It asks after this time. */
const HIDDEN_MS = 10_000;
/** The portal says something every 15 s. */
const SILENT_MS = 40_000;

export interface Attention {
  /** Undefined until the portal has said it first. */
  list?: AttentionList;
  /** Why the list may be out of date. */
  problem?: string;
}

/** What waits, as the portal tells it. When its events stop, they are asked for again, after a longer time at each failure. */
export function useAttention(): Attention & { refresh(): void } {
  const [state, setState] = useState<Attention>({});
  const connect = useRef<() => void>(() => undefined);
  useEffect(() => {
    let current = new AbortController();
    let attempt = 0;
    connect.current = () => {
      current.abort();
      current = new AbortController();
      const { signal } = current;
      const later = (ms: number) => {
        if (signal.aborted) return;
        const timer = window.setTimeout(() => connect.current(), ms);
        signal.addEventListener('abort', () => window.clearTimeout(timer));
      };
      const lost = (problem: string) => {
        if (signal.aborted) return;
        attempt++;
        setState(({ list }) => ({ ...(list && { list }), problem }));
        later(backoffDelay(attempt, BACKOFF));
      };
      const take = (list: AttentionList) => {
        if (signal.aborted) return;
        attempt = 0;
        setState({ list });
      };
      if (document.hidden) {
        read('attention', attentionList, signal).then(
          (list) => (take(list), later(HIDDEN_MS)),
          (error: unknown) => lost(messageOf(error)),
        );
        return;
      }
      const source = new EventSource('/api/attention/events');
      let silence = 0;
      const heard = () => {
        window.clearTimeout(silence);
        silence = window.setTimeout(() => {
          source.close();
          lost('The portal does not answer any more. Trying again…');
        }, SILENT_MS);
      };
      heard();
      signal.addEventListener('abort', () => (source.close(), window.clearTimeout(silence)));
      source.addEventListener('heartbeat', heard);
      source.addEventListener('attention', ({ data }: MessageEvent<string>) => {
        const { success, data: list } = attentionList.safeParse(JSON.parse(data));
        heard();
        if (success) return take(list);
        source.close();
        window.clearTimeout(silence);
        return lost('The portal has another version than this page. Load the page again.');
      });
      source.addEventListener('error', () => {
        // By itself it would try again at once, and not at all after some errors.
        source.close();
        window.clearTimeout(silence);
        lost('The portal does not tell what waits any more. Trying again…');
      });
    };
    connect.current();
    const look = () => connect.current();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      current.abort();
    };
  }, []);
  return { ...state, refresh: useCallback(() => connect.current(), []) };
}
