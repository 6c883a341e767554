/** `tapline run` and `tapline job`: start work and wait for its end. */
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { Reminder } from './answer.ts';
import { CliError, type ExitCode, exitCodes } from './cliError.ts';
import type { Output } from './output.ts';
import { part, type PortalClient } from './portalClient.ts';
import { onOneLine } from './visible.ts';

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
}
/** Called once something runs, with what it is, for the message at Ctrl+C. */
export type OnStarted = (what: string) => void;

const token = z.object({ token: z.string() });
const status = z.object({ status: z.string(), reason: z.optional(z.string()) });
const event = z.looseObject({
  callback: z.optional(z.string()),
  error: z.optional(z.string()),
  reason: z.optional(z.string()),
  workId: z.optional(z.number()),
  taskId: z.optional(z.string()),
  succeeded: z.optional(z.boolean()),
  taskError: z.optional(z.string()),
  jobError: z.optional(z.string()),
});
const events = z.object({ responses: z.array(event) });

export async function runTask(client: PortalClient, output: Output, options: RunOptions, onStarted: OnStarted): Promise<ExitCode> {
  const { name, folder, input = '', model, keep, detach } = options;
  const { tasks } = await client.call(
    'copilot/task',
    z.object({ tasks: z.array(z.object({ name: z.string(), requireUserInput: z.boolean(), host: z.optional(z.string()) })) }),
  );
  const task = tasks.find((one) => one.name === name);
  needsInput(task, 'task', options);
  // The session that is started here would be at the portal's own host.
  if (task?.host !== undefined)
    throw new CliError(
      exitCodes.refused,
      `The task runs at the agent host ${onOneLine(task.host)}: start a job that runs it. Nothing was started.`,
    );
  const { models } = await client.call('copilot/models', z.object({ models: z.array(z.object({ id: z.string() })) }));
  const modelId = model ?? models[0]?.id;
  if (modelId === undefined) throw new CliError(exitCodes.refused, 'The portal has no model.');
  const started = z.object({ sessionId: z.string() });
  const { sessionId } = await client.call(`copilot/session/start/${part(modelId)}`, started, resolve(folder));
  const session = `copilot/session/${part(sessionId)}`;
  onStarted(`the session ${sessionId} stays, and the task may go on in it`);
  let taskId: string;
  try {
    ({ taskId } = await client.call(
      `copilot/task/start/${part(name)}/session/${part(sessionId)}`,
      z.object({ taskId: z.string() }),
      input,
    ));
  } catch (error) {
    await client.call(`${session}/stop`, z.unknown(), '').catch(() => undefined);
    throw error;
  }
  onStarted(`the task ${taskId} goes on in the session ${sessionId}`);
  if (detach) return detached(output, { taskId, sessionId });
  const code = await follow(client, output, 'task', taskId);
  if (!keep) await client.call(`${session}/stop`, z.unknown(), '');
  return code;
}

export async function runJob(client: PortalClient, output: Output, options: RunOptions, onStarted: OnStarted): Promise<ExitCode> {
  const { name, folder, input = '', detach } = options;
  const jobs = z.object({ jobs: z.record(z.string(), z.object({ requireUserInput: z.optional(z.boolean()) })) });
  const { jobs: known } = await client.call('copilot/job', jobs);
  const { requireUserInput = false } = (Object.hasOwn(known, name) ? known[name] : undefined) ?? {};
  needsInput(Object.hasOwn(known, name) ? { requireUserInput } : undefined, 'job', options);
  onStarted('whether the job has started is not known, “tapline ps” says it');
  const { jobId } = await client.call(`copilot/job/start/${part(name)}`, z.object({ jobId: z.string() }), `${resolve(folder)}\n${input}`);
  onStarted(`the job ${jobId} goes on`);
  return detach ? detached(output, { jobId }) : follow(client, output, 'job', jobId);
}

function needsInput(known: { requireUserInput: boolean } | undefined, what: string, { name, input }: RunOptions): void {
  if (!known) throw new CliError(exitCodes.refused, `The portal has no ${what} “${name}”.`);
  if (known.requireUserInput && input === undefined) throw new CliError(exitCodes.usage, `The ${what} “${name}” needs --input TEXT.`);
}

function detached(output: Output, ids: Readonly<Record<string, string>>): ExitCode {
  if (output.isJson) output.json({ ...ids, status: 'Executing' });
  else for (const id of Object.values(ids)) output.out(id);
  return exitCodes.done;
}

/** Until its end. Tells what it decides, and what waits for a person meanwhile. */
async function follow(client: PortalClient, output: Output, of: 'task' | 'job', id: string): Promise<ExitCode> {
  const reader = (await client.call('token', token)).token;
  const reminder = new Reminder(client, output);
  const tasks: Promise<unknown>[] = [];
  await read(of, id);
  await Promise.all(tasks);
  const end = await client.call(`copilot/${of}/${part(id)}/status`, status);
  if (output.isJson) output.json({ [`${of}Id`]: id, ...end });
  else output.out(`The ${of} ${id}: ${onOneLine(end.status)}${end.reason === undefined ? '' : `. ${onOneLine(end.reason)}`}`);
  return end.status === 'Succeeded' ? exitCodes.done : exitCodes.failed;

  async function read(kind: 'task' | 'job', what: string): Promise<void> {
    for (;;) {
      const { responses } = await client.call(`copilot/${kind}/${part(what)}/live/${part(reader)}`, events);
      for (const one of responses) {
        const { error, taskId, callback } = one;
        if (error === 'HttpRequestTimeout') await reminder.look();
        else if (error !== undefined && error !== 'EventsDropped') return;
        else {
          if (output.isJson) output.json({ [`${kind}Id`]: what, ...one });
          else tell(one);
          if (callback === 'workStarted' && taskId !== undefined) tasks.push(followed(read('task', taskId)));
        }
      }
    }
  }

  /** Its error is that of the command once the rest has ended too. */
  function followed(reading: Promise<void>): Promise<void> {
    reading.catch(() => undefined);
    return reading;
  }

  function tell({ callback, reason = '', workId, succeeded, taskError, jobError }: z.output<typeof event>): void {
    if (callback === 'taskDecision') output.out(onOneLine(reason));
    else if (callback === 'workStarted') output.out(`Step ${workId} has started.`);
    else if (callback === 'workStopped') output.out(`Step ${workId} has ${succeeded ? 'succeeded' : 'failed'}.`);
    const error = taskError ?? jobError;
    if (error !== undefined) output.out(`Error: ${onOneLine(error)}`);
  }
}
