/** How sessions, tasks and jobs are followed. */
import type { LiveError, LiveResponse } from '../live/liveCursor.ts';
import type { LiveQueues } from '../live/liveQueues.ts';
import { isCommandLine, type PortalContext, whileConnected } from './routeAnswers.ts';

interface LiveRequest<P extends string> {
  readonly params: Readonly<Record<P, string>>;
  readonly c: PortalContext;
}

export function liveHandlers<T extends object, N extends string>(queues: LiveQueues<T, N>) {
  return {
    // A reader that has gone reads nothing, so that the next call gets what it would have got.
    next: ({ params: { id }, c }: LiveRequest<'id'>): Promise<LiveResponse<T, N>> => whileConnected(c, (signal) => queues.next(id, signal)),
    unread: ({ params: { id, token }, c }: LiveRequest<'id' | 'token'>) =>
      whileConnected(c, async (signal) => {
        const answer = await queues.unread(id, token, signal);
        // An older `tapline` would end at an error there, also at one that only says that nothing has happened yet. All of them read the responses.
        return isCommandLine(c) ? answer : withError(answer);
      }),
  };
}

type Unread<T, N extends string> = Awaited<ReturnType<LiveQueues<T, N>['unread']>>;
type ReadingError<N extends string> = Exclude<LiveError<N>, { dropped: number }>['error'] | 'TokenNotFound';

/** An error that is all there is stands at the top too, where readers of one response look for it. A tool’s error is an object. */
function withError<T extends object, N extends string>(answer: Unread<T, N>): Unread<T, N> & { error?: ReadingError<N> } {
  const [only, ...more] = answer.responses;
  if (more.length > 0 || !only || !('error' in only) || typeof only.error !== 'string' || only.error === 'EventsDropped') return answer;
  return { error: only.error as ReadingError<N>, ...answer };
}
