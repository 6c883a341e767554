/** What the portal answers about sessions and tasks, as its page reads it (docs/portal-api.md). */
import * as z from 'zod';
import { runStatus } from './jobData.ts';

/** Of `copilot/session`. `host`: where it is not that of the portal. `waiting`: how many calls and questions wait for the user. */
export const sessionList = z.object({
  sessions: z.array(
    z.object({
      sessionId: z.string(),
      uri: z.string(),
      host: z.string().optional(),
      title: z.string(),
      isWorking: z.boolean(),
      waiting: z.number(),
      /** The task that runs in it. */
      use: z.object({ taskName: z.string(), jobId: z.string().optional(), jobName: z.string().optional() }).optional(),
    }),
  ),
});
export type SessionSummary = z.infer<typeof sessionList>['sessions'][number];

/** Of `copilot/session/kept`: what the portal's own host has. */
export const keptList = z.object({
  /** Of the portal's sessions, which have the URI `AGENT:/SESSION-ID`. */
  agent: z.string(),
  sessions: z.array(
    z.object({ uri: z.string(), title: z.string(), modifiedAt: z.number(), isWorking: z.boolean(), needsUser: z.boolean() }),
  ),
  isComplete: z.boolean(),
});
export type KeptSessions = z.infer<typeof keptList>;

/** Of `copilot/models`. */
export const modelList = z.object({ models: z.array(z.object({ id: z.string(), name: z.string() })) });
export type ModelSummary = z.infer<typeof modelList>['models'][number];

/** Of `copilot/task`. */
export const taskList = z.object({ tasks: z.array(z.object({ name: z.string(), requireUserInput: z.boolean() })) });
export type TaskSummary = z.infer<typeof taskList>['tasks'][number];

/** Of `copilot/task/ID/status`. */
export const taskStatus = z.object({
  taskName: z.string(),
  status: runStatus,
  startedAt: z.number(),
  endedAt: z.number().optional(),
  decisions: z.array(z.object({ at: z.number(), reason: z.string() })),
});
export type TaskStatus = z.infer<typeof taskStatus>;
