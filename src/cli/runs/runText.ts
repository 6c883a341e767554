/** Lines about runs for a terminal. */
import { durationText, roughDuration } from '../../views/text/time/duration.ts';
import { stalledText } from '../../views/portal/jobSteps.ts';
import type { Usage } from '../../views/portal/answers/runAnswers.ts';
import { usedText } from '../../views/portal/usedText.ts';
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

function taskLines({ taskId, taskName, status, decisions, used, stalledSince, ...time }: TaskRun, now: number): string[] {
  const last = decisions.slice(-1).map(({ reason }) => `  ${reason}`);
  return [
    `${taskName}: ${status}`,
    `  Task: ${taskId}`,
    ...times(time, now),
    ...usedLine('  ', used),
    ...stalledLine('  ', stalledSince, now),
    ...last,
  ];
}

function jobLine({ jobName, status, reason, pausing, queuedFor }: JobRun): string {
  const words = queuedFor === undefined ? status : 'Queued';
  const pause = pausing && status === 'Executing' ? [`to be paused by ${pausing.by}`] : [];
  return [`${jobName}: ${words}`, ...pause, ...[reason, queuedFor].filter((why) => why !== undefined)].join(', ');
}

function jobLines(job: JobRun, now: number): string[] {
  const { jobId, queuedFor, workingDirectory, userInput, used, steps, ...time } = job;
  return [
    jobLine(job),
    ...[`  Run: ${jobId}`, `  Folder: ${workingDirectory}`],
    ...(userInput === '' ? [] : [`  Input: ${userInput}`]),
    ...(queuedFor === undefined ? times(time, now) : []),
    ...usedLine('  ', used),
    ...(steps.length === 0 ? ['  No step has started.'] : ['  Steps:', ...steps.flatMap((step) => stepLines(step, now))]),
  ];
}

function stepLines({ step, taskName, status, redone, crashError, skipped, task, ...time }: StepRun, now: number): string[] {
  const why = crashError ?? (status === 'Succeeded' ? undefined : task?.decisions.at(-1)?.reason);
  return [
    `    ${step}  ${taskName}: ${status}${redone ? ', done again' : ''}${skipped ? `, skipped by ${skipped.by}` : ''}, ${timeOf(time.startedAt)}, ${elapsed(time, now)}`,
    ...usedLine('         ', task?.used),
    ...stalledLine('         ', task?.stalledSince, now),
    ...(why === undefined ? [] : [`         ${why}`]),
  ];
}

function usedLine(indent: string, used: Usage | undefined): string[] {
  const text = usedText(used);
  return text === undefined ? [] : [`${indent}Used: ${text}`];
}

function stalledLine(indent: string, since: number | undefined, now: number): string[] {
  return since === undefined ? [] : [`${indent}Stalled: ${stalledText(since, now)}`];
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
