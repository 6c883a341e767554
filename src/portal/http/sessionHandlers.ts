import { messageOf } from '../../base/errors.ts';
import type { RouteGroups } from '../api/routeGroups.ts';
import { MAX_KEPT_SESSIONS } from '../api/sessionRoutes.ts';
import { directoryProblem } from '../hostSessions/directoryProblem.ts';
import type { Portal } from '../portal.ts';
import { whileConnected } from './routeAnswers.ts';
import type { Handlers } from './handler.ts';

const sent: Record<string, never> = {};

export function sessionHandlers({ sessions, leases, runs }: Portal): Handlers<RouteGroups['session']> {
  return {
    models: () => ({ models: sessions.models() }),

    list: () => {
      const uses = runs.sessionUses();
      return { sessions: sessions.list().map((session) => ({ ...session, use: uses.get(session.sessionId) })) };
    },

    kept: () => sessions.kept(MAX_KEPT_SESSIONS),

    start: async ({ params: { model }, body: workingDirectory, c }) => {
      if (!sessions.models().some(({ id }) => id === model)) return { error: 'ModelIdNotFound' };
      const error = await directoryProblem(workingDirectory);
      if (error) return { error };
      return whileConnected(c, async (signal) => {
        try {
          const session = await sessions.start({ model, workingDirectory, approve: [] }, signal);
          // Nobody knows its id.
          if (signal.aborted) await session.stop();
          return { sessionId: session.id };
        } catch (failure) {
          return { error: 'SessionNotStarted', message: messageOf(failure) };
        }
      });
    },

    stop: async ({ params: { id } }) => {
      const session = sessions.get(id);
      if (!session) return { error: 'SessionNotFound' };
      await session.stop();
      return { result: 'Closed' };
    },

    query: async ({ params: { id }, body: text }) => {
      const session = sessions.get(id);
      if (!session) return { error: 'SessionNotFound' };
      if (leases.holderOf(session.id) !== undefined) return { error: 'SessionBusy' };
      const refusal = await session.query(text);
      return refusal === undefined ? sent : { error: 'QueryRefused', message: refusal };
    },
  };
}
