/** What can be done in the middle of a run, and is done by the page around it. */
export interface JobActions {
  onPause(): void;
  onSkip(step: string): void;
  /** `done` is called when it was done, so that nothing written is lost before. */
  onSteer(step: string, text: string, done: () => void): void;
  onRetry(retry: StepRetry, done: () => void): void;
  /** What a step gets when it runs the next time. Rejects with words for the user. */
  inputOf(workId: number): Promise<StepInput>;
}

export interface StepInput {
  userInput: string;
  prompt: string;
}

/** The job goes on from a step. `edit`: what another one, or the same, gets from then on. */
export interface StepRetry {
  from: string;
  edit?: { step: string } & Partial<StepInput>;
}
