import type { RunChange } from '../../../views/portal/changes/runChange.ts';
import type { StepInput } from '../../../views/portal/jobData.ts';

/** What the page around a run does for its buttons. */
export interface JobActions {
  /** `done` is called when it was done, so that nothing written is lost before. */
  change(change: RunChange, done?: () => void): void;
  /** What a step gets when it runs the next time. Rejects with words for the user. */
  inputOf(workId: number): Promise<StepInput>;
}

/** The job goes on from a step. */
export type StepRetry = Omit<Extract<RunChange, { kind: 'retry' }>, 'kind'>;
