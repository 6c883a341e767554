/** What the portal answers about sessions, models and tasks, and about itself, as far as its clients read it. */
import * as z from 'zod/mini';
import { atLeast0, time } from './runAnswers.ts';

/** Of `config`. */
export const config = z.object({ repoRoot: z.string(), sharesRuns: z.optional(z.boolean()) });

/** Of `token`: a reader of its own for …/live/{token}. */
export const readerToken = z.object({ token: z.string() });

/** Of `copilot/models`. */
export const model = z.object({ name: z.string(), id: z.string() });

/** Of `copilot/session`. */
export const session = z.object({
  sessionId: z.string(),
  uri: z.string(),
  /** Where it is not that of the portal. */
  host: z.optional(z.string()),
  title: z.string(),
  isWorking: z.boolean(),
  /** How many calls and questions wait for the user. */
  waiting: atLeast0,
  /** The task that runs in it. */
  use: z.optional(z.object({ taskName: z.string(), jobId: z.optional(z.string()), jobName: z.optional(z.string()) })),
});

/** Of another client, or one that has ended for the portal. */
export const keptSession = z.object({
  uri: z.string(),
  title: z.string(),
  modifiedAt: time,
  isWorking: z.boolean(),
  needsUser: z.boolean(),
});
/** Of `copilot/session/kept`: what the portal's own host has. */
export const keptSessions = z.object({
  /** Of the portal's sessions, which have the URI `AGENT:/SESSION-ID`. */
  agent: z.string(),
  sessions: z.array(keptSession),
  isComplete: z.boolean(),
});
export type KeptSessions = z.infer<typeof keptSessions>;

export const sessionStarted = z.object({ sessionId: z.string() });

/** Of `copilot/task`. */
export const listedTask = z.object({
  name: z.string(),
  requireUserInput: z.boolean(),
  /** The other agent host at which its own sessions run. */
  host: z.optional(z.string()),
});

export const taskStarted = z.object({ taskId: z.string() });

/** Of what was stopped. */
export const closed = z.object({ result: z.literal('Closed') });
