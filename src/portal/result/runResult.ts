/** What a run has brought about, step by step, as far as its agent hosts and this computer tell. All of it is JSON. */
import type * as answers from '../../views/portal/answers/resultAnswers.ts';
import type { StepKey } from '../runs/runEvents.ts';

export interface ResultOfStep extends answers.ResultOfStep {
  step: StepKey;
  redone?: true;
}

export interface RunResult {
  jobId: string;
  steps: ResultOfStep[];
  worktrees?: answers.ChangedTree[];
}

export interface ResultError<E extends string> {
  error: E;
  message: string;
}
