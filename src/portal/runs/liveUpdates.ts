/** What the live interface of the portal tells of the events of runs, in the words of `ICopilotTaskCallback` and `ICopilotJobCallback`. */
import type { Followed, LiveEvent } from '../live/liveEvents.ts';
import type { RunEvent } from './runEvents.ts';

/** What is done with the queue of a session, a task or a job. */
export type LiveUpdate = {
  [Of in Followed]: { of: Of; id: string } & ({ does: 'open' | 'close' } | { does: 'push'; response: LiveEvent<Of> });
}[Followed];

/** `jobId`: of the job whose event it is. In order. The queue of a session is opened and closed with the session, not here. */
export function liveUpdates(event: RunEvent, jobId = ''): LiveUpdate[] {
  const job = (response: LiveEvent<'job'>): LiveUpdate => ({ of: 'job', id: jobId, does: 'push', response });
  const closeJob: LiveUpdate = { of: 'job', id: jobId, does: 'close' };
  switch (event.type) {
    case 'jobStarted':
    case 'jobContinued':
      return [{ of: 'job', id: jobId, does: 'open' }];
    case 'workStarted':
      return [job({ callback: 'workStarted', workId: event.workId, taskId: event.taskId })];
    case 'workStopped':
      return [job({ callback: 'workStopped', workId: event.workId, succeeded: event.succeeded })];
    case 'jobSucceeded':
      return [job({ callback: 'jobSucceeded' }), closeJob];
    case 'jobFailed': {
      // A job whose work failed has failed by its rules. Anything else is an error.
      const error = event.failedSteps.length === 0 ? [job({ jobError: event.reason })] : [];
      return [...error, job({ callback: 'jobFailed' }), closeJob];
    }
    case 'workSkipped':
      return [job({ callback: 'workStopped', workId: event.workId, succeeded: true })];
    case 'jobUsedUp':
      return [job({ jobError: event.reason })];
    case 'jobStopped':
    case 'jobInterrupted':
    case 'jobPaused':
      return [closeJob];
    case 'jobBegan':
    case 'worktreeMade':
    case 'worktreeMerged':
    case 'worktreeConflict':
    case 'worktreeLeft':
    case 'jobPausing':
    case 'jobPauseWithdrawn':
    case 'jobTakenOver':
    case 'resultChanged':
      // The specification has no words for it. It goes on, and so do its readers.
      return [];
  }
  const { taskId } = event;
  const task = (response: LiveEvent<'task'>): LiveUpdate => ({ of: 'task', id: taskId, does: 'push', response });
  const closeTask: LiveUpdate = { of: 'task', id: taskId, does: 'close' };
  switch (event.type) {
    case 'taskStarted':
      return [{ of: 'task', id: taskId, does: 'open' }];
    case 'taskPrompt': {
      const response = { callback: 'onGeneratedUserPrompt' as const, prompt: event.prompt };
      return [{ of: 'session', id: event.sessionId, does: 'push', response }];
    }
    case 'taskDecision':
      return [task({ callback: 'taskDecision', reason: event.reason })];
    case 'taskSessionStarted': {
      const { sessionId, isDriving } = event;
      return [task({ callback: 'taskSessionStarted', taskId, isDrivingSession: isDriving, sessionId, isDriving })];
    }
    case 'taskSessionStopped':
      return [task({ callback: 'taskSessionStopped', taskId, succeeded: event.succeeded, sessionId: event.sessionId })];
    case 'taskDocument':
      // The session has told the call.
      return [];
    case 'taskUsage':
    case 'taskStalled':
    case 'taskResumed':
      // The words of the interface have none for them. A stall is a decision, too.
      return [];
    case 'taskSucceeded':
      return [task({ callback: 'taskSucceeded' }), closeTask];
    case 'taskFailed': {
      const error = event.crashError === undefined ? [] : [task({ taskError: event.crashError })];
      return [...error, task({ callback: 'taskFailed' }), closeTask];
    }
    case 'taskStopped':
    case 'taskInterrupted':
      return [closeTask];
  }
}
