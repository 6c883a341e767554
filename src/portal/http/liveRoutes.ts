/** How sessions, tasks and jobs are followed. */
import type { Hono } from 'hono';
import type { Portal } from '../portal.ts';
import { param, type PortalEnv, whileConnected } from './answers.ts';

const METHODS = ['GET', 'POST'];

export function addLiveRoutes(app: Hono<PortalEnv>, { live, tokens }: Portal): void {
  app.on(METHODS, '/api/token', (c) => c.json({ token: tokens.issue() }));
  for (const of of ['session', 'task', 'job'] as const) {
    const path = `/api/copilot/${of}/:id/live`;
    // A reader that has gone reads nothing, so that the next call gets what it would have got.
    app.on(METHODS, path, (c) => whileConnected(c, async (signal) => c.json(await live[of].next(param(c, 'id'), signal))));
    app.on(METHODS, `${path}/:token`, (c) =>
      whileConnected(c, async (signal) => c.json(await live[of].unread(param(c, 'id'), param(c, 'token'), signal))),
    );
  }
}
