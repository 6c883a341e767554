/** What tells one run of a job from another: its row in a list. */
import { withoutAsking } from '../entry/approve.ts';
import { isSame, noUsage, type Usage } from '../limits/usage.ts';
import { type JobState, runningWorkIds, type StepState, usedBy } from './jobState.ts';
import type { RunStatus, StepKey } from './runEvents.ts';

const MAX_INPUT = 200;

export interface FailedStep {
  step: StepKey;
  workId: number;
  taskName: string;
  /** Why it failed. */
  reason?: string;
}

/** A step that runs, and in which nothing happens. */
export interface StalledStep {
  step: StepKey;
  workId: number;
  taskName: string;
  since: number;
}

type OfState = Pick<
  JobState,
  'jobId' | 'status' | 'attempt' | 'startedAt' | 'queue' | 'endedAt' | 'reason' | 'loopCap' | 'pausing' | 'stoppedBy' | 'workingDirectory'
>;

export interface RunSummary extends OfState {
  jobName: string;
  /** Of a run that is queued: what it waits for, in words. */
  queuedFor?: string;
  /** The beginning of what the user wrote. */
  input?: string;
  runningWorkIds: number[];
  /** Calls and questions that wait for somebody. */
  waiting: number;
  /** How many answers have refused something, in steps that count. */
  denied?: number;
  /** The last step that made it fail, or where somebody has stopped it. */
  failedStep?: FailedStep;
  /** The step in which nothing has happened for longest. */
  stalled?: StalledStep;
  /** In all its steps, also in those that were done again. Absent: nothing, or an older version has run it. */
  used?: Usage;
  withoutAsking?: Record<string, string>;
}

/** `waiting`: how many calls and questions of a session wait. `host`: where it is not that of the portal. */
export function runSummary(job: JobState, waiting: (sessionId: string, host?: string) => number): RunSummary {
  const { jobId, definition, status, attempt, startedAt, queue, endedAt, reason, loopCap, pausing, stoppedBy, workingDirectory } = job;
  const input = cut(job.userInput.trim(), MAX_INPUT);
  const denied = job.steps.reduce((sum, { redone, task }) => sum + (redone ? 0 : (task?.denied ?? 0)), 0);
  const failedStep = failedStepOf(job);
  const unasked = withoutAsking(definition.tasks);
  const stalled = stalledStepOf(job);
  const used = usedBy(job);
  return {
    ...{ jobId, jobName: definition.jobName, status, attempt, startedAt },
    ...(queue && { queue }),
    ...(endedAt !== undefined && { endedAt }),
    ...(reason !== undefined && { reason }),
    ...(loopCap !== undefined && { loopCap }),
    ...(pausing && { pausing }),
    ...(stoppedBy !== undefined && { stoppedBy }),
    workingDirectory,
    ...(input !== '' && { input }),
    runningWorkIds: runningWorkIds(job),
    waiting: waitingIn(job, waiting),
    ...(denied > 0 && { denied }),
    ...(failedStep && { failedStep }),
    ...(stalled && { stalled }),
    ...(!isSame(used, noUsage) && { used }),
    ...(unasked && { withoutAsking: unasked }),
  };
}

export interface RunFilter {
  /** Looked for without regard to case. */
  text?: string;
  status?: readonly RunStatus[];
  /** Something waits for somebody. */
  waits?: true;
  /** Somebody has refused something. */
  denied?: true;
}

export function matches(run: RunSummary, { text, status, waits, denied }: RunFilter): boolean {
  if (status && !status.includes(run.status)) return false;
  if (waits && run.waiting === 0) return false;
  if (denied && run.denied === undefined) return false;
  if (text === undefined) return true;
  const { jobName, workingDirectory, input, jobId, failedStep, reason } = run;
  const all = [jobName, workingDirectory, input, jobId, failedStep?.taskName, failedStep?.reason, reason].join('\n').toLowerCase();
  return all.includes(text.toLowerCase());
}

/** Why the step failed, in words. A store of an older version has no reason, but the decisions. */
export function reasonOf({ crashError, task }: StepState): string | undefined {
  const last = task?.decisions.findLast(({ reason }) => /^\[(?:AVAILABILITY|CRITERIA|SESSION CRASHED|MISC)\]/.test(reason));
  return crashError ?? task?.crashError ?? task?.reason ?? last?.reason.replace(/^\[[A-Z ]+\] /, '');
}

function failedStepOf({ status, reason: why, steps, failedSteps }: JobState): FailedStep | undefined {
  if (status === 'Executing' || status === 'Succeeded' || status === 'Paused') return undefined;
  // Its budget is that of all steps.
  if (status === 'Stopped' && why !== undefined) return undefined;
  const counting = steps.filter(({ redone, skipped }) => !redone && !skipped);
  const found =
    counting.findLast(({ step }) => failedSteps.includes(step)) ??
    counting.findLast(({ crashError }) => crashError !== undefined) ??
    counting.findLast((step) => step.status === status);
  if (!found || found.status === 'Succeeded') return undefined;
  const { step, workId, taskName } = found;
  const reason = reasonOf(found);
  return { step, workId, taskName, ...(reason !== undefined && { reason }) };
}

export function stalledStepOf({ status, steps }: Pick<JobState, 'status' | 'steps'>): StalledStep | undefined {
  if (status !== 'Executing') return undefined;
  const stalled = steps.flatMap(({ step, workId, taskName, task }) =>
    task?.stalledSince === undefined ? [] : [{ step, workId, taskName, since: task.stalledSince }],
  );
  return stalled.sort((a, b) => a.since - b.since)[0];
}

function waitingIn({ status, steps }: JobState, waiting: (sessionId: string, host?: string) => number): number {
  if (status !== 'Executing') return 0;
  const running = steps.flatMap(({ task }) => (task?.status === 'Executing' ? task : []));
  const sessions = running.flatMap(({ sessions: all, host }) => all.map(({ sessionId, status: is }) => ({ sessionId, host, is })));
  return sessions.reduce((sum, { sessionId, host, is }) => sum + (is === 'Running' ? waiting(sessionId, host) : 0), 0);
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
