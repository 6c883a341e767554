/** `tapline pause`, `tapline skip` and `tapline steer`. */
import * as z from 'zod/mini';
import { CliError, type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import { part, type PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';
import { findRun, findStep, type JobRun, readJob, type StepRun } from './runData.ts';

const TASK_ALONE = 'A task that runs alone has no steps. “tapline stop” ends it.';

export async function pauseRun(client: PortalClient, output: Output, given: string): Promise<ExitCode> {
  const { jobId } = await jobOf(client, given);
  await client.call(`copilot/job/${part(jobId)}/pause`, z.object({ result: z.string() }), '');
  if (output.isJson) output.json({ jobId, result: 'Pausing' });
  else output.out(`The job ${jobId} is paused once what runs has ended. “tapline continue” lets it go on.`);
  return exitCodes.done;
}

export async function skipStep(client: PortalClient, output: Output, given: string, step: string): Promise<ExitCode> {
  const job = await jobOf(client, given);
  const { step: key, taskName } = findStep(job, step);
  await client.call(`copilot/job/${part(job.jobId)}/skip`, z.object({ jobId: z.string() }), { step: key });
  if (output.isJson) output.json({ jobId: job.jobId, step: key, result: 'Skipped' });
  else output.out(`The step ${onOneLine(taskName)} (${key}) counts as done. “tapline logs -f” follows the job.`);
  return exitCodes.done;
}

export async function steerStep(client: PortalClient, output: Output, given: string, step: string, text: string): Promise<ExitCode> {
  const job = await jobOf(client, given);
  const { step: key, taskName } = runningStep(job, step);
  await client.call(`copilot/job/${part(job.jobId)}/steer`, z.object({ result: z.string() }), { step: key, text });
  if (output.isJson) output.json({ jobId: job.jobId, step: key, result: 'Steered' });
  else output.out(`The agent of ${onOneLine(taskName)} (${key}) was told.`);
  return exitCodes.done;
}

async function jobOf(client: PortalClient, given: string): Promise<JobRun> {
  const run = await findRun(client, given);
  if (run.of === 'task') throw new CliError(exitCodes.refused, TASK_ALONE);
  return readJob(client, run.id);
}

/** Of several places with the task, the one that runs is meant. */
function runningStep(job: JobRun, given: string): StepRun {
  const running = { ...job, steps: job.steps.filter(({ status }) => status === 'Executing') };
  return findStep(running.steps.length === 0 ? job : running, given);
}
