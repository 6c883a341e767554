/** Runs as the portal tells of them, and how a command names one. */
import * as z from 'zod/mini';
import { decision, jobRun as wholeJob, jobSummary, step, task } from '../../views/portal/answers/runAnswers.ts';
import { CliError, exitCodes } from '../cliError.ts';
import { part, type PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';

/** A status of another version is shown as it is. */
const anyStatus = { status: z.string() };
/** Of a task or a job. */
export const runEnd = z.extend(z.pick(jobSummary, { reason: true }), anyStatus);
const decisions = z.array(z.pick(decision, { at: true, reason: true }));
const measured = { used: true, stalledSince: true } as const;
const stepRun = z.extend(step, { ...anyStatus, task: z.optional(z.extend(z.pick(task, measured), { decisions })) });
export type StepRun = z.output<typeof stepRun>;
const ofRun = { jobId: true, jobName: true, startedAt: true, endedAt: true, reason: true, pausing: true, queuedFor: true } as const;
const named = z.extend(z.pick(jobSummary, ofRun), anyStatus);
const ofJob = { workingDirectory: true, userInput: true, used: true } as const;
const jobRun = z.extend(named, { ...z.pick(wholeJob, ofJob).shape, steps: z.array(stepRun) });
export type JobRun = z.output<typeof jobRun>;
const ofTask = { taskId: true, taskName: true, startedAt: true, endedAt: true, borrowedSessionId: true, ...measured } as const;
const taskRun = z.extend(z.pick(task, ofTask), { ...anyStatus, decisions });
export type TaskRun = z.output<typeof taskRun>;
const jobRuns = z.object({ runs: z.array(named) });
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

/** `noTask`: what is said of a task that runs alone. */
export async function findJob(client: PortalClient, given: string, noTask: string): Promise<JobRun> {
  const run = await findRun(client, given);
  if (run.of === 'task') throw new CliError(exitCodes.refused, noTask);
  return readJob(client, run.id);
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
