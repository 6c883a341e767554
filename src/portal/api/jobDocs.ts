import * as z from 'zod';
import type { ChartGraph } from '../chart/generateChartNodes.ts';
import { gridRow } from '../entry/entry.ts';
import { numberedWork } from '../entry/work.ts';
import { schedule } from '../entry/schedule.ts';
import type { ListedSchedule } from '../schedules/scheduledRuns.ts';
import type { ListedJob } from '../portalRuns.ts';
import type { JobState, StepState } from '../runs/jobState.ts';
import type { FailedStep, RunFilter, RunSummary } from '../runs/runSummary.ts';
import type { TimelineEntry } from '../runs/timeline.ts';
import { requestText, type RouteDoc, shape } from './routeDoc.ts';
import { closed } from './sessionDocs.ts';
import { runStatus, taskState, time } from './taskDocs.ts';

export const stepKey = z.templateLiteral([z.int(), '#', z.int()]).describe('workIdInJob, and how often it ran before.');

export const continueOptions = shape(
  'ContinueOptions',
  z.strictObject({
    loopCap: z.number().int().min(1).max(1_000_000).optional().describe('A loop that goes round more often fails the job.'),
    from: stepKey
      .optional()
      .describe('A step that runs again, with all that began after it had ended. A job that has succeeded needs one.'),
  }),
);

export const runFilter: z.ZodType<RunFilter> = shape(
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
const withoutAsking = z
  .record(z.string(), z.string())
  .optional()
  .describe('What sessions of its tasks do without asking, by the entry: words that follow the name of the task.');
const hosts = z
  .record(z.string(), z.string())
  .optional()
  .describe('The other agent hosts at which its tasks run, by the names of the tasks.');
const listedSchedule: z.ZodType<ListedSchedule> = shape(
  'ListedSchedule',
  z.strictObject({
    ...schedule.shape,
    next: time.optional().describe('When it starts next.'),
    last: z
      .strictObject({ at: time, jobId: z.string().optional(), problem: z.string().optional().describe('Why it did not start.') })
      .optional()
      .describe('When it started last, or should have.'),
    missedTimes: z
      .strictObject({ count: z.int().min(1).max(1000), last: time })
      .optional()
      .describe('Times since then at which the portal did not run.'),
  }),
);
const job: z.ZodType<ListedJob & { schedule?: ListedSchedule }> = shape(
  'Job',
  z.strictObject({
    requireUserInput: z.boolean(),
    work,
    withoutAsking,
    hosts,
    schedule: listedSchedule.optional(),
    revision: z.string().describe('Of all that a start of it does.'),
  }),
);
const chart: z.ZodType<ChartGraph> = shape(
  'Chart',
  z.strictObject({
    nodes: z.array(
      z.strictObject({
        id: z.int().min(0),
        hint: z.union([
          z.tuple([z.enum(['TaskNode', 'CondNode']), z.int().min(0).describe('workIdInJob')]),
          z.enum(['ParBegin', 'ParEnd', 'CondBegin', 'CondEnd', 'LoopEnd', 'AltEnd']),
        ]),
        label: z.string().optional().describe('The name of the task, and the model where this run of it has one of its own.'),
        arrows: z
          .array(z.strictObject({ to: z.int().min(0), loopBack: z.boolean(), label: z.enum(['true', 'false']).optional() }))
          .optional(),
      }),
    ),
  }),
);

const step: z.ZodType<StepState> = shape(
  'Step',
  z.strictObject({
    step: stepKey,
    workId: z.int().min(0),
    taskId: z.string(),
    taskName: z.string(),
    status: runStatus,
    startedAt: time,
    endedAt: time.optional(),
    crashError: z.string().optional().describe('Why the job stopped here.'),
    redone: z.literal(true).optional().describe('The job was continued from here, so this step does not count any more.'),
    task: taskState.optional(),
  }),
);

const failedStep: z.ZodType<FailedStep> = shape(
  'FailedStep',
  z.strictObject({
    step: stepKey,
    workId: z.int().min(0),
    taskName: z.string(),
    reason: z.string().optional().describe('Why it failed.'),
  }),
);

const summary = {
  jobId: z.string(),
  jobName: z.string(),
  status: runStatus,
  attempt: z.int().min(1).describe('1, and one more each time that it was continued, or taken over by another portal.'),
  startedAt: time,
  endedAt: time.optional(),
  reason: z.string().optional().describe('Why it failed.'),
  loopCap: z.int().min(1).optional().describe('It failed because a loop went round more often. It can be continued with a higher one.'),
  workingDirectory: z.string(),
  input: z.string().optional().describe('The beginning of the user input.'),
  waiting: z.int().min(0).describe('Calls and questions that wait for a person, in its sessions and their subagents.'),
  denied: z.int().min(1).optional().describe('How many answers have refused a call or its result, in steps that count.'),
  failedStep: failedStep.optional().describe('The last step that made it fail, or at which it was stopped.'),
  runningWorkIds: z.array(z.int().min(0)),
  withoutAsking,
};
const jobSummary: z.ZodType<RunSummary> = shape('JobSummary', z.strictObject(summary));
const jobRun: z.ZodType<Omit<JobState, 'definition'> & RunSummary & { chart: ChartGraph }> = shape(
  'JobRun',
  z.strictObject({
    ...summary,
    userInput: z.string(),
    history: z
      .array(
        z.strictObject({
          at: time,
          what: z.enum(['Failed', 'Stopped', 'Interrupted', 'Continued', 'TakenOver']),
          reason: z.string().optional(),
        }),
      )
      .optional()
      .describe('Its earlier ends, and how it went on. Oldest first.'),
    failedSteps: z.array(stepKey).describe('Those whose failure failed the job.'),
    steps: z.array(step).describe('In the order in which they started.'),
    work,
    chart,
  }),
);

const timelineEntry: z.ZodType<TimelineEntry> = shape(
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

const jobStarted = shape('JobStarted', z.strictObject({ jobId: z.string() }));

export const jobDocs: readonly RouteDoc[] = [
  {
    path: '/copilot/job',
    changes: false,
    summary: 'The jobs of the entry, and their charts.',
    answer: shape('Jobs', z.strictObject({ grid: z.array(row), jobs: z.record(z.string(), job), chart: z.record(z.string(), chart) })),
  },
  {
    path: '/copilot/job/runs',
    changes: false,
    summary: 'The jobs that run and ran, oldest first.',
    body: { description: 'Which of them. May be empty.', schema: runFilter },
    answer: shape('JobRuns', z.strictObject({ runs: z.array(jobSummary) })),
  },
  {
    path: '/copilot/job/start/{name}',
    changes: true,
    summary: 'Starts a job.',
    body: { description: 'The working directory, an absolute path, on the first line; the user input after it.' },
    headers: {
      'If-Match': 'The revision of the job as it was listed, in quotation marks. When it is another one now, nothing is started.',
    },
    answer: jobStarted,
    errors: ['JobNotFound', 'JobChanged', 'UserInputRequired', 'WorkingDirectoryNotAbsolutePath', 'WorkingDirectoryNotExists'],
  },
  { path: '/copilot/job/{id}/stop', changes: true, summary: 'Stops a job and all that it runs.', answer: closed, errors: ['JobNotFound'] },
  { path: '/copilot/job/{id}/status', changes: false, summary: 'A job that runs or ran.', answer: jobRun, errors: ['JobNotFound'] },
  {
    path: '/copilot/job/{id}/delete',
    changes: true,
    summary: 'Deletes what is kept of a job that has ended. Its sessions stay at the agent host.',
    answer: shape('Deleted', z.strictObject({ result: z.literal('Deleted') })),
    errors: ['JobNotFound', 'JobNotEnded', 'JobCannotDelete'],
  },
  {
    path: '/copilot/job/{id}/timeline',
    changes: false,
    summary: 'All that happened in a job, in order of time.',
    answer: shape('Timeline', z.strictObject({ jobId: z.string(), jobName: z.string(), entries: z.array(timelineEntry) })),
    errors: ['JobNotFound'],
  },
  {
    path: '/copilot/job/{id}/timeline/markdown',
    changes: false,
    summary: 'The same as a document.',
    answer: shape('TimelineDocument', z.strictObject({ fileName: z.string(), markdown: z.string() })),
    errors: ['JobNotFound'],
  },
  {
    path: '/copilot/job/{id}/continue',
    changes: true,
    summary: 'Goes on from the steps that failed, or from one that is named.',
    body: { description: 'May be empty.', schema: continueOptions },
    answer: jobStarted,
    errors: ['JobNotFound', 'JobCannotContinue', 'StepNotFound'],
  },
];
