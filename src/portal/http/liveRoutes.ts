/** How sessions, tasks and jobs are followed. */
import type { Portal } from '../portal.ts';
import { isCommandLine, param, whileConnected } from './answers.ts';
import type { AddRoute } from './apiRoute.ts';

export function addLiveRoutes(add: AddRoute, { live, tokens }: Portal): void {
  add('/token', (c) => c.json({ token: tokens.issue() }));
  for (const of of ['session', 'task', 'job'] as const) {
    const path = `/copilot/${of}/{id}/live`;
    // A reader that has gone reads nothing, so that the next call gets what it would have got.
    add(path, (c) => whileConnected(c, async (signal) => c.json(await live[of].next(param(c, 'id'), signal))));
    add(`${path}/{token}`, (c) =>
      whileConnected(c, async (signal) => {
        const answer = await live[of].unread(param(c, 'id'), param(c, 'token'), signal);
        // An older `tapline` would end at an error there, also at one that only says that nothing has happened yet. All of them read the responses.
        return c.json(isCommandLine(c) ? answer : withError(answer));
      }),
    );
  }
}

/** An error that is all there is stands at the top too, where readers of one response look for it. A tool’s error is an object. */
function withError<T extends object>(answer: { responses: T[] }): { responses: T[]; error?: string } {
  const [only = {}, ...more] = answer.responses;
  const { error } = only as { error?: unknown };
  return more.length === 0 && typeof error === 'string' && error !== 'EventsDropped' ? { error, ...answer } : answer;
}
