import * as z from 'zod';
import {
  chartNode,
  jobStarted,
  lastStart,
  listedJob,
  listedSchedule,
  missedTimes,
  nodeWorkId,
  timelineDocument,
  withoutAsking,
} from '../../views/portal/answers/jobAnswers.ts';
import {
  atLeast0,
  failedStep,
  jobRun,
  jobSummary,
  queue,
  runStatus,
  stalledStep,
  step,
  time,
  worktreeState,
} from '../../views/portal/answers/runAnswers.ts';
import type { JobOffer, JobStatus, JobSummary } from '../../views/portal/jobData.ts';
import { gridRow } from '../entry/entry.ts';
import { worktree } from '../entry/folders/worktreePolicy.ts';
import { schedule } from '../entry/jobSchedule.ts';
import { numberedWork } from '../entry/work.ts';
import { budget } from '../limits/taskLimits.ts';
import { resultChange } from '../runs/resultChange.ts';
import type { StepEdit } from '../runs/runEvents.ts';
import type { WorktreeState } from '../runs/worktreeState.ts';
import { described, requestText, routes, shape, wordsOf } from './route.ts';
import { stepKey } from './runChangeRoutes.ts';
import { closed } from './sessionRoutes.ts';
import { taskState, used } from './taskRoutes.ts';

const runFilter = shape(
  'RunFilter',
  z.strictObject({
    text: requestText
      .max(1_000)
      .optional()
      .describe('Looked for in the name, the folder, the input, the id, the failed step and the reason of a run, without regard to case.'),
    status: z.array(runStatus).max(10).optional(),
    waits: z.literal(true).optional().describe('Only runs in which something waits for a person.'),
    denied: z.literal(true).optional().describe('Only runs in which somebody has refused something.'),
  }),
);

const work = shape('Work', numberedWork);
const row = shape('GridRow', gridRow);
const saidBefore = 'Said before it starts: tasks that would change files of one folder at the same time.';
const warningWords = z.array(wordsOf('A warning')).optional();
const asksNot = 'What sessions of its tasks do without asking, by the entry: words that follow the name of the task.';
const scheduled = shape(
  'ListedSchedule',
  z.strictObject({
    ...described(listedSchedule.shape, { next: 'When it starts next.' }),
    ...schedule.shape,
    last: z
      .strictObject(described(lastStart.shape, { problem: 'Why it did not start.' }))
      .optional()
      .describe('When it started last, or should have.'),
    missedTimes: z
      .strictObject({ ...missedTimes.shape, count: z.int().min(1).max(1000) })
      .optional()
      .describe('Times since then at which the portal did not run.'),
  }),
);
const job = shape(
  'Job',
  z.strictObject({
    ...described(listedJob.shape, {
      withoutAsking: asksNot,
      hosts: 'The other agent hosts at which its tasks run, by the names of the tasks.',
      revision: 'Of all that a start of it does.',
      warnings: saidBefore,
    }),
    words: warningWords,
    work,
    worktree: worktree.optional(),
    schedule: scheduled.optional(),
    budget: budget.optional(),
  }),
);
z.globalRegistry.add(nodeWorkId, { description: 'workIdInJob' });
const label = 'The name of the task, and the model where this run of it has one of its own.';
const chart = shape('Chart', z.strictObject({ nodes: z.array(z.strictObject(described(chartNode.shape, { label }))) }));

const stepOfRun = shape(
  'Step',
  z.strictObject({
    ...described(step.shape, { crashError: 'Why the job stopped here.' }),
    step: stepKey,
    skipped: z
      .strictObject({ at: time, by: z.string(), was: runStatus })
      .optional()
      .describe('A person has said that it counts as done. `was`: how it stood then.'),
    redone: z.literal(true).optional().describe('The job was continued from here, so this step does not count any more.'),
    task: taskState.optional(),
  }),
);

const stepEdit = shape(
  'StepEdit',
  z.strictObject({
    workId: z.int().min(0),
    taskName: z.string(),
    userInput: z.string().optional(),
    prompt: z.string().optional(),
  }),
) satisfies z.ZodType<StepEdit>;

const failed = shape('FailedStep', z.strictObject({ ...described(failedStep.shape, { reason: 'Why it failed.' }), step: stepKey }));
const stalled = shape('StalledStep', z.strictObject({ ...stalledStep.shape, step: stepKey, workId: atLeast0 }));

const queuePlace = z.strictObject({
  since: time,
  ...described(queue.shape, { notBefore: 'It begins then, or later.' }),
  until: z.number().optional().describe('When it began, or was stopped or paused. Absent: it is queued.'),
  isLate: z.literal(true).optional().describe('No portal ran at the time at which it was to begin.'),
});

const treeOfRun = shape(
  'Worktree',
  z.strictObject({
    ...described(worktreeState.shape, {
      id: '“run”, or the first steps of the branches of Par that lead to it, joined by “/”.',
      uncommitted: 'So many files of the folder had changes that are not in it.',
      files: 'Of a conflict.',
    }),
    folder: z.string().describe('In it: where the steps work.'),
    base: z.string().describe('The commit with which it began.'),
    onto: z.string().optional().describe('The branch of the folder, into which that of the run is merged.'),
    status: z
      .enum(['Made', 'Merged', 'Conflict', 'Left'])
      .describe('Merged: it is gone, its work is in that of the run or in the folder. Conflict: it could not be merged. Left: it stays.'),
    madeAt: time,
    at: z.number().describe('When it came to its status.'),
    commit: z.string().optional().describe('Its last commit that was merged or left.'),
  }),
) satisfies z.ZodType<WorktreeState>;

const change = shape('ResultChange', z.strictObject({ at: time, ...resultChange.shape }));

const summary = {
  ...described(jobSummary.shape, {
    attempt: '1, and one more each time that it was continued, or taken over by another portal.',
    reason: 'Why it failed, or was stopped by itself: its budget is used up.',
    queuedFor: 'What a run that is queued waits for, in words.',
    loopCap: 'It failed because a loop went round more often. It can be continued with a higher one.',
    input: 'The beginning of the user input.',
    denied: 'How many answers have refused a call or its result, in steps that count.',
    stoppedBy: 'Who stopped it, in words.',
  }),
  queue: queuePlace
    .optional()
    .describe(
      'How it waited for its time or for other runs, or does. Absent: it began at once. A run that is queued has the status Executing.',
    ),
  pausing: z
    .strictObject({ at: time, by: z.string() })
    .optional()
    .describe('Nothing new is started: somebody wants it to pause after the steps that run, or has paused it.'),
  waiting: z.int().min(0).describe('Calls and questions that wait for a person, in its sessions and their subagents.'),
  failedStep: failed.optional().describe('The last step that made it fail, or at which it was stopped.'),
  stalled: stalled.optional().describe('The step in which nothing has happened for longest. It goes on waiting.'),
  used: used.optional().describe('In all its steps, also in those that were done again. Absent: nothing, or an older version has run it.'),
  runningWorkIds: z.array(atLeast0),
  ...described({ withoutAsking }, { withoutAsking: asksNot }),
};
const listedRun = shape('JobSummary', z.strictObject(summary)) satisfies z.ZodType<JobSummary>;
const wholeRun = shape(
  'JobRun',
  z.strictObject({
    ...summary,
    userInput: jobRun.shape.userInput,
    usedBefore: used.optional().describe('What it had used when it was last continued. Its budget begins there.'),
    history: z
      .array(
        z.strictObject({
          at: time,
          what: z.enum(['Failed', 'Stopped', 'Interrupted', 'Paused', 'Continued', 'TakenOver', 'Pausing', 'PauseWithdrawn']),
          reason: z.string().optional(),
          from: z.string().optional().describe('The task of the first step that was done again although it had succeeded.'),
          by: z.string().optional().describe('Who did it, in words.'),
          skipped: z.array(stepKey).optional().describe('Steps that count as done from then on.'),
          edit: stepEdit.optional(),
        }),
      )
      .optional()
      .describe('Its earlier ends, how it went on, and pauses that were asked for. Oldest first.'),
    failedSteps: z.array(stepKey).describe('Those whose failure failed the job.'),
    steps: z.array(stepOfRun).describe('In the order in which they started.'),
    worktrees: z.array(treeOfRun).optional().describe('In the order in which they were made.'),
    resultChanges: z.array(change).optional().describe('What was done with what it has brought about. Oldest first.'),
    work,
    chart,
  }),
) satisfies z.ZodType<JobStatus>;

const timelineEntry = shape(
  'TimelineEntry',
  z.strictObject({
    at: time,
    kind: z.enum(['run', 'step', 'decision', 'answer']).describe('answer: the decision of a person or a program.'),
    text: z.string(),
    step: stepKey.optional(),
    workId: z.int().min(0).optional(),
    taskName: z.string().optional(),
  }),
);

/** The first line is a working directory, and the rest is what the user wrote. */
const startText = requestText.transform((value) => {
  const [, directory = '', input = ''] = /^([^\r\n]*)(?:\r\n|\r|\n|$)([^]*)$/.exec(value) ?? [];
  return { workingDirectory: directory.trim(), userInput: input };
});
/** Undefined: whatever it is now. */
const listedRevision = z
  .string()
  .regex(/^(?:\*|"[\w-]{1,100}")$/, 'If-Match must be one revision in quotation marks.')
  .transform((value) => (value === '*' ? undefined : value.slice(1, -1)))
  .optional();
/** In ms since the epoch. */
const notBefore = z.iso
  .datetime({ offset: true, error: 'Not-Before must be a time with its zone, such as 2026-11-28T06:00:00Z.' })
  .transform((value) => Date.parse(value))
  .optional();
const started = shape('JobStarted', z.strictObject({ ...described(jobStarted.shape, { warnings: saidBefore }), words: warningWords }));

export const jobRoutes = routes({
  list: {
    path: '/copilot/job',
    changes: false,
    summary: 'The jobs of the entry, and their charts.',
    answer: shape(
      'Jobs',
      z.strictObject({ grid: z.array(row), jobs: z.record(z.string(), job), chart: z.record(z.string(), chart) }),
    ) satisfies z.ZodType<JobOffer>,
  },
  runs: {
    path: '/copilot/job/runs',
    changes: false,
    needsStore: true,
    summary: 'The jobs that run and ran, oldest first.',
    body: { description: 'Which of them. May be empty.', format: 'optionalJson', schema: runFilter },
    answer: shape('JobRuns', z.strictObject({ runs: z.array(listedRun) })),
  },
  start: {
    path: '/copilot/job/start/{name}',
    changes: true,
    summary: 'Starts a job.',
    body: {
      description: 'The working directory, an absolute path, on the first line; the user input after it.',
      format: 'text',
      schema: startText,
    },
    headers: {
      'If-Match': {
        description: 'The revision of the job as it was listed, in quotation marks. When it is another one now, nothing is started.',
        schema: listedRevision,
      },
      'Not-Before': {
        description:
          'A time with its zone, as in ISO 8601. The run is kept, and begins then. Absent, or past: it begins as soon as it can.',
        schema: notBefore,
      },
    },
    answer: started,
    errors: [
      'JobNotFound',
      'JobChanged',
      'UserInputRequired',
      'WorkingDirectoryNotAbsolutePath',
      'WorkingDirectoryNotExists',
      'WorktreeNotPossible',
    ],
  },
  stop: {
    path: '/copilot/job/{id}/stop',
    changes: true,
    summary: 'Stops a job and all that it runs.',
    answer: closed,
    errors: ['JobNotFound'],
  },
  status: {
    path: '/copilot/job/{id}/status',
    changes: false,
    needsStore: true,
    summary: 'A job that runs or ran.',
    answer: wholeRun,
    errors: ['JobNotFound'],
  },
  delete: {
    path: '/copilot/job/{id}/delete',
    changes: true,
    summary: 'Deletes what is kept of a job that has ended, and its work trees. Its sessions stay at the agent host.',
    answer: shape('Deleted', z.strictObject({ result: z.literal('Deleted') })),
    errors: ['JobNotFound', 'JobNotEnded', 'JobCannotDelete', 'WorktreeNotCommitted'],
  },
  timeline: {
    path: '/copilot/job/{id}/timeline',
    changes: false,
    needsStore: true,
    summary: 'All that happened in a job, in order of time.',
    answer: shape('Timeline', z.strictObject({ jobId: z.string(), jobName: z.string(), entries: z.array(timelineEntry) })),
    errors: ['JobNotFound'],
  },
  timelineDocument: {
    path: '/copilot/job/{id}/timeline/markdown',
    changes: false,
    needsStore: true,
    summary: 'The same as a document.',
    answer: shape('TimelineDocument', timelineDocument),
    errors: ['JobNotFound'],
  },
});
