import type { Portal } from '../portal.ts';
import { bodyOf, param, requireStore, userInput } from './answers.ts';
import type { AddRoute } from './apiRoute.ts';

export function addTaskRoutes(add: AddRoute, portal: Portal): void {
  const { sessions, runs, control } = portal;
  add('/copilot/task', (c) => c.json({ tasks: runs.listTasks() }));

  add('/copilot/task/start/{name}/session/{id}', async (c) => {
    const input = bodyOf(c, userInput);
    const session = sessions.get(param(c, 'id'));
    if (!session) return c.json({ error: 'SessionNotFound' });
    if (runs.lacksInput('tasks', param(c, 'name'), input)) return c.json({ error: 'UserInputRequired' });
    return c.json(await control.startTask(param(c, 'name'), input, session));
  });

  add('/copilot/task/{id}/stop', async (c) => c.json(await control.stopTask(param(c, 'id'))));

  add('/copilot/task/{id}/status', (c) => {
    requireStore(portal);
    const task = runs.taskState(param(c, 'id'));
    return c.json(task ?? { error: 'TaskNotFound' });
  });
}
