/** How sessions, tasks and jobs are followed. */
import type { Followed } from '../api/liveRoutes.ts';
import type { RouteGroups } from '../api/routeGroups.ts';
import type { Portal } from '../portal.ts';
import { isCommandLine, whileConnected } from './routeAnswers.ts';
import type { Handlers } from './handler.ts';

export function liveHandlers({ live }: Portal, of: Followed): Handlers<RouteGroups['liveSession']> {
  return {
    // A reader that has gone reads nothing, so that the next call gets what it would have got.
    next: ({ params: { id }, c }) => whileConnected(c, (signal) => live[of].next(id, signal)),
    unread: ({ params: { id, token }, c }) =>
      whileConnected(c, async (signal) => {
        const answer = await live[of].unread(id, token, signal);
        // An older `tapline` would end at an error there, also at one that only says that nothing has happened yet. All of them read the responses.
        return isCommandLine(c) ? answer : withError(answer);
      }),
  };
}

/** An error that is all there is stands at the top too, where readers of one response look for it. A tool’s error is an object. */
function withError<T extends object>(answer: { responses: T[] }): { responses: T[]; error?: string } {
  const [only = {}, ...more] = answer.responses;
  const { error } = only as { error?: unknown };
  return more.length === 0 && typeof error === 'string' && error !== 'EventsDropped' ? { error, ...answer } : answer;
}
