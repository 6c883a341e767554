/** What the portal answers about jobs, as its pages read it (docs/portal-api.md). Fields that they do not need are left out. */
import * as z from 'zod';
import type { Usage } from './usedText.ts';

/** Ids of nodes and steps. */
const id = z.int().min(0);
/** Milliseconds since the epoch. */
const time = z.number();

export const runStatus = z.enum(['Executing', 'Succeeded', 'Failed', 'Stopped', 'Interrupted']);
export type RunStatus = z.infer<typeof runStatus>;

const chartNode = z.object({
  id,
  hint: z.union([
    z.tuple([z.enum(['TaskNode', 'CondNode']), id]),
    z.enum(['ParBegin', 'ParEnd', 'CondBegin', 'CondEnd', 'LoopEnd', 'AltEnd']),
  ]),
  label: z.string().optional(),
  arrows: z.array(z.object({ to: id, loopBack: z.boolean(), label: z.enum(['true', 'false']).optional() })).optional(),
});
export type ChartNode = z.infer<typeof chartNode>;
export const chartGraph = z
  .object({ nodes: z.array(chartNode).min(1) })
  .refine(
    ({ nodes }) => nodes.every((node, at) => node.id === at && (node.arrows ?? []).every(({ to }) => to < nodes.length)),
    'ids must be positions, and arrows must lead to nodes',
  );
export type ChartGraph = z.infer<typeof chartGraph>;

const count = z.number().nonnegative();
const usage: z.ZodType<Usage> = z.object({ modelCalls: count, toolCalls: count, inputTokens: count, outputTokens: count, ms: count });

/** What somebody has answered. The words of other versions are shown as they are. */
const personAnswer = z.object({
  about: z.string(),
  answer: z.string(),
  by: z.string(),
  tool: z.string().optional(),
  input: z.string().optional(),
  reason: z.string().optional(),
  option: z.string().optional(),
});

const taskRun = z.object({
  /** The agent host, where it is not that of the portal. */
  host: z.string().optional(),
  /** The folder there. */
  folder: z.string().optional(),
  model: z.string(),
  /** Why it failed by its rules. */
  reason: z.string().optional(),
  /** How many answers have refused something. */
  denied: z.number().optional(),
  used: usage.optional(),
  /** It runs, and nothing has happened in it since then. */
  stalledSince: time.optional(),
  decisions: z.array(z.object({ at: time, reason: z.string(), answer: personAnswer.optional() })),
  sessions: z.array(z.object({ sessionId: z.string(), status: z.enum(['Running', 'Succeeded', 'Failed', 'Stopped']) })),
});
const stepRun = z.object({
  step: z.string(),
  workId: id,
  taskName: z.string(),
  status: runStatus,
  startedAt: time,
  endedAt: time.optional(),
  crashError: z.string().optional(),
  redone: z.boolean().optional(),
  task: taskRun.optional(),
});
/** One run of a step. */
export type StepRun = z.infer<typeof stepRun>;
export type Decision = NonNullable<StepRun['task']>['decisions'][number];
export type GivenAnswer = NonNullable<Decision['answer']>;

/** What tasks do without asking, in words that follow their names. */
const withoutAsking = z.record(z.string(), z.string()).optional();

const summary = {
  jobId: z.string(),
  jobName: z.string(),
  status: runStatus,
  attempt: z.int().min(1),
  startedAt: time,
  endedAt: time.optional(),
  reason: z.string().optional(),
  /** It failed because a loop went round more often. */
  loopCap: z.number().optional(),
  workingDirectory: z.string(),
  /** The beginning of the user input. */
  input: z.string().optional(),
  /** Calls and questions that wait for the user. */
  waiting: z.number().optional(),
  /** How many answers have refused something. */
  denied: z.number().optional(),
  used: usage.optional(),
  /** The step in which nothing has happened for longest. */
  stalled: z.object({ taskName: z.string(), since: time }).optional(),
  failedStep: z.object({ step: z.string(), workId: id, taskName: z.string(), reason: z.string().optional() }).optional(),
};
/** Of `copilot/job/runs`. */
export const jobRuns = z.object({ runs: z.array(z.object(summary)) });
export type JobSummary = z.infer<typeof jobRuns>['runs'][number];

/** Of `copilot/job/ID/status`. `chart` is that of the run, also when the entry has changed since. */
export const jobStatus = z.object({ ...summary, userInput: z.string(), steps: z.array(stepRun), chart: chartGraph, withoutAsking });
export type JobStatus = z.infer<typeof jobStatus>;

const schedule = z.object({
  cron: z.string(),
  timeZone: z.string().optional(),
  folder: z.string(),
  missed: z.string().optional(),
  next: time.optional(),
  last: z.object({ at: time, jobId: z.string().optional(), problem: z.string().optional() }).optional(),
  missedTimes: z.object({ count: z.number(), last: time }).optional(),
});

const offeredJob = z.object({
  requireUserInput: z.boolean(),
  withoutAsking,
  /** Of tasks by their names, where it is not that of the portal. */
  hosts: z.record(z.string(), z.string()).optional(),
  /** When it starts by itself. */
  schedule: schedule.optional(),
  /** Of all that a start of it does. A start names it, so that what was shown is what is done. */
  revision: z.string(),
});
export type OfferedJob = z.infer<typeof offeredJob>;

/** Of `copilot/job`. */
export const jobOffer = z.object({
  grid: z.array(z.object({ keyword: z.string(), jobs: z.array(z.object({ name: z.string(), jobName: z.string() }).nullable()) })),
  jobs: z.record(z.string(), offeredJob),
  chart: z.record(z.string(), chartGraph),
});
export type JobOffer = z.infer<typeof jobOffer>;
