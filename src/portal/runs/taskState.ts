import type { Approval } from '../entry/approve.ts';
import type { RunStatus, TaskEvent } from './runEvents.ts';

export interface TaskSessionState {
  sessionId: string;
  model: string;
  isDriving: boolean;
  status: 'Running' | 'Succeeded' | 'Failed' | 'Stopped';
}

export interface TaskState {
  taskId: string;
  taskName: string;
  model: string;
  borrowedSessionId?: string;
  /** What its sessions may do without asking, by the entry. */
  approve?: Approval[];
  /** The other agent host at which its sessions are. */
  host?: string;
  /** Their folder there. */
  folder?: string;
  status: RunStatus;
  startedAt: number;
  endedAt?: number;
  crashError?: string;
  decisions: { at: number; reason: string }[];
  sessions: TaskSessionState[];
}

/** The state after the event. Events of other tasks, and all before `taskStarted` or after the end, change nothing. */
export function reduceTask(state: TaskState | undefined, event: TaskEvent): TaskState | undefined {
  if (event.type === 'taskStarted') {
    const { at, taskId, taskName, model, borrowedSessionId, approve, host, folder } = event;
    const borrowed = borrowedSessionId === undefined ? {} : { borrowedSessionId };
    return {
      taskId,
      taskName,
      model,
      ...borrowed,
      ...(approve && { approve }),
      ...(host !== undefined && { host }),
      ...(folder !== undefined && { folder }),
      status: 'Executing',
      startedAt: at,
      decisions: [],
      sessions: [],
    };
  }
  if (!state || state.taskId !== event.taskId || state.status !== 'Executing') return state;
  switch (event.type) {
    case 'taskSessionStarted': {
      const { sessionId, model, isDriving } = event;
      return { ...state, sessions: [...state.sessions, { sessionId, model, isDriving, status: 'Running' }] };
    }
    case 'taskSessionStopped': {
      const status = event.succeeded ? 'Succeeded' : 'Failed';
      return { ...state, sessions: state.sessions.map((one) => (one.sessionId === event.sessionId ? { ...one, status } : one)) };
    }
    case 'taskPrompt':
      return state;
    case 'taskDecision':
      return { ...state, decisions: [...state.decisions, { at: event.at, reason: event.reason }] };
    case 'taskSucceeded':
      return ended(state, 'Succeeded', event.at);
    case 'taskFailed':
      return { ...ended(state, 'Failed', event.at), ...(event.crashError !== undefined && { crashError: event.crashError }) };
    case 'taskStopped':
      return ended(state, 'Stopped', event.at);
    case 'taskInterrupted':
      return ended(state, 'Interrupted', event.at);
  }
}

/** The task has ended, and so have its sessions. */
export function ended(state: TaskState, status: RunStatus, endedAt: number): TaskState {
  return {
    ...state,
    status,
    endedAt,
    sessions: state.sessions.map((one) => (one.status === 'Running' ? { ...one, status: 'Stopped' } : one)),
  };
}
