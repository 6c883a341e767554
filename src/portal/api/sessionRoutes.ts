import * as z from 'zod';
import {
  closed as closedAnswer,
  keptSession,
  keptSessions,
  model,
  session,
  sessionStarted,
} from '../../views/portal/answers/sessionSchemas.ts';
import { described, pathText, requestText, routes, shape } from './route.ts';

export const MAX_KEPT_SESSIONS = 200;

const prompt = requestText.refine((value) => value.trim() !== '', 'must not be empty');
const listed = shape(
  'SessionOverview',
  z.strictObject(
    described(session.shape, {
      uri: 'The session at the agent host.',
      host: 'The name of the agent host, where it is not that of the portal.',
      waiting: 'Calls and questions that wait for the user.',
      use: 'The task that runs in it, and the job of that.',
    }),
  ),
);
const kept = shape('KeptSession', z.strictObject(described(keptSession.shape, { uri: 'The session at the agent host of the portal.' })));
export const closed = shape('Closed', closedAnswer);

export const sessionRoutes = routes({
  models: {
    path: '/copilot/models',
    changes: false,
    summary: 'The models of the agent.',
    answer: shape('Models', z.strictObject({ models: z.array(z.strictObject({ ...model.shape, multiplier: z.number() })) })),
  },
  list: {
    path: '/copilot/session',
    changes: false,
    summary: 'The sessions that run.',
    answer: shape('Sessions', z.strictObject({ sessions: z.array(listed) })),
  },
  kept: {
    path: '/copilot/session/kept',
    changes: false,
    summary:
      'The sessions that the portal’s agent host keeps, also those that have ended for the portal, and those of its other clients. Newest first.',
    answer: shape(
      'KeptSessions',
      z.strictObject({
        ...described(keptSessions.shape, {
          agent: 'Of the portal’s sessions: each has the URI AGENT:/SESSION-ID at its agent host.',
          isComplete: 'False where there are more, or the host has not told yet.',
        }),
        sessions: z.array(kept).max(MAX_KEPT_SESSIONS),
      }),
    ),
  },
  start: {
    path: '/copilot/session/start/{model}',
    changes: true,
    summary: 'Starts a session.',
    body: { description: 'The working directory, an absolute path.', format: 'text', schema: pathText },
    answer: shape('SessionStarted', sessionStarted),
    errors: ['ModelIdNotFound', 'WorkingDirectoryNotAbsolutePath', 'WorkingDirectoryNotExists', 'SessionNotStarted'],
  },
  query: {
    path: '/copilot/session/{id}/query',
    changes: true,
    summary: 'Sends a prompt, which waits where the agent is working.',
    body: { description: 'The prompt.', format: 'text', schema: prompt },
    answer: shape('QuerySent', z.strictObject({})),
    errors: ['SessionNotFound', 'SessionBusy', 'QueryRefused'],
  },
  stop: {
    path: '/copilot/session/{id}/stop',
    changes: true,
    summary: 'Cancels what runs, and ends the session for the portal.',
    answer: closed,
    errors: ['SessionNotFound'],
  },
});
