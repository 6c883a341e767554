import type { Hono } from 'hono';
import type { Portal } from '../portal.ts';
import { bodyOf, param, type PortalEnv, requireStore, userInput } from './answers.ts';

const METHODS = ['GET', 'POST'];

export function addTaskRoutes(app: Hono<PortalEnv>, portal: Portal): void {
  const { sessions, runs, control } = portal;
  app.on(METHODS, '/api/copilot/task', (c) => c.json({ tasks: runs.listTasks() }));

  app.on(METHODS, '/api/copilot/task/start/:name/session/:id', async (c) => {
    const input = await bodyOf(c, userInput);
    const session = sessions.get(param(c, 'id'));
    if (!session) return c.json({ error: 'SessionNotFound' });
    return c.json(await control.startTask(param(c, 'name'), input, session));
  });

  app.on(METHODS, '/api/copilot/task/:id/stop', async (c) => c.json(await control.stopTask(param(c, 'id'))));

  app.on(METHODS, '/api/copilot/task/:id/status', (c) => {
    requireStore(portal);
    const task = runs.taskState(param(c, 'id'));
    return c.json(task ?? { error: 'TaskNotFound' });
  });
}
