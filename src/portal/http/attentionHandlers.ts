/** What waits for a person, for programs: a list, its changes as server-sent events, and answers. */
import { once } from 'node:events';
import { streamSSE } from 'hono/streaming';
import { englishOf, withTimeout } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import type { RouteGroups } from '../api/routeGroups.ts';
import { newest } from '../attention/newest.ts';
import type { Portal } from '../portal.ts';
import { senderOf } from './routeAnswers.ts';
import type { Handlers } from './handler.ts';

export const MAX_STREAMS = 100;
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for so long has gone, or hangs. */
const STALLED_MS = 60_000;
const END_TIMEOUT_MS = 1_000;

export interface AttentionOptions {
  clock: Clock;
  logger: Logger;
}

/** Ends the streams with an end that their readers see. */
export type EndStreams = () => Promise<void>;

export function attentionHandlers(
  { attention }: Portal,
  { clock, logger }: AttentionOptions,
): { handlers: Handlers<RouteGroups['attention']>; endStreams: EndStreams } {
  const ending = new AbortController();
  const streams = new Set<Promise<unknown>>();

  const handlers: Handlers<RouteGroups['attention']> = {
    list: () => attention.list(),

    events: ({ c }) => {
      if (streams.size >= MAX_STREAMS || ending.signal.aborted) return { error: 'TooManyStreams' };
      const { outgoing } = c.env;
      const gone = new AbortController();
      const closed = once(outgoing, 'close').catch(() => undefined);
      streams.add(closed);
      void closed.then(() => (gone.abort(), streams.delete(closed)));
      const signal = AbortSignal.any([gone.signal, ending.signal]);
      const value = () => JSON.stringify(attention.list());
      const failed = async (error: Error) => logger.error(`the events of what waits: ${englishOf(error)}`);
      const response = streamSSE(
        c,
        async (stream) => {
          for await (const list of newest({ onDidChange: attention.onDidChange, value, clock, heartbeatMs: HEARTBEAT_MS, signal })) {
            const written = stream.writeSSE(list === undefined ? { event: 'heartbeat', data: '{}' } : { event: 'attention', data: list });
            const stalled = clock.setTimer(() => outgoing.destroy(), STALLED_MS);
            await written;
            stalled.dispose();
          }
        },
        failed,
      );
      response.headers.set('Cache-Control', 'no-store');
      return response;
    },

    answer: ({ params: { id }, body: { revision, ...answer }, c }) => attention.answer(id, revision, answer, senderOf(c)),
  };

  const endStreams = async () => {
    ending.abort();
    // A reader that takes nothing does not keep the others from ending.
    await withTimeout(Promise.all(streams), END_TIMEOUT_MS, 'ending the streams').catch(() => undefined);
  };
  return { handlers, endStreams };
}
