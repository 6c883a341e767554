/** `tapline stop`, `tapline continue` and `tapline retry`. */
import { readFileSync } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { jobStarted } from '../../views/portal/answers/jobAnswers.ts';
import { closed } from '../../views/portal/answers/sessionSchemas.ts';
import { CliError, type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import { part, type PortalClient } from '../portalClient.ts';
import { followRun } from './followRun.ts';
import { findRun, findStep, type JobRun, readJob, readTask } from './runData.ts';
import { RunLog } from './runLog.ts';
import type { OnStarted } from './startRun.ts';

export interface ContinueOptions {
  /** A step, as the user names it; `undefined`: the steps that failed. */
  from?: string;
  /** What is edited of a step: absent, of the one that is named. */
  edit?: { step?: string; userInput?: string; promptFile?: string };
  loopCap?: number;
  detach: boolean;
}

/** A task that runs alone ends with its session. */
export async function stopRun(client: PortalClient, output: Output, given: string): Promise<ExitCode> {
  const { of, id } = await findRun(client, given);
  const { borrowedSessionId, status } = of === 'task' ? await readTask(client, id) : {};
  if (status !== undefined && status !== 'Executing') throw new CliError(exitCodes.refused, 'That has ended already.');
  const path = borrowedSessionId === undefined ? `copilot/${of}/${part(id)}/stop` : `copilot/session/${part(borrowedSessionId)}/stop`;
  await client.do(path, closed, '');
  if (output.isJson) output.json({ [`${of}Id`]: id, result: 'Closed' });
  else output.out(`The ${of} ${id} was stopped.`);
  return exitCodes.done;
}

export async function continueRun(
  client: PortalClient,
  output: Output,
  given: string,
  { from, edit, loopCap, detach }: ContinueOptions,
  onStarted: OnStarted,
): Promise<ExitCode> {
  const run = await findRun(client, given);
  if (run.of === 'task')
    throw new CliError(exitCodes.refused, 'A task that ran alone cannot go on. Start it again with “tapline run TASK”.');
  const before = await readJob(client, run.id);
  const log = new RunLog();
  log.take(before);
  const cap = loopCap === undefined ? {} : { loopCap };
  const how = from === undefined ? cap : { from: findStep(before, from).step, ...editOf(before, from, edit), ...cap };
  await client.do(`copilot/job/${part(run.id)}/${from === undefined ? 'continue' : 'retry'}`, jobStarted, how);
  onStarted(`the job ${run.id} goes on`);
  if (!detach) return followRun(client, output, run, log);
  if (output.isJson) output.json({ jobId: run.id, status: 'Executing' });
  else output.out(run.id);
  return exitCodes.done;
}

function editOf(job: JobRun, from: string, { step = from, userInput, promptFile }: NonNullable<ContinueOptions['edit']> = {}) {
  if (userInput === undefined && promptFile === undefined) return {};
  const prompt = promptFile === undefined ? {} : { prompt: textOf(promptFile) };
  return { edit: { step: findStep(job, step).step, ...(userInput !== undefined && { userInput }), ...prompt } };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(exitCodes.usage, `The prompt cannot be read: ${messageOf(error)}`);
  }
}
