/** What the portal answers about jobs, as its pages and the views of VS Code read it. Fields that they do not need are left out. */
import * as z from 'zod/mini';
import { chartNode, gridRow, listedJob, withoutAsking } from './answers/jobAnswers.ts';
import { jobRun, jobSummary, step, type stepInput } from './answers/runAnswers.ts';

export type ChartNode = z.infer<typeof chartNode>;
export const chartGraph = z.object({ nodes: z.array(chartNode).check(z.minLength(1)) }).check(
  z.refine(
    ({ nodes }) => nodes.every((node, at) => node.id === at && (node.arrows ?? []).every(({ to }) => to < nodes.length)),
    // eslint-disable-next-line texts/translated -- for programs
    'ids must be positions, and arrows must lead to nodes',
  ),
);
export type ChartGraph = z.infer<typeof chartGraph>;

const stepRun = z.omit(step, { taskId: true });
/** One run of a step. */
export type StepRun = z.infer<typeof stepRun>;
export type Decision = NonNullable<StepRun['task']>['decisions'][number];
export type GivenAnswer = NonNullable<Decision['answer']>;

/** Of `copilot/job/runs`. */
export const jobRuns = z.object({ runs: z.array(jobSummary) });
export type JobSummary = z.infer<typeof jobSummary>;

/** Of `copilot/job/ID/status`. `chart` is that of the run, also when the entry has changed since. */
export const jobStatus = z.extend(jobRun, { steps: z.array(stepRun), chart: chartGraph, withoutAsking });
export type JobStatus = z.infer<typeof jobStatus>;

/** What a step gets when it runs the next time. */
export type StepInput = z.infer<typeof stepInput>;

export type OfferedJob = z.infer<typeof listedJob>;

/** Of `copilot/job`. */
export const jobOffer = z.object({
  grid: z.array(gridRow),
  jobs: z.record(z.string(), listedJob),
  chart: z.record(z.string(), chartGraph),
});
export type JobOffer = z.infer<typeof jobOffer>;
