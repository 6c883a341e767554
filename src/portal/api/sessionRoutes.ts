import * as z from 'zod';
import type { SessionUse } from '../portalRuns.ts';
import { pathText, requestText, routes, shape } from './route.ts';

export const MAX_KEPT_SESSIONS = 200;

const prompt = requestText.refine((value) => value.trim() !== '', 'must not be empty');
const use: z.ZodType<SessionUse> = z.strictObject({ taskName: z.string(), jobId: z.string().optional(), jobName: z.string().optional() });
const overview = shape(
  'SessionOverview',
  z.strictObject({
    sessionId: z.string(),
    uri: z.string().describe('The session at the agent host.'),
    host: z.string().optional().describe('The name of the agent host, where it is not that of the portal.'),
    title: z.string(),
    isWorking: z.boolean(),
    waiting: z.int().min(0).describe('Calls and questions that wait for the user.'),
    use: use.optional().describe('The task that runs in it, and the job of that.'),
  }),
);
const kept = shape(
  'KeptSession',
  z.strictObject({
    uri: z.string().describe('The session at the agent host of the portal.'),
    title: z.string(),
    modifiedAt: z.number().describe('Milliseconds since the epoch.'),
    isWorking: z.boolean(),
    needsUser: z.boolean(),
  }),
);
export const closed = shape('Closed', z.strictObject({ result: z.literal('Closed') }));

export const sessionRoutes = routes({
  models: {
    path: '/copilot/models',
    changes: false,
    summary: 'The models of the agent.',
    answer: shape(
      'Models',
      z.strictObject({ models: z.array(z.strictObject({ name: z.string(), id: z.string(), multiplier: z.number() })) }),
    ),
  },
  list: {
    path: '/copilot/session',
    changes: false,
    summary: 'The sessions that run.',
    answer: shape('Sessions', z.strictObject({ sessions: z.array(overview) })),
  },
  kept: {
    path: '/copilot/session/kept',
    changes: false,
    summary:
      'The sessions that the portal’s agent host keeps, also those that have ended for the portal, and those of its other clients. Newest first.',
    answer: shape(
      'KeptSessions',
      z.strictObject({
        agent: z.string().describe('Of the portal’s sessions: each has the URI AGENT:/SESSION-ID at its agent host.'),
        sessions: z.array(kept).max(MAX_KEPT_SESSIONS),
        isComplete: z.boolean().describe('False where there are more, or the host has not told yet.'),
      }),
    ),
  },
  start: {
    path: '/copilot/session/start/{model}',
    changes: true,
    summary: 'Starts a session.',
    body: { description: 'The working directory, an absolute path.', format: 'text', schema: pathText },
    answer: shape('SessionStarted', z.strictObject({ sessionId: z.string() })),
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
