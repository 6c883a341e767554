import * as z from 'zod';
import { decision, runStatus, task, taskSession, time } from '../../views/portal/answers/runAnswers.ts';
import { listedTask, taskStarted } from '../../views/portal/answers/sessionSchemas.ts';
import { approve } from '../entry/approve.ts';
import { usage } from '../limits/usage.ts';
import { personAnswer } from '../runs/personAnswer.ts';
import { described, requestText, routes, shape } from './route.ts';
import { closed } from './sessionRoutes.ts';

shape('RunStatus', runStatus);
export const used = shape('Usage', usage);
z.globalRegistry.add(time, { description: 'Milliseconds since the epoch.' });

export const taskState = shape(
  'Task',
  z.strictObject({
    ...described(task.shape, {
      borrowedSessionId: 'The session in which it was started, which stays alive.',
      host: 'The other agent host at which its sessions are.',
      sessionModel: 'The model of that session.',
      folder: 'Their folder there, or that of the session in which it was started.',
      reason: 'Why it failed by its rules.',
      denied: 'How many answers have refused a call or its result.',
      stalledSince: 'It runs, and nothing has happened in it since then.',
    }),
    approve: approve.optional().describe('What its sessions may do without asking, by the entry.'),
    crashError: z.string().optional().describe('No session could finish a prompt.'),
    documents: z
      .array(z.strictObject({ sessionId: z.string(), path: z.string().describe('As the agent wrote it.') }))
      .optional()
      .describe('What it has reported with job_prepare_document.'),
    used: used.optional().describe('What it has used so far. Absent: nothing, or an older version has run it.'),
    decisions: z.array(
      z.strictObject({
        ...decision.shape,
        answer: shape('PersonAnswer', personAnswer).optional().describe('The decision is that of a person or a program who has answered.'),
      }),
    ),
    sessions: z.array(
      z.strictObject({
        ...taskSession.shape,
        model: z.string(),
        isDriving: z.boolean().describe('It checks conditions. In a task with one session it does all.'),
      }),
    ),
  }),
) satisfies z.ZodType<z.output<typeof task>>;

const listed = shape(
  'ListedTask',
  z.strictObject({
    ...described(listedTask.shape, { host: 'The other agent host at which its own sessions run.' }),
    withoutAsking: z.string().optional().describe('What its own sessions do without asking, by the entry, in words that follow its name.'),
  }),
);

export const taskRoutes = routes({
  list: {
    path: '/copilot/task',
    changes: false,
    summary: 'The tasks of the entry.',
    answer: shape('Tasks', z.strictObject({ tasks: z.array(listed) })),
  },
  start: {
    path: '/copilot/task/start/{name}/session/{id}',
    changes: true,
    summary: 'Runs a task in a session, which stays alive. Prerequisites are not checked.',
    body: { description: 'The user input, which may not be empty where the task requires it.', format: 'text', schema: requestText },
    answer: shape('TaskStarted', taskStarted),
    errors: ['SessionNotFound', 'TaskNotFound', 'SessionBusy', 'UserInputRequired'],
  },
  stop: {
    path: '/copilot/task/{id}/stop',
    changes: true,
    summary: 'Stops a task of a job, which fails the job.',
    answer: closed,
    errors: ['TaskNotFound', 'TaskCannotClose'],
  },
  status: {
    path: '/copilot/task/{id}/status',
    changes: false,
    needsStore: true,
    summary: 'A task that runs or ran alone.',
    answer: taskState,
    errors: ['TaskNotFound'],
  },
});
