import type { JobDefinition } from './jobDefinition.ts';
import { isTaskEvent, type RunEvent, type RunStatus, type StepKey } from './runEvents.ts';
import { ended, reduceTask, type TaskState } from './taskState.ts';

export interface StepState {
  step: StepKey;
  workId: number;
  taskId: string;
  taskName: string;
  status: RunStatus;
  startedAt: number;
  endedAt?: number;
  crashError?: string;
  /** The job was continued from here, so this step does not count any more. */
  redone?: true;
  task?: TaskState;
}

/** An end that was not the last one, or how the job went on after it. */
export interface JobTurn {
  at: number;
  what: 'Failed' | 'Stopped' | 'Interrupted' | 'Continued' | 'TakenOver';
  reason?: string;
  /** The task of the first step that was done again although it had succeeded. */
  from?: string;
}

export interface JobState {
  jobId: string;
  definition: JobDefinition;
  userInput: string;
  workingDirectory: string;
  status: RunStatus;
  /** 1, and one more each time that the job was continued or taken over. */
  attempt: number;
  startedAt: number;
  endedAt?: number;
  /** Why it failed. */
  reason?: string;
  /** It failed because a loop went round more often. */
  loopCap?: number;
  failedSteps: StepKey[];
  /** Oldest first. Absent: it has run in one go. */
  history?: JobTurn[];
  /** In the order in which they started. A step that ran again is there again. */
  steps: StepState[];
}

/** The state after the event. All before `jobStarted`, and what comes after the end, changes nothing. */
export function reduceJob(state: JobState | undefined, event: RunEvent): JobState | undefined {
  if (event.type === 'jobStarted') {
    const { at, jobId, definition, userInput, workingDirectory } = event;
    return { jobId, definition, userInput, workingDirectory, status: 'Executing', attempt: 1, startedAt: at, failedSteps: [], steps: [] };
  }
  if (!state) return undefined;
  if (event.type === 'jobContinued')
    return state.status === 'Executing' ? state : continued(state, event.redo, { at: event.at, what: 'Continued' });
  if (state.status !== 'Executing') return state;
  if (isTaskEvent(event)) {
    return withStep(state, event.taskId, (step) => {
      const task = reduceTask(step.task, event);
      return task ? { ...step, task } : step;
    });
  }
  switch (event.type) {
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
    case 'jobStopped':
      return endedJob(state, 'Stopped', event.at);
    case 'jobInterrupted':
      return endedJob(state, 'Interrupted', event.at);
    case 'jobTakenOver':
      return continued(endedJob(state, 'Interrupted', event.at), [], { at: event.at, what: 'TakenOver' });
  }
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

export type ContinueError = 'JobNotFound' | 'JobCannotContinue' | 'StepNotFound';

/**
 * What runs again when a job that has ended goes on: the steps whose failure failed it and, with `from`, that step and all that began after it
 * had ended. A job that has succeeded goes on only from a step.
 */
export function continuation(state: JobState | undefined, from?: StepKey): { redo: StepKey[] } | { error: ContinueError } {
  if (!state) return { error: 'JobNotFound' };
  const { status, steps, failedSteps } = state;
  if (status === 'Executing' || (status === 'Succeeded' && from === undefined)) return { error: 'JobCannotContinue' };
  if (from === undefined) return { redo: failedSteps };
  const at = steps.findLastIndex(({ step, redone }) => step === from && !redone);
  const first = steps[at];
  if (!first) return { error: 'StepNotFound' };
  const { endedAt = Infinity } = first;
  const later = steps.filter(({ redone, startedAt }, index) => !redone && index > at && startedAt >= endedAt);
  return { redo: [...new Set([...failedSteps, from, ...later.map(({ step }) => step)])] };
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

/** Ids of the steps that run. */
export function runningWorkIds(state: JobState): number[] {
  return state.steps.filter(({ status }) => status === 'Executing').map(({ workId }) => workId);
}

function hasAnswer({ status, crashError, redone }: StepState): boolean {
  return !redone && crashError === undefined && (status === 'Succeeded' || status === 'Failed');
}

function continued(state: JobState, redo: readonly StepKey[], turn: JobTurn): JobState {
  const { endedAt, reason, status, history = [], loopCap: _cap, ...rest } = state;
  // A job that is taken over has ended only here.
  const isEnd = turn.what === 'Continued' && endedAt !== undefined && status !== 'Executing' && status !== 'Succeeded';
  const from = state.steps.find((step) => redo.includes(step.step) && !step.redone && step.status === 'Succeeded')?.taskName;
  const end: JobTurn[] = isEnd ? [{ at: endedAt, what: status, ...(reason !== undefined && { reason }) }] : [];
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
  const rest: RunStatus = status === 'Interrupted' ? 'Interrupted' : 'Stopped';
  return { ...state, status, endedAt: at, steps: state.steps.map((step) => endedStep(step, rest, at)) };
}

function endedStep(step: StepState, status: RunStatus, at: number): StepState {
  const task = step.task?.status === 'Executing' ? { task: ended(step.task, status, at) } : {};
  return step.status === 'Executing' ? { ...step, ...task, status, endedAt: at } : { ...step, ...task };
}

function withStep(state: JobState, taskId: string, change: (step: StepState) => StepState): JobState {
  const at = state.steps.findLastIndex((step) => step.taskId === taskId);
  const step = state.steps[at];
  return step ? { ...state, steps: state.steps.with(at, change(step)) } : state;
}
