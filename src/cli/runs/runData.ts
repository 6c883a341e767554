/** Runs as the portal tells of them, and how a command names one. */
import * as z from 'zod/mini';
import { CliError, exitCodes } from '../cliError.ts';
import { part, type PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';

const decisions = z.array(z.object({ at: z.number(), reason: z.string() }));
const usage = z.object({
  modelCalls: z.number(),
  toolCalls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  ms: z.number(),
});
const step = z.object({
  step: z.string(),
  workId: z.number(),
  taskId: z.string(),
  taskName: z.string(),
  status: z.string(),
  startedAt: z.number(),
  endedAt: z.optional(z.number()),
  crashError: z.optional(z.string()),
  redone: z.optional(z.boolean()),
  task: z.optional(z.object({ decisions, used: z.optional(usage), stalledSince: z.optional(z.number()) })),
});
export type StepRun = z.output<typeof step>;
const summary = {
  jobId: z.string(),
  jobName: z.string(),
  status: z.string(),
  startedAt: z.number(),
  endedAt: z.optional(z.number()),
  reason: z.optional(z.string()),
};
const jobRun = z.object({ ...summary, workingDirectory: z.string(), userInput: z.string(), used: z.optional(usage), steps: z.array(step) });
export type JobRun = z.output<typeof jobRun>;
const taskRun = z.object({
  taskId: z.string(),
  taskName: z.string(),
  status: z.string(),
  startedAt: z.number(),
  endedAt: z.optional(z.number()),
  borrowedSessionId: z.optional(z.string()),
  used: z.optional(usage),
  stalledSince: z.optional(z.number()),
  decisions,
});
export type TaskRun = z.output<typeof taskRun>;
const jobRuns = z.object({ runs: z.array(z.object(summary)) });
/** The beginning of an id is enough, from so many characters on. */
const MIN_PREFIX = 4;

export type Run = { of: 'job'; id: string } | { of: 'task'; id: string };

export function readJob(client: PortalClient, id: string): Promise<JobRun> {
  return client.call(`copilot/job/${part(id)}/status`, jobRun);
}

export function readTask(client: PortalClient, id: string): Promise<TaskRun> {
  return client.call(`copilot/task/${part(id)}/status`, taskRun);
}

/** By its id, or the beginning of that of a job. Rejects with a `CliError` when there is none, or more than one. */
export async function findRun(client: PortalClient, given: string): Promise<Run> {
  const { runs } = await client.call('copilot/job/runs', jobRuns);
  const exact = runs.find(({ jobId }) => jobId === given);
  const [found, ...more] = exact ? [exact] : runs.filter(({ jobId }) => given.length >= MIN_PREFIX && jobId.startsWith(given));
  if (found && more.length > 0)
    throw new CliError(exitCodes.usage, `${more.length + 1} runs begin with “${onOneLine(given)}”. Name one by its whole id.`);
  if (found) return { of: 'job', id: found.jobId };
  const answer = await client.ask(`copilot/task/${part(given)}/status`, z.looseObject({ error: z.optional(z.string()) }));
  if (answer.error === undefined) return { of: 'task', id: given };
  throw new CliError(exitCodes.refused, `The portal has no run “${onOneLine(given)}”. “tapline ps --all” lists them.`);
}

/** The step by its key such as `2#0`, the number of its place, or the name of its task: its last run that counts. */
export function findStep({ steps }: JobRun, given: string): StepRun {
  const isIt = ({ step: key, workId, taskName }: StepRun) => key === given || String(workId) === given || taskName === given;
  const found = steps.filter((one) => !one.redone && isIt(one));
  const places = new Set(found.map(({ workId }) => workId));
  if (places.size > 1) {
    const names = [...places].join(', ');
    throw new CliError(exitCodes.usage, `“${onOneLine(given)}” runs at several places of the job. Name one by its number: ${names}.`);
  }
  const last = found.at(-1);
  if (last) return last;
  throw new CliError(exitCodes.refused, `No step “${onOneLine(given)}” has run. “tapline show RUN” lists those that have.`);
}
