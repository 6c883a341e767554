/**
 * Everything that happens in a run, in order. The state of a run is made of its events alone (`taskState.ts`, `jobState.ts`), so a run whose
 * events are kept can be shown and continued by another process. All of it is JSON.
 */
import type { Approval } from '../entry/approve.ts';
import type { Usage } from '../limits/usage.ts';
import type { JobDefinition } from './jobDefinition.ts';
import type { PersonAnswer } from './personAnswer.ts';
import type { ResultChange } from './resultChange.ts';
import type { WorktreeEvent } from './worktreeState.ts';

/** One run of a Ref: its id, and how often the job ran it before. It is the same in each run of the same job with the same answers. */
export type StepKey = `${number}#${number}`;

interface Happened {
  /** Milliseconds since the epoch. */
  at: number;
}

/**
 * Names and fields follow `ICopilotTaskCallback`; `taskStarted`, `taskPrompt`, `taskUsage`, `taskStalled`, `taskResumed`, `taskStopped` and
 * `taskInterrupted` are ours.
 */
export type TaskEvent = Happened & { taskId: string } &
  /** `approve`: what its sessions may do without asking, by the entry. `host`: at which other agent host they are, and in which folder there. */
  (
    | {
        type: 'taskStarted';
        taskName: string;
        model: string;
        borrowedSessionId?: string;
        /** Of the borrowed session. */
        sessionModel?: string;
        approve?: Approval[];
        host?: string;
        folder?: string;
      }
    /** `isDriving`: the session checks conditions. In a task with one session it does all. */
    | { type: 'taskSessionStarted'; sessionId: string; model: string; isDriving: boolean }
    | { type: 'taskSessionStopped'; sessionId: string; succeeded: boolean }
    /** `onGeneratedUserPrompt` of the session. */
    | { type: 'taskPrompt'; sessionId: string; prompt: string }
    /** `answer`: the decision is not that of the task, but of a person or a program that has answered. */
    | { type: 'taskDecision'; reason: string; answer?: PersonAnswer }
    /** The agent has reported a document. `path`: as it wrote it. */
    | { type: 'taskDocument'; sessionId: string; path: string }
    /** What the task has used so far, in all of its sessions. */
    | { type: 'taskUsage'; used: Usage }
    /** Nothing has happened in its session since then. */
    | { type: 'taskStalled'; since: number }
    | { type: 'taskResumed' }
    | { type: 'taskSucceeded' }
    /** `crashError`: no session could finish a prompt, which stops the job. Without it `reason` says why the task failed by its rules. */
    | { type: 'taskFailed'; crashError?: string; reason?: string }
    | { type: 'taskStopped' }
    | { type: 'taskInterrupted' }
  );

/** Names and fields follow `ICopilotJobCallback`; `jobStarted` and those that it has no words for are ours. */
export type JobEvent =
  | WorktreeEvent
  | (Happened &
      /** `queued`: it has not begun. Without `notBefore` it waits for other runs only. */
      (
        | {
            type: 'jobStarted';
            jobId: string;
            definition: JobDefinition;
            userInput: string;
            workingDirectory: string;
            queued?: { notBefore?: number };
          }
        /** After `queued`. `isLate`: nobody was there at the time at which it was to begin. */
        | { type: 'jobBegan'; isLate?: true }
        | { type: 'workStarted'; workId: number; step: StepKey; taskId: string; taskName: string }
        /** `crashError`: as in `taskFailed`. Such a step has no answer. */
        | { type: 'workStopped'; workId: number; step: StepKey; taskId: string; succeeded: boolean; crashError?: string }
        | { type: 'jobSucceeded' }
        /** `failedSteps`: the steps whose failure failed the job. Failed conditions are not among them. `loopCap`: a loop went round more often. */
        | { type: 'jobFailed'; reason: string; failedSteps: StepKey[]; loopCap?: number }
        /** Why it is stopped next: its budget is used up. A portal of another version knows at least that it was stopped. */
        | { type: 'jobUsedUp'; reason: string }
        /** `by`: who did it, in words, as far as it is known. */
        | { type: 'jobStopped'; by?: string }
        /** Nothing new is started from now on. */
        | { type: 'jobPausing'; by: string }
        | { type: 'jobPauseWithdrawn'; by: string }
        /** What ran when the pause was asked for has ended, and there is more to do. */
        | { type: 'jobPaused' }
        /** A step that ran was stopped, and counts as done. */
        | { type: 'workSkipped'; workId: number; step: StepKey; taskId: string; by: string }
        /** The process that ran the job has ended. Written by the one that finds it. */
        | { type: 'jobInterrupted' }
        /** It goes on, with the answers that it has, except those of `redo`. `skipped`: steps that count as done from now on. `edit`: of a step from now on. */
        | { type: 'jobContinued'; redo: StepKey[]; by?: string; skipped?: StepKey[]; edit?: StepEdit }
        /** The portal that ran the job is gone, and another one goes on with it. Steps that were cut off run again. */
        | { type: 'jobTakenOver' }
        /** Also of a run that has ended. */
        | ({ type: 'resultChanged' } & ResultChange)
      ));

/** The events of a job are its own and those of its tasks; the events of a task that runs alone are its own. */
export type RunEvent = JobEvent | TaskEvent;

/** An event whose time is not noted yet. */
export type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;

export type RunStatus = 'Executing' | 'Succeeded' | 'Failed' | 'Stopped' | 'Interrupted' | 'Paused';

/** What a step gets instead of what it has by the entry and the start of its job. */
export interface StepEdit {
  workId: number;
  taskName: string;
  /** Instead of what the user wrote at the start. */
  userInput?: string;
  prompt?: string;
}

export function isTaskEvent(event: RunEvent): event is TaskEvent {
  return event.type.startsWith('task');
}

/** The last event of the run itself. What is done with its result may come long after. */
export function lastOfRun(events: readonly RunEvent[]): RunEvent | undefined {
  return events.findLast(({ type }) => type !== 'resultChanged');
}

/** Whether the run, or a task in it, has ended with the event. */
export function isEnd({ type }: RunEvent): boolean {
  return /^(?:job|task)(?:Succeeded|Failed|Stopped|Interrupted|Paused)$/.test(type);
}

/** Whether the run itself has ended with the event: the end of a task of a job is not that of the job. */
export function isEndOf(runId: string, event: RunEvent): boolean {
  return isEnd(event) && (!isTaskEvent(event) || event.taskId === runId);
}
