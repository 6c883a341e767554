import * as z from 'zod';
import { approve } from '../entry/approve.ts';
import type { PortalRuns } from '../portalRuns.ts';
import { personAnswer } from '../runs/personAnswer.ts';
import type { RunStatus } from '../runs/runEvents.ts';
import type { TaskState } from '../runs/taskState.ts';
import { type RouteDoc, shape } from './routeDoc.ts';
import { closed } from './sessionDocs.ts';

export const runStatus: z.ZodType<RunStatus> = shape('RunStatus', z.enum(['Executing', 'Succeeded', 'Failed', 'Stopped', 'Interrupted']));
export const time = z.number().describe('Milliseconds since the epoch.');

export const taskState: z.ZodType<TaskState> = shape(
  'Task',
  z.strictObject({
    taskId: z.string(),
    taskName: z.string(),
    model: z.string(),
    borrowedSessionId: z.string().optional().describe('The session in which it was started, which stays alive.'),
    approve: approve.optional().describe('What its sessions may do without asking, by the entry.'),
    host: z.string().optional().describe('The other agent host at which its sessions are.'),
    folder: z.string().optional().describe('Their folder there.'),
    status: runStatus,
    startedAt: time,
    endedAt: time.optional(),
    crashError: z.string().optional().describe('No session could finish a prompt.'),
    reason: z.string().optional().describe('Why it failed by its rules.'),
    denied: z.int().min(1).optional().describe('How many answers have refused a call or its result.'),
    documents: z
      .array(z.strictObject({ sessionId: z.string(), path: z.string().describe('As the agent wrote it.') }))
      .optional()
      .describe('What it has reported with job_prepare_document.'),
    decisions: z.array(
      z.strictObject({
        at: time,
        reason: z.string(),
        answer: shape('PersonAnswer', personAnswer).optional().describe('The decision is that of a person or a program who has answered.'),
      }),
    ),
    sessions: z.array(
      z.strictObject({
        sessionId: z.string(),
        model: z.string(),
        isDriving: z.boolean().describe('It checks conditions. In a task with one session it does all.'),
        status: z.enum(['Running', 'Succeeded', 'Failed', 'Stopped']),
      }),
    ),
  }),
);

const listed: z.ZodType<ReturnType<PortalRuns['listTasks']>[number]> = shape(
  'ListedTask',
  z.strictObject({
    name: z.string(),
    requireUserInput: z.boolean(),
    host: z.string().optional().describe('The other agent host at which its own sessions run.'),
    withoutAsking: z.string().optional().describe('What its own sessions do without asking, by the entry, in words that follow its name.'),
  }),
);

export const taskDocs: readonly RouteDoc[] = [
  {
    path: '/copilot/task',
    changes: false,
    summary: 'The tasks of the entry.',
    answer: shape('Tasks', z.strictObject({ tasks: z.array(listed) })),
  },
  {
    path: '/copilot/task/start/{name}/session/{id}',
    changes: true,
    summary: 'Runs a task in a session, which stays alive. Prerequisites are not checked.',
    body: { description: 'The user input, which may not be empty where the task requires it.' },
    answer: shape('TaskStarted', z.strictObject({ taskId: z.string() })),
    errors: ['SessionNotFound', 'TaskNotFound', 'SessionBusy', 'UserInputRequired'],
  },
  {
    path: '/copilot/task/{id}/stop',
    changes: true,
    summary: 'Stops a task of a job, which fails the job.',
    answer: closed,
    errors: ['TaskNotFound', 'TaskCannotClose'],
  },
  {
    path: '/copilot/task/{id}/status',
    changes: false,
    summary: 'A task that runs or ran alone.',
    answer: taskState,
    errors: ['TaskNotFound'],
  },
];
