/** Lines about runs for a terminal. */
import { durationText, roughDuration } from '../../views/text/duration.ts';
import type { Output } from '../output.ts';
import { onOneLine } from '../visible.ts';
import type { JobRun, StepRun, TaskRun } from './runData.ts';
import type { LogLine } from './runLog.ts';

export function tellLine(output: Output, { at, step, taskName, text }: LogLine): void {
  if (output.isJson) output.json({ at, ...step, taskName, text });
  else output.out(`${timeOf(at)}  ${onOneLine(taskName)}${step ? ` (${step.step})` : ''}: ${onOneLine(text)}`);
}

/** All that there is to see of a run at once. */
export function runText(run: JobRun | TaskRun, now: number): string {
  return ('steps' in run ? jobLines(run, now) : taskLines(run, now)).map(onOneLine).join('\n');
}

function taskLines({ taskId, taskName, status, decisions, ...time }: TaskRun, now: number): string[] {
  const last = decisions.slice(-1).map(({ reason }) => `  ${reason}`);
  return [`${taskName}: ${status}`, `  Task: ${taskId}`, ...times(time, now), ...last];
}

function jobLines({ jobId, jobName, status, reason, pausing, workingDirectory, userInput, steps, ...time }: JobRun, now: number): string[] {
  return [
    `${jobName}: ${status}${pausing && status === 'Executing' ? `, to be paused by ${pausing.by}` : ''}${reason === undefined ? '' : `, ${reason}`}`,
    ...[`  Run: ${jobId}`, `  Folder: ${workingDirectory}`],
    ...(userInput === '' ? [] : [`  Input: ${userInput}`]),
    ...times(time, now),
    ...(steps.length === 0 ? ['  No step has started.'] : ['  Steps:', ...steps.flatMap((step) => stepLines(step, now))]),
  ];
}

function stepLines({ step, taskName, status, redone, crashError, skipped, task, ...time }: StepRun, now: number): string[] {
  const why = crashError ?? (status === 'Succeeded' ? undefined : task?.decisions.at(-1)?.reason);
  return [
    `    ${step}  ${taskName}: ${status}${redone ? ', done again' : ''}${skipped ? `, skipped by ${skipped.by}` : ''}, ${timeOf(time.startedAt)}, ${elapsed(time, now)}`,
    ...(why === undefined ? [] : [`         ${why}`]),
  ];
}

interface Timed {
  startedAt: number;
  endedAt?: number | undefined;
}

function times(run: Timed, now: number): string[] {
  return [`  Began: ${new Date(run.startedAt).toLocaleDateString('sv-SE')} ${timeOf(run.startedAt)}`, `  Time: ${elapsed(run, now)}`];
}

function elapsed({ startedAt, endedAt }: Timed, now: number): string {
  return endedAt === undefined ? `${roughDuration(now - startedAt)} so far` : durationText(Math.max(0, endedAt - startedAt));
}

/** Of the day, at this computer. */
function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString('sv-SE');
}
