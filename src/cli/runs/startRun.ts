/** `tapline run` and `tapline job`: start work and wait for its end. */
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { jobStarted, listedJob } from '../../views/portal/answers/jobAnswers.ts';
import { listedTask, model, sessionStarted, taskStarted } from '../../views/portal/answers/sessionSchemas.ts';
import { CliError, type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import { part, type PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';
import { followRun } from './followRun.ts';

export interface RunOptions {
  name: string;
  folder: string;
  input?: string;
  /** Absent: the first of the portal's. */
  model?: string;
  /** The session of a task is not stopped at its end. */
  keep: boolean;
  /** It is started, and not waited for. */
  detach: boolean;
  /** In ms since the epoch. A job begins then, or later. */
  notBefore?: number;
}
/** Called once something runs, with what it is, for the message at Ctrl+C. */
export type OnStarted = (what: string) => void;

export async function runTask(client: PortalClient, output: Output, options: RunOptions, onStarted: OnStarted): Promise<ExitCode> {
  const { name, folder, input = '', model: wanted, keep, detach, notBefore } = options;
  // Its session would have to live until then, and a restart of the portal ends it.
  if (notBefore !== undefined)
    throw new CliError(exitCodes.usage, 'A task begins at once: --not-before is for “tapline job”. Nothing was started.');
  const { tasks } = await client.call('copilot/task', z.object({ tasks: z.array(listedTask) }));
  const task = tasks.find((one) => one.name === name);
  needsInput(task, 'task', options);
  // The session that is started here would be at the portal's own host.
  if (task?.host !== undefined)
    throw new CliError(
      exitCodes.refused,
      `The task runs at the agent host ${onOneLine(task.host)}: start a job that runs it. Nothing was started.`,
    );
  const { models } = await client.call('copilot/models', z.object({ models: z.array(z.pick(model, { id: true })) }));
  const modelId = wanted ?? models[0]?.id;
  if (modelId === undefined) throw new CliError(exitCodes.refused, 'The portal has no model.');
  const { sessionId } = await client.do(`copilot/session/start/${part(modelId)}`, sessionStarted, resolve(folder));
  const session = `copilot/session/${part(sessionId)}`;
  onStarted(`the session ${sessionId} stays, and the task may go on in it`);
  let taskId: string;
  try {
    ({ taskId } = await client.do(`copilot/task/start/${part(name)}/session/${part(sessionId)}`, taskStarted, input));
  } catch (error) {
    await client.do(`${session}/stop`, z.unknown(), '').catch(() => undefined);
    throw error;
  }
  onStarted(`the task ${taskId} goes on in the session ${sessionId}`);
  if (detach) return detached(output, { taskId, sessionId });
  const code = await followRun(client, output, { of: 'task', id: taskId });
  if (!keep) await client.do(`${session}/stop`, z.unknown(), '');
  return code;
}

export async function runJob(client: PortalClient, output: Output, options: RunOptions, onStarted: OnStarted): Promise<ExitCode> {
  const { name, folder, input = '', detach, notBefore } = options;
  const jobs = z.object({ jobs: z.record(z.string(), z.pick(listedJob, { requireUserInput: true })) });
  const { jobs: known } = await client.call('copilot/job', jobs);
  const { requireUserInput = false } = (Object.hasOwn(known, name) ? known[name] : undefined) ?? {};
  needsInput(Object.hasOwn(known, name) ? { requireUserInput } : undefined, 'job', options);
  onStarted('whether the job has started is not known, “tapline ps” says it');
  const headers: Record<string, string> = notBefore === undefined ? {} : { 'Not-Before': new Date(notBefore).toISOString() };
  const started = await client.do(`copilot/job/start/${part(name)}`, jobStarted, `${resolve(folder)}\n${input}`, headers);
  const { jobId, warnings = [] } = started;
  for (const warning of warnings) output.note(onOneLine(warning));
  onStarted(`the job ${jobId} goes on`);
  return detach ? detached(output, { jobId }) : followRun(client, output, { of: 'job', id: jobId });
}

function needsInput(known: { requireUserInput: boolean } | undefined, what: string, { name, input }: RunOptions): void {
  if (!known) throw new CliError(exitCodes.refused, `The portal has no ${what} “${name}”.`);
  if (known.requireUserInput && (input ?? '').trim() === '')
    throw new CliError(exitCodes.usage, `The ${what} “${name}” needs --input TEXT, which may not be empty.`);
}

function detached(output: Output, ids: Readonly<Record<string, string>>): ExitCode {
  if (output.isJson) output.json({ ...ids, status: 'Executing' });
  else for (const id of Object.values(ids)) output.out(id);
  return exitCodes.done;
}
