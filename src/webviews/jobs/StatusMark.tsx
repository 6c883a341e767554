/** The status of a step or a job as a sign. The text beside it says the same. */
import type { RunStatus } from '../../views/portal/answers/runAnswers.ts';
import type { StepStatus } from '../../views/portal/jobSteps.ts';

const signs: Record<StepStatus, string> = {
  NotStarted: '○',
  Queued: '…',
  Waiting: '?',
  Executing: '▶',
  Succeeded: '✓',
  Failed: '✗',
  Stopped: '■',
  Interrupted: '!',
  Paused: '‖',
  Skipped: '»',
  AnsweredTrue: '✓',
  AnsweredFalse: '–',
};

export function statusSign(status: StepStatus | RunStatus): string {
  return signs[status];
}

export function StatusMark({ status }: { status: StepStatus | RunStatus }) {
  return (
    <span class={`status-mark status-${status}`} aria-hidden="true">
      {signs[status]}
    </span>
  );
}
