/** What a trial of a job is to have happen, and what it comes to. Nothing real runs in one: a script stands in for the models. */
import type { Words } from '../../../base/text/phrase.ts';

/** So many from the first one on, or all of them. */
export type TrialTimes = number | 'always';

export interface TrialOutcome {
  /** Rounds of the task in which its criteria do not hold. Absent: none. A retry is a round. */
  fails?: TrialTimes;
  /** How often the condition of its availability is answered with no. Absent: never. */
  unavailable?: TrialTimes;
}

export interface TrialScript {
  /** By the names of tasks. Those that are not named succeed. */
  outcomes: Readonly<Record<string, TrialOutcome>>;
  /** What `$user-input` stands for. Absent: words that say so. */
  userInput?: string;
  /** How often a loop may go round before it fails the job. Absent: as often as in a run. */
  loopCap?: number;
}

/** `availability` and `criteria`: the condition of one of them. */
export type TrialPromptKind = 'availability' | 'work' | 'criteria';

export interface TrialCall {
  tool: string;
  argument: string;
  /** The entry does not approve it, so that it would wait for a person. */
  waits: boolean;
}

/** What the agent would be told. */
export interface TrialPrompt {
  kind: TrialPromptKind;
  /** Of `work`: 0 for the first round. */
  retry: number;
  model: string;
  /** It begins a session. Otherwise it goes to the one before. */
  isNewSession: boolean;
  text: string;
  /** There is more of it. */
  isCut: boolean;
  /** What the script has called then. */
  calls: TrialCall[];
  /** The script has used more than a limit, as that is the only way in which the round can fail. */
  isOverLimit: boolean;
  /** What was decided after it, and before the next one. */
  decisions: string[];
}

/** A run of a step. */
export interface TrialStep {
  /** From 1, in the order in which they start. */
  number: number;
  /** Such as `3#0`. */
  step: string;
  workId: number;
  /** From 1: how often the job has come to this place. */
  round: number;
  taskName: string;
  status: 'Executing' | 'Succeeded' | 'Failed' | 'Stopped';
  /** Why it failed. */
  reason?: string;
  /** Numbers of the steps that run when it starts. */
  beside: number[];
  model: string;
  host?: string;
  /** Where it works. */
  folder: string;
  /** What it may do without asking, in words. Absent: nothing. */
  withoutAsking?: string;
  limits: Words;
  /** What would wait for a person, in sentences. */
  waits: Words[];
  prompts: TrialPrompt[];
  /** Before the first prompt. */
  decisions: string[];
}

/** What can be chosen for a task of the job. */
export interface TrialTask {
  name: string;
  /** What its failure is. */
  failure: Words;
  /** It has a condition that must hold before it runs. */
  hasCondition: boolean;
}

export interface Trial {
  jobName: string;
  /** `Stopped`: the trial was, and not by the rules of the job. */
  status: 'Succeeded' | 'Failed' | 'Stopped';
  /** Why it did not succeed. */
  reason?: Words;
  loopCap: number;
  hasLoop: boolean;
  requireUserInput: boolean;
  /** Of the whole run, in sentences. */
  facts: Words[];
  /** Said before a start, too. */
  warnings: Words[];
  tasks: TrialTask[];
  steps: TrialStep[];
  /** Names of tasks that were not reached, in the order of the job. */
  notReached: string[];
}
