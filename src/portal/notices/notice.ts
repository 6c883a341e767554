/**
 * What a portal tells outside of its pages. It has names of the entry and numbers, and no text of a model, a tool, a host or a user, because it may
 * go to another computer and such a text may have a secret in it.
 */
import type { AttentionItem, AttentionKind } from '../../views/attention/attentionItems.ts';
import { durationText } from '../../views/text/time/duration.ts';
import type { SessionUse } from '../portalRuns.ts';
import type { JobState } from '../runs/jobState.ts';
import type { StalledStep } from '../runs/runSummary.ts';
import type { TaskState } from '../runs/taskState.ts';

/** `needs-you`: something waits for a person. `failed`: a run failed, or was interrupted. `done`: a run succeeded. A run that was stopped is none. */
export const noticeKinds = ['needs-you', 'failed', 'done'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export interface Notice {
  on: NoticeKind;
  /** One sentence. Chat programs that take web hooks show it. */
  text: string;
  /** ISO 8601. */
  at: string;
  /** The name of the job and the id of its run. */
  job?: string;
  jobId?: string;
  /** The task in which something waits, or that ran alone. */
  task?: string;
  taskId?: string;
  /** The tasks with which a run failed. */
  failedTasks?: string[];
  /** Seconds that the run took, or since when what waits longest has waited. */
  seconds: number;
  /** How often a task of the run began again, because its session had crashed or its criteria were not met. */
  retries?: number;
  /** Which things wait in this session. */
  waiting?: AttentionKind[];
}

const RETRY = /^(?:\[OPERATION\] Retry |\[SESSION CRASHED\] Try (\d+) of (\d+))/;

const WAITING_WORDS: Record<AttentionKind, string> = {
  call: 'a tool call waits for approval',
  result: 'a result waits to be shared',
  question: 'a question waits for an answer',
  unknown: 'a session needs you',
  failed: 'a turn has failed',
  signIn: 'an agent host asks for a sign-in',
};

/** `items`: of one session, at least one. `use`: absent where no task uses the session. */
export function needsYou(items: readonly AttentionItem[], use: SessionUse | undefined, now: number): Notice {
  const { taskName, jobName, jobId } = use ?? {};
  const waiting = items.map(({ kind }) => kind);
  const [first = 'unknown'] = waiting;
  const where = [...(jobName === undefined ? [] : [`job “${jobName}”`]), ...(taskName === undefined ? [] : [`task “${taskName}”`])].join(
    ', ',
  );
  const more = items.length > 1 ? `, and ${items.length - 1} more` : '';
  return {
    on: 'needs-you',
    text: `${where === '' ? 'A session' : `The ${where}`}: ${WAITING_WORDS[first]}${more}.`,
    at: new Date(now).toISOString(),
    ...(jobName !== undefined && { job: jobName }),
    ...(jobId !== undefined && { jobId }),
    ...(taskName !== undefined && { task: taskName }),
    seconds: secondsBetween(Math.min(...items.map(({ since }) => since)), now),
    waiting,
  };
}

/** Nothing has happened in a step for so long that somebody should look at it. */
export function stalledStep({ jobId, definition }: JobState, { taskName, since }: StalledStep, now: number): Notice {
  return stalledNotice({ job: definition.jobName, jobId, task: taskName }, since, now);
}

/** The same of a task that runs alone. */
export function stalledTask({ taskId, taskName, stalledSince = 0 }: TaskState, now: number): Notice {
  return stalledNotice({ task: taskName, taskId }, stalledSince, now);
}

function stalledNotice(where: Pick<Notice, 'job' | 'jobId' | 'task' | 'taskId'>, since: number, now: number): Notice {
  const { job, task } = where;
  return {
    on: 'needs-you',
    text: `The ${job === undefined ? '' : `job “${job}”, `}task “${task}”: nothing has happened for ${durationText(now - since)}.`,
    at: new Date(now).toISOString(),
    ...where,
    seconds: secondsBetween(since, now),
  };
}

/** Undefined for one that runs, or that somebody has stopped. */
export function jobEnd(state: JobState): Notice | undefined {
  const { jobId, definition, status, steps, failedSteps, startedAt, endedAt = startedAt } = state;
  const isUsedUp = status === 'Stopped' && state.reason !== undefined;
  const on = isUsedUp ? 'failed' : kindOf(status);
  if (!on) return undefined;
  const counting = steps.filter(({ redone }) => !redone);
  const failedTasks = [...new Set(counting.filter(({ step }) => failedSteps.includes(step)).map(({ taskName }) => taskName))];
  const retries = retriesOf(steps.flatMap(({ task }) => task ?? []));
  return {
    on,
    text: isUsedUp
      ? `The job “${definition.jobName}” was stopped after ${durationText(endedAt - startedAt)}, because its budget is used up.`
      : sentence(`The job “${definition.jobName}”`, status, endedAt - startedAt, retries, failedTasks),
    at: new Date(endedAt).toISOString(),
    ...{ job: definition.jobName, jobId },
    ...(failedTasks.length > 0 && { failedTasks }),
    ...{ seconds: secondsBetween(startedAt, endedAt), retries },
  };
}

/** Of a task that ran alone. Undefined for one that runs, or that somebody has stopped. */
export function taskEnd(state: TaskState): Notice | undefined {
  const { taskId, taskName, status, startedAt, endedAt = startedAt } = state;
  const on = kindOf(status);
  if (!on) return undefined;
  const retries = retriesOf([state]);
  return {
    on,
    text: sentence(`The task “${taskName}”`, status, endedAt - startedAt, retries, []),
    at: new Date(endedAt).toISOString(),
    ...{ task: taskName, taskId, seconds: secondsBetween(startedAt, endedAt), retries },
  };
}

function kindOf(status: JobState['status']): NoticeKind | undefined {
  if (status === 'Succeeded') return 'done';
  return status === 'Failed' || status === 'Interrupted' ? 'failed' : undefined;
}

/** Each is a decision of its task. The last try of all has none after it. */
function retriesOf(tasks: readonly TaskState[]): number {
  const tries = tasks.flatMap(({ decisions }) => decisions.map(({ reason }) => RETRY.exec(reason)?.slice(1)));
  return tries.filter((counts) => counts && (counts[0] === undefined || Number(counts[0]) < Number(counts[1]))).length;
}

function sentence(what: string, status: JobState['status'], ms: number, retries: number, failedTasks: readonly string[]): string {
  const verb = status === 'Succeeded' ? 'has succeeded' : status === 'Failed' ? 'has failed' : 'was interrupted';
  const where = failedTasks.length > 0 ? ` in ${failedTasks.map((name) => `“${name}”`).join(', ')}` : '';
  const again = retries === 0 ? '' : retries === 1 ? ', with 1 retry' : `, with ${retries} retries`;
  return `${what} ${verb}${where} after ${durationText(ms)}${again}.`;
}

function secondsBetween(begin: number, end: number): number {
  return Math.max(0, Math.round((end - begin) / 1000));
}
