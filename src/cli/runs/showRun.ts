/** `tapline show`, `tapline logs`, `tapline tasks` and `tapline jobs`: they only read. */
import * as z from 'zod/mini';
import { listedJob } from '../../views/portal/answers/jobAnswers.ts';
import { listedTask } from '../../views/portal/answers/sessionSchemas.ts';
import { type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import { part, type PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';
import { followRun } from './followRun.ts';
import { findRun, readJob, readTask } from './runData.ts';
import { RunLog } from './runLog.ts';
import { runText, tellLine } from './runText.ts';

// With JSON all of it is given on, also what another version has more.
const tasks = z.object({ tasks: z.array(z.looseObject(listedTask.shape)) });
const jobs = z.object({ jobs: z.record(z.string(), z.looseObject(z.pick(listedJob, { requireUserInput: true }).shape)) });

export async function listTasks(client: PortalClient, output: Output): Promise<ExitCode> {
  const listed = await client.call('copilot/task', tasks);
  if (output.isJson) output.json(listed);
  else if (listed.tasks.length === 0) output.out('The portal has no tasks.');
  else
    for (const { name, requireUserInput, host } of listed.tasks)
      output.out(`${onOneLine(name)}${needs(requireUserInput)}${host === undefined ? '' : `  at ${onOneLine(host)}, in a job only`}`);
  return exitCodes.done;
}

export async function listJobs(client: PortalClient, output: Output): Promise<ExitCode> {
  const listed = await client.call('copilot/job', jobs);
  if (output.isJson) output.json({ jobs: listed.jobs });
  else if (Object.keys(listed.jobs).length === 0) output.out('The portal has no jobs.');
  else for (const [name, { requireUserInput }] of Object.entries(listed.jobs)) output.out(`${onOneLine(name)}${needs(requireUserInput)}`);
  return exitCodes.done;
}

const needs = (requireUserInput = false) => (requireUserInput ? '  needs --input' : '');

export async function show(client: PortalClient, output: Output, given: string): Promise<ExitCode> {
  const { of, id } = await findRun(client, given);
  if (output.isJson) output.json(await client.call(`copilot/${of}/${part(id)}/status`, z.looseObject({})));
  else output.out(runText(await (of === 'job' ? readJob(client, id) : readTask(client, id)), Date.now()));
  return exitCodes.done;
}

/** With `follow` until the end, whose exit code is that of the run. */
export async function logs(client: PortalClient, output: Output, given: string, follow: boolean): Promise<ExitCode> {
  const run = await findRun(client, given);
  const log = new RunLog();
  const state = await (run.of === 'job' ? readJob(client, run.id) : readTask(client, run.id));
  if (!follow || !output.isJson) for (const line of log.take(state)) tellLine(output, line);
  return follow ? followRun(client, output, run, log) : exitCodes.done;
}
