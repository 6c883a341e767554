import type { Approval } from '../entry/approve.ts';
import type { Usage } from '../limits/usage.ts';
import { isDenial, type PersonAnswer } from './personAnswer.ts';
import type { RunStatus, TaskEvent } from './runEvents.ts';

/** Of one task. */
const MAX_DOCUMENTS = 50;

export interface TaskSessionState {
  sessionId: string;
  model: string;
  isDriving: boolean;
  status: 'Running' | 'Succeeded' | 'Failed' | 'Stopped';
}

export interface ReportedDocument {
  sessionId: string;
  /** As the agent wrote it. */
  path: string;
}

export interface TaskState {
  taskId: string;
  taskName: string;
  model: string;
  borrowedSessionId?: string;
  /** Of the borrowed session. */
  sessionModel?: string;
  /** What its sessions may do without asking, by the entry. */
  approve?: Approval[];
  /** The other agent host at which its sessions are. */
  host?: string;
  /** Their folder there, or that of the borrowed session. */
  folder?: string;
  status: RunStatus;
  startedAt: number;
  endedAt?: number;
  crashError?: string;
  /** Why it failed by its rules. Absent where an older version has recorded it. */
  reason?: string;
  /** How many answers have refused something. Absent: none. */
  denied?: number;
  /** What it has used so far. Absent: nothing, or an older version has run it. */
  used?: Usage;
  /** It runs, and nothing has happened in it since then. */
  stalledSince?: number;
  /** `answer`: of a person or a program. */
  decisions: { at: number; reason: string; answer?: PersonAnswer }[];
  sessions: TaskSessionState[];
  /** What its agents have reported, in the order in which each was reported last. Absent: nothing. */
  documents?: ReportedDocument[];
}

/** The state after the event. Events of other tasks, and all before `taskStarted` or after the end, change nothing. */
export function reduceTask(state: TaskState | undefined, event: TaskEvent): TaskState | undefined {
  if (event.type === 'taskStarted') {
    const { at, taskId, taskName, model, borrowedSessionId, sessionModel, approve, host, folder } = event;
    const borrowed = borrowedSessionId === undefined ? {} : { borrowedSessionId };
    return {
      taskId,
      taskName,
      model,
      ...borrowed,
      ...(sessionModel !== undefined && { sessionModel }),
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
      return decided(state, event);
    case 'taskDocument':
      return reported(state, { sessionId: event.sessionId, path: event.path });
    case 'taskUsage':
      return { ...state, used: event.used };
    case 'taskStalled':
      return { ...state, stalledSince: event.since };
    case 'taskResumed':
      return goingOn(state);
    case 'taskSucceeded':
      return ended(state, 'Succeeded', event.at);
    case 'taskFailed':
      return {
        ...ended(state, 'Failed', event.at),
        ...(event.crashError !== undefined && { crashError: event.crashError }),
        ...(event.reason !== undefined && { reason: event.reason }),
      };
    case 'taskStopped':
      return ended(state, 'Stopped', event.at);
    case 'taskInterrupted':
      return ended(state, 'Interrupted', event.at);
  }
}

function goingOn({ stalledSince: _since, ...state }: TaskState): TaskState {
  return state;
}

function decided(state: TaskState, { at, reason, answer }: Extract<TaskEvent, { type: 'taskDecision' }>): TaskState {
  const decisions = [...state.decisions, { at, reason, ...(answer && { answer }) }];
  return { ...state, decisions, ...(answer && isDenial(answer) && { denied: (state.denied ?? 0) + 1 }) };
}

function reported(state: TaskState, document: ReportedDocument): TaskState {
  const others = (state.documents ?? []).filter(({ path }) => path !== document.path);
  return { ...state, documents: [...others, document].slice(-MAX_DOCUMENTS) };
}

/** The task has ended, and so have its sessions. */
export function ended(state: TaskState, status: RunStatus, endedAt: number): TaskState {
  return {
    ...goingOn(state),
    status,
    endedAt,
    sessions: state.sessions.map((one) => (one.status === 'Running' ? { ...one, status: 'Stopped' } : one)),
  };
}
