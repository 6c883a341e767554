/** Follows a run to its end. */
import { liveResponses } from '../../views/portal/answers/liveAnswers.ts';
import { readerToken } from '../../views/portal/answers/sessionSchemas.ts';
import { Reminder } from '../answer.ts';
import { type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import { part, type PortalClient } from '../portalClient.ts';
import { onOneLine } from '../visible.ts';
import { readJob, readTask, type Run, runEnd } from './runData.ts';
import { RunLog } from './runLog.ts';
import { tellLine } from './runText.ts';

/** Tells what it decides, in the order in which it happened, and what waits for a person meanwhile. With JSON, the live responses. `log`: has what was told already. */
export async function followRun(client: PortalClient, output: Output, { of, id }: Run, log = new RunLog()): Promise<ExitCode> {
  const reader = (await client.call('token', readerToken)).token;
  const reminder = new Reminder(client, output);
  const tasks: Promise<unknown>[] = [];
  let telling = Promise.resolve();
  /** What it waits for, as it was told. */
  let queuedFor: string | undefined;
  /** The next reading, while it has not begun: it is for all that ask meanwhile. */
  let next: Promise<void> | undefined;
  await read(of, id);
  await Promise.all(tasks);
  await tellNew();
  const end = await client.call(`copilot/${of}/${part(id)}/status`, runEnd);
  if (output.isJson) output.json({ [`${of}Id`]: id, ...end });
  else output.out(`The ${of} ${id}: ${onOneLine(end.status)}${end.reason === undefined ? '' : `. ${onOneLine(end.reason)}`}`);
  return end.status === 'Succeeded' ? exitCodes.done : exitCodes.failed;

  async function read(kind: 'task' | 'job', what: string, workId?: number): Promise<void> {
    for (;;) {
      const { responses } = await client.ask(`copilot/${kind}/${part(what)}/live/${part(reader)}`, liveResponses);
      for (const one of responses) {
        const { error, taskId, callback } = one;
        if (error === 'HttpRequestTimeout') await reminder.look();
        else if (error !== undefined && error !== 'EventsDropped') return;
        else {
          if (output.isJson) output.json({ [`${kind}Id`]: what, ...(workId !== undefined && { workId }), ...one });
          const failure = one.taskError ?? one.jobError;
          if (!output.isJson && failure !== undefined) output.out(`Error: ${onOneLine(failure)}`);
          if (callback === 'workStarted' && taskId !== undefined) tasks.push(followed(read('task', taskId, one.workId)));
        }
      }
      await tellNew();
    }
  }

  /** Its error is that of the command once the rest has ended too. */
  function followed(reading: Promise<void>): Promise<void> {
    reading.catch(() => undefined);
    return reading;
  }

  /** One after the other, so that no state is older than the one before. */
  function tellNew(): Promise<void> {
    if (output.isJson) return Promise.resolve();
    if (next) return next;
    next = telling.then(async () => {
      next = undefined;
      const state = await (of === 'job' ? readJob(client, id) : readTask(client, id));
      const waitsFor = 'steps' in state ? state.queuedFor : undefined;
      if (waitsFor !== undefined && waitsFor !== queuedFor) output.out(`Queued: ${onOneLine(waitsFor)}`);
      queuedFor = waitsFor;
      for (const line of log.take(state)) tellLine(output, line);
    });
    telling = next.catch(() => undefined);
    return next;
  }
}
