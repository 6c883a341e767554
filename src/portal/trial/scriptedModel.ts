/** What stands in for the models in a trial: it does what the criteria of a task want, or not, as it was told. */
import type { TrialOutcome, TrialPromptKind, TrialTimes } from '../../views/portal/trial/trial.ts';
import type { JobToolName } from '../entry/jobTools.ts';
import { own } from '../entry/own.ts';
import type { Task } from '../entry/task.ts';
import { variablesIn } from '../prompts/variables.ts';

/** What it does about a prompt. */
export interface ScriptedTurn {
  calls: { tool: JobToolName; argument: string }[];
  /** It uses more than a limit of the round. */
  isOverLimit: boolean;
}

/** How the failure of a task comes about. */
export type FailureKind = 'condition' | 'tools' | 'limit';

export function failureKind({ criteria }: Task): FailureKind {
  if (criteria?.condition) return 'condition';
  return (criteria?.toolExecuted ?? []).length > 0 ? 'tools' : 'limit';
}

export class ScriptedModel {
  /** Rounds and conditions of each task so far. */
  readonly #asked = new Map<string, number>();

  constructor(private readonly outcomes: Readonly<Record<string, TrialOutcome>>) {}

  /** Of one run of the task. */
  run(taskName: string, task: Task): ScriptedRun {
    const { fails, unavailable } = own(this.outcomes, taskName) ?? {};
    return new ScriptedRun(taskName, task, {
      fails: () => this.#isAmong(`fails ${taskName}`, fails),
      unavailable: () => this.#isAmong(`unavailable ${taskName}`, unavailable),
    });
  }

  #isAmong(what: string, times: TrialTimes = 0): boolean {
    const before = this.#asked.get(what) ?? 0;
    this.#asked.set(what, before + 1);
    return times === 'always' || before < times;
  }
}

export class ScriptedRun {
  readonly #taskName: string;
  readonly #task: Task;
  readonly #isNext: Readonly<Record<'fails' | 'unavailable', () => boolean>>;
  #last: TrialPromptKind | undefined;
  #fails = false;
  /** From -1: before the first round. */
  #retry = -1;

  constructor(taskName: string, task: Task, isNext: Readonly<Record<'fails' | 'unavailable', () => boolean>>) {
    this.#taskName = taskName;
    this.#task = task;
    this.#isNext = isNext;
  }

  /** About the next prompt of the task. They come in the order of its rules, for no session of a trial crashes. */
  next(): ScriptedTurn & { kind: TrialPromptKind; retry: number } {
    const kind = this.#kindAfter(this.#last);
    this.#last = kind;
    if (kind === 'work') this.#retry++;
    return { kind, retry: Math.max(0, this.#retry), ...this.#turn(kind) };
  }

  #kindAfter(last: TrialPromptKind | undefined): TrialPromptKind {
    const { availability, criteria } = this.#task;
    if (last === undefined && availability?.condition) return 'availability';
    return last === 'work' && criteria?.condition ? 'criteria' : 'work';
  }

  #turn(kind: TrialPromptKind): ScriptedTurn {
    const { availability, criteria } = this.#task;
    if (kind === 'availability') return { calls: this.#answers(availability?.condition, !this.#isNext.unavailable()), isOverLimit: false };
    if (kind === 'criteria') return { calls: this.#answers(criteria?.condition, !this.#fails), isOverLimit: false };
    this.#fails = this.#isNext.fails();
    const failure = this.#fails ? failureKind(this.#task) : undefined;
    return { calls: failure === 'tools' ? this.#callsOfFailure() : this.#calls(), isOverLimit: failure === 'limit' };
  }

  /** A question that asks for a call where it holds only is answered with no by none. */
  #answers(condition: readonly string[] | undefined, holds: boolean): ScriptedTurn['calls'] {
    return holds || this.#mentions(condition, 'job_boolean_false') ? [this.#answer(holds)] : [];
  }

  #mentions(texts: readonly string[] = [], tool: JobToolName): boolean {
    return texts.some((text) => text.includes(tool));
  }

  #answer(holds: boolean): ScriptedTurn['calls'][number] {
    return this.#call(holds ? 'job_boolean_true' : 'job_boolean_false');
  }

  /** What the criteria want, and a document where the task is about one. */
  #calls(): ScriptedTurn['calls'] {
    const wanted = this.#wanted();
    const names: readonly JobToolName[] =
      wanted.includes('job_prepare_document') || !this.#isAboutDocument() ? wanted : ['job_prepare_document', ...wanted];
    return names.map((name) => this.#call(name));
  }

  /** Whoever is to call one of the boolean tools and does not calls the other one, where the prompt tells of it. */
  #callsOfFailure(): ScriptedTurn['calls'] {
    const booleans = this.#wanted().filter((name) => name === 'job_boolean_true' || name === 'job_boolean_false');
    if (booleans.length !== 1) return [];
    return this.#answers(this.#task.prompt, booleans[0] === 'job_boolean_false');
  }

  #wanted(): readonly JobToolName[] {
    return [...new Set(this.#task.criteria?.toolExecuted)];
  }

  #isAboutDocument(): boolean {
    const { prompt, criteria } = this.#task;
    const texts = [...prompt, ...(criteria?.condition ?? []), ...(criteria?.failureAction.additionalPrompt ?? [])];
    return this.#mentions(texts, 'job_prepare_document') || texts.some((text) => variablesIn(text).includes('reported-document'));
  }

  #call(tool: JobToolName): ScriptedTurn['calls'][number] {
    const words: Readonly<Record<JobToolName, string>> = {
      job_prepare_document: `<the document of “${this.#taskName}”>`,
      job_boolean_true: `<why “${this.#taskName}” says yes>`,
      job_boolean_false: `<why “${this.#taskName}” says no>`,
      job_prerequisite_failed: `<what “${this.#taskName}” lacks>`,
    };
    return { tool, argument: words[tool] };
  }
}
