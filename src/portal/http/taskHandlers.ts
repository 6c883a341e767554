import type { RouteGroups } from '../api/routeGroups.ts';
import type { Portal } from '../portal.ts';
import type { Handlers } from './handler.ts';

export function taskHandlers({ sessions, runs, control }: Portal): Handlers<RouteGroups['task']> {
  return {
    list: () => ({ tasks: runs.listTasks() }),

    start: async ({ params: { name, id }, body: input }) => {
      const session = sessions.get(id);
      if (!session) return { error: 'SessionNotFound' };
      if (runs.lacksInput('tasks', name, input)) return { error: 'UserInputRequired' };
      return control.startTask(name, input, session);
    },

    stop: ({ params: { id } }) => control.stopTask(id),

    status: ({ params: { id } }) => runs.taskState(id) ?? { error: 'TaskNotFound' },
  };
}
