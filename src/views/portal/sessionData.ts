/** What the portal answers about sessions and tasks, as its page reads it. */
import * as z from 'zod/mini';
import { task } from './answers/runAnswers.ts';
import { listedTask, model, session } from './answers/sessionSchemas.ts';

export const sessionList = z.object({ sessions: z.array(session) });
export type SessionSummary = z.infer<typeof session>;

export const modelList = z.object({ models: z.array(model) });
export type ModelSummary = z.infer<typeof model>;

export const taskList = z.object({ tasks: z.array(listedTask) });
export type TaskSummary = z.infer<typeof listedTask>;

export const taskStatus = z.pick(task, { taskName: true, status: true, startedAt: true, endedAt: true, decisions: true });
export type TaskStatus = z.infer<typeof taskStatus>;
