/** `tapline pause`, `tapline skip` and `tapline steer`. */
import * as z from 'zod/mini';
import { type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import { part, type PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';
import { findJob, findStep, type JobRun, type StepRun } from './runData.ts';

const NO_STEPS = 'A task that runs alone has no steps. “tapline stop” ends it.';

export async function pauseRun(client: PortalClient, output: Output, given: string): Promise<ExitCode> {
  const { jobId } = await findJob(client, given, NO_STEPS);
  await client.do(`copilot/job/${part(jobId)}/pause`, z.object({ result: z.string() }), '');
  if (output.isJson) output.json({ jobId, result: 'Pausing' });
  else output.out(`The job ${jobId} is paused once what runs has ended. “tapline continue” lets it go on.`);
  return exitCodes.done;
}

export async function skipStep(client: PortalClient, output: Output, given: string, step: string): Promise<ExitCode> {
  const job = await findJob(client, given, NO_STEPS);
  const { step: key, taskName } = findStep(job, step);
  await client.do(`copilot/job/${part(job.jobId)}/skip`, z.object({ jobId: z.string() }), { step: key });
  if (output.isJson) output.json({ jobId: job.jobId, step: key, result: 'Skipped' });
  else output.out(`The step ${onOneLine(taskName)} (${key}) counts as done. “tapline logs -f” follows the job.`);
  return exitCodes.done;
}

export async function steerStep(client: PortalClient, output: Output, given: string, step: string, text: string): Promise<ExitCode> {
  const job = await findJob(client, given, NO_STEPS);
  const { step: key, taskName } = runningStep(job, step);
  await client.do(`copilot/job/${part(job.jobId)}/steer`, z.object({ result: z.string() }), { step: key, text });
  if (output.isJson) output.json({ jobId: job.jobId, step: key, result: 'Steered' });
  else output.out(`The agent of ${onOneLine(taskName)} (${key}) was told.`);
  return exitCodes.done;
}

/** Of several places with the task, the one that runs is meant. */
function runningStep(job: JobRun, given: string): StepRun {
  const running = { ...job, steps: job.steps.filter(({ status }) => status === 'Executing') };
  return findStep(running.steps.length === 0 ? job : running, given);
}
