import * as l10n from '../../base/l10n.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type AttentionList, attentionList } from '../../views/portal/answers/attentionList.ts';
import { type Backoff, backoffDelay } from '../../base/connection/backoff.ts';
import { serverSentEvents } from '../../views/portal/wire/serverSentEvents.ts';
import { pageFetch } from '../pageSession/pageSession.ts';
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

const CUT = l10n.t('The portal does not tell what waits any more. Trying again…');
const UNKNOWN = l10n.t('The portal has another version than this page. Load the page again.');

/** Until the portal ends it. `heard`: it has said something. */
async function follow(signal: AbortSignal, heard: () => void, take: (list: AttentionList) => void): Promise<void> {
  const response = await pageFetch('/api/attention/events', { signal });
  if (!response.ok || !response.body || !/^text\/event-stream/.test(response.headers.get('Content-Type') ?? '')) return;
  for await (const { event, data } of serverSentEvents(response.body)) {
    heard();
    if (event !== 'attention') continue;
    const { success, data: list } = attentionList.safeParse(JSON.parse(data));
    if (!success) throw new UserError(UNKNOWN);
    take(list);
  }
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
      const reading = new AbortController();
      let silence = 0;
      const end = (problem: string) => {
        window.clearTimeout(silence);
        reading.abort();
        lost(problem);
      };
      const heard = () => {
        window.clearTimeout(silence);
        silence = window.setTimeout(() => end(l10n.t('The portal does not answer any more. Trying again…')), SILENT_MS);
      };
      signal.addEventListener('abort', () => (reading.abort(), window.clearTimeout(silence)));
      heard();
      void follow(reading.signal, heard, take).then(
        () => end(CUT),
        (error: unknown) => reading.signal.aborted || end(error instanceof UserError ? error.message : CUT),
      );
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
