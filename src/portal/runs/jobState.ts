import { isSame, noUsage, sum, type Usage } from '../limits/usage.ts';
import type { JobDefinition } from './jobDefinition.ts';
import { SOMEBODY } from './personAnswer.ts';
import type { ResultChange } from './resultChange.ts';
import { isTaskEvent, type JobEvent, type RunEvent, type RunStatus, type StepEdit, type StepKey } from './runEvents.ts';
import { ended, reduceTask, type TaskState } from './taskState.ts';
import { isWorktreeEvent, reduceWorktrees, type WorktreeState } from './worktreeState.ts';

export interface StepState {
  step: StepKey;
  workId: number;
  taskId: string;
  taskName: string;
  status: RunStatus;
  startedAt: number;
  endedAt?: number;
  crashError?: string;
  /** A person has said that it counts as done. `was`: how it stood then. */
  skipped?: { at: number; by: string; was: RunStatus };
  /** The job was continued from here, so this step does not count any more. */
  redone?: true;
  task?: TaskState;
}

/** An end that was not the last one, how the job went on after it, or what a person did to all of it. */
export interface JobTurn {
  at: number;
  what: 'Failed' | 'Stopped' | 'Interrupted' | 'Paused' | 'Continued' | 'TakenOver' | 'Pausing' | 'PauseWithdrawn';
  reason?: string;
  /** The task of the first step that was done again although it had succeeded. */
  from?: string;
  /** Who did it, in words. */
  by?: string;
  /** Steps that count as done from then on. */
  skipped?: StepKey[];
  /** What a step gets from then on. */
  edit?: StepEdit;
}

/** How a run waits, or has waited, for its time and for other runs. */
export interface QueuePlace {
  since: number;
  notBefore?: number;
  /** When it waited no more: it began, or was stopped or paused. */
  until?: number;
  /** Nobody was there at the time at which it was to begin. */
  isLate?: true;
}

export interface JobState {
  jobId: string;
  definition: JobDefinition;
  userInput: string;
  workingDirectory: string;
  status: RunStatus;
  /** 1, and one more each time that the job was continued or taken over. */
  attempt: number;
  /** Of a run that is queued: since when. */
  startedAt: number;
  /** Absent: it began at once. */
  queue?: QueuePlace;
  endedAt?: number;
  /** Why it failed, or was stopped by itself. */
  reason?: string;
  /** What it had used when it was last continued. Its budget begins there. */
  usedBefore?: Usage;
  /** It failed because a loop went round more often. */
  loopCap?: number;
  /** Nothing new is started: since when, and by whom. */
  pausing?: { at: number; by: string };
  /** Who stopped it. */
  stoppedBy?: string;
  /** The last one of each step counts. */
  edits?: StepEdit[];
  failedSteps: StepKey[];
  /** Oldest first. Absent: it has run in one go. */
  history?: JobTurn[];
  /** In the order in which they started. A step that ran again is there again. */
  steps: StepState[];
  /** In the order in which they were made. */
  worktrees?: WorktreeState[];
  /** What was done with what it has brought about. Oldest first. */
  resultChanges?: (ResultChange & { at: number })[];
}

/** The state after the event. All before `jobStarted` changes nothing, and of what comes after the end only what is done with the result. */
export function reduceJob(state: JobState | undefined, event: RunEvent): JobState | undefined {
  if (event.type === 'jobStarted') {
    const { at, jobId, definition, userInput, workingDirectory, queued } = event;
    return {
      ...{ jobId, definition, userInput, workingDirectory, status: 'Executing', attempt: 1, startedAt: at, failedSteps: [], steps: [] },
      ...(queued && { queue: { since: at, ...queued } }),
    };
  }
  if (!state) return undefined;
  if (event.type === 'resultChanged') {
    const { type: _type, ...change } = event;
    return { ...state, resultChanges: [...(state.resultChanges ?? []), change] };
  }
  if (event.type === 'jobContinued') return state.status === 'Executing' ? state : goneOn(state, event);
  if (state.status !== 'Executing') return state;
  if (isWorktreeEvent(event)) return { ...state, worktrees: reduceWorktrees(state.worktrees ?? [], event) };
  if (isTaskEvent(event)) {
    return withStep(state, event.taskId, (step) => {
      const task = reduceTask(step.task, event);
      return task ? { ...step, task } : step;
    });
  }
  switch (event.type) {
    case 'jobBegan': {
      if (!isQueued(state)) return state;
      const { at, isLate } = event;
      return { ...state, startedAt: at, queue: { ...state.queue, until: at, ...(isLate && { isLate }) } };
    }
    case 'workStarted': {
      const { at, step, workId, taskId, taskName } = event;
      return { ...state, steps: [...state.steps, { step, workId, taskId, taskName, status: 'Executing', startedAt: at }] };
    }
    case 'workStopped': {
      const { at, succeeded, crashError } = event;
      const crash = crashError === undefined ? {} : { crashError };
      return withStep(state, event.taskId, (step) => ({ ...step, status: succeeded ? 'Succeeded' : 'Failed', endedAt: at, ...crash }));
    }
    case 'jobSucceeded':
      return endedJob(state, 'Succeeded', event.at);
    case 'jobFailed':
      return {
        ...endedJob(state, 'Failed', event.at),
        ...{ reason: event.reason, failedSteps: event.failedSteps },
        ...(event.loopCap !== undefined && { loopCap: event.loopCap }),
      };
    case 'workSkipped':
      return withStep(state, event.taskId, (step) => skippedStep(step, event.by, event.at));
    case 'jobPausing':
      return state.pausing ? state : { ...withTurn(state, event, 'Pausing'), pausing: { at: event.at, by: event.by } };
    case 'jobPauseWithdrawn': {
      const { pausing: _no, ...rest } = withTurn(state, event, 'PauseWithdrawn');
      return rest;
    }
    case 'jobPaused':
      return endedJob(state, 'Paused', event.at);
    case 'jobUsedUp':
      return { ...state, reason: event.reason };
    case 'jobStopped':
      return { ...endedJob(state, 'Stopped', event.at), ...(event.by !== undefined && { stoppedBy: event.by }) };
    case 'jobInterrupted':
      return endedJob(state, 'Interrupted', event.at);
    case 'jobTakenOver':
      // A pause that was asked for is still to come.
      return continued(endedJob(state, 'Interrupted', event.at), [], { at: event.at, what: 'TakenOver' });
  }
}

/** It has not begun, and not ended. */
export function isQueued(state: JobState | undefined): state is JobState & { queue: QueuePlace } {
  return state?.status === 'Executing' && state.queue !== undefined && state.queue.until === undefined;
}

/** It is queued, or was stopped or paused in the queue. */
export function neverBegan({ queue, endedAt, steps }: JobState): boolean {
  return queue !== undefined && (queue.until ?? endedAt) === endedAt && steps.length === 0;
}

/** What steps have answered, for a job that goes on. A step that crashed or never ended has no answer. */
export function answers(state: JobState): Map<StepKey, boolean> {
  const counting = state.steps.filter((step) => hasAnswer(step));
  return new Map(counting.map((step) => [step.step, step.status === 'Succeeded']));
}

/** Names of the tasks that succeeded when they last ran. */
export function succeededTasks(state: JobState): Set<string> {
  const names = new Set<string>();
  for (const step of state.steps) {
    if (!hasAnswer(step)) continue;
    if (step.status === 'Succeeded') names.add(step.taskName);
    else names.delete(step.taskName);
  }
  return names;
}

/** The events that end what a process which is gone has left: a task that has ended gives its step the answer, and another one is interrupted. */
export function cutOff(state: JobState, at: number): RunEvent[] {
  return state.steps.flatMap(({ status, workId, step, taskId, task }): RunEvent[] => {
    if (status !== 'Executing' || !task) return [];
    if (task.status === 'Executing') return [{ at, type: 'taskInterrupted', taskId }];
    if (task.crashError !== undefined || task.status === 'Stopped') return [];
    return [{ at, type: 'workStopped', workId, step, taskId, succeeded: task.status === 'Succeeded' }];
  });
}

/** What it has used, with all that was done again. */
export function usedBy({ steps }: Pick<JobState, 'steps'>): Usage {
  return sum(steps.map(({ task }) => task?.used));
}

/** Ids of the steps that run. */
export function runningWorkIds(state: JobState): number[] {
  return state.steps.filter(({ status }) => status === 'Executing').map(({ workId }) => workId);
}

/** It does not run again when the job goes on, unless somebody wants it. */
export function hasAnswer({ status, crashError, redone, skipped }: StepState): boolean {
  if (!redone && skipped) return true;
  return !redone && crashError === undefined && (status === 'Succeeded' || status === 'Failed');
}

function goneOn(state: JobState, { at, redo, by, skipped, edit }: Extract<JobEvent, { type: 'jobContinued' }>): JobState {
  const { pausing: _over, ...rest } = state;
  const steps = state.steps.map((step) => (skipped?.includes(step.step) && !step.redone ? skippedStep(step, by ?? SOMEBODY, at) : step));
  const more = { ...(by !== undefined && { by }), ...(skipped && { skipped }), ...(edit && { edit }) };
  return {
    ...continued({ ...rest, steps }, redo, { at, what: 'Continued', ...more }),
    ...(state.queue && neverBegan(state) && { startedAt: at, queue: { ...state.queue, until: at } }),
    // A pause gives it no new budget.
    ...(state.status !== 'Paused' && usedBeforeOf(usedBy(state))),
    ...(edit && { edits: [...(state.edits ?? []), edit] }),
  };
}

function usedBeforeOf(used: Usage): Pick<JobState, 'usedBefore'> {
  return isSame(used, noUsage) ? {} : { usedBefore: used };
}

function continued(state: JobState, redo: readonly StepKey[], turn: JobTurn): JobState {
  const { endedAt, reason, status, history = [], loopCap: _cap, stoppedBy: by, ...rest } = state;
  // A job that is taken over has ended only here.
  const isEnd = turn.what === 'Continued' && endedAt !== undefined && status !== 'Executing' && status !== 'Succeeded';
  const from = state.steps.find((step) => redo.includes(step.step) && !step.redone && step.status === 'Succeeded')?.taskName;
  const end: JobTurn[] = isEnd
    ? [{ at: endedAt, what: status, ...(reason !== undefined && { reason }), ...(by !== undefined && { by }) }]
    : [];
  return {
    ...rest,
    status: 'Executing',
    attempt: state.attempt + 1,
    failedSteps: [],
    history: [...history, ...end, from === undefined ? turn : { ...turn, from }],
    steps: state.steps.map((step) => (redo.includes(step.step) || !hasAnswer(step) ? { ...step, redone: true } : step)),
  };
}

function endedJob(state: JobState, status: RunStatus, at: number): JobState {
  // After a success every step has ended. Otherwise what still ran was stopped, or the process that ran it has ended.
  const rest: RunStatus = status === 'Interrupted' || status === 'Paused' ? 'Interrupted' : 'Stopped';
  const queue = isQueued(state) ? { queue: { ...state.queue, until: at } } : {};
  return { ...state, ...queue, status, endedAt: at, steps: state.steps.map((step) => endedStep(step, rest, at)) };
}

function endedStep(step: StepState, status: RunStatus, at: number): StepState {
  const task = step.task?.status === 'Executing' ? { task: ended(step.task, status, at) } : {};
  return step.status === 'Executing' ? { ...step, ...task, status, endedAt: at } : { ...step, ...task };
}

/** It counts as done. What made it fail stays in the record. */
function skippedStep(step: StepState, by: string, at: number): StepState {
  const task = step.task?.status === 'Executing' ? { task: ended(step.task, 'Stopped', at) } : {};
  return { ...step, ...task, status: 'Succeeded', endedAt: step.endedAt ?? at, skipped: { at, by, was: step.status } };
}

function withTurn(state: JobState, { at, by }: { at: number; by: string }, what: JobTurn['what']): JobState {
  return { ...state, history: [...(state.history ?? []), { at, what, by }] };
}

function withStep(state: JobState, taskId: string, change: (step: StepState) => StepState): JobState {
  const at = state.steps.findLastIndex((step) => step.taskId === taskId);
  const step = state.steps[at];
  return step ? { ...state, steps: state.steps.with(at, change(step)) } : state;
}
