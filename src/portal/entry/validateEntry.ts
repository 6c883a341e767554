/** The rules of an entry. */
import { phrase, type Words } from '../../base/text/phrase.ts';
import { isRecord } from '../../base/isRecord.ts';
import { PromptExpander, PromptFault } from '../prompts/promptExpander.ts';
import { isRuntimeVariable, variablesIn } from '../prompts/variables.ts';
import { type Entry, entry as entrySchema, type GivenEntry, type Job } from './entry.ts';
import { type EntryError, fault, type Path, schemaFaults } from './faults.ts';
import { writesAtOnce } from './folders/writesAtOnce.ts';
import { normalWork } from './normalWork.ts';
import { own } from './own.ts';
import type { Model, Prompt, Task } from './task.ts';
import { type GivenWork, refsIn } from './work.ts';

/** Works are read recursively. */
const MAX_DEPTH = 200;

/**
 * Checks a value of any shape and fills in what is computed. Returns a copy, in which prompts are expanded; validating that gives the same
 * again. What this version does not know is left out and told to `onUnknown`. Throws an `EntryError` for the first fault.
 */
export function validateEntry(value: unknown, onUnknown?: (unknown: EntryError) => void): Entry {
  const { entry, faults, unknown } = checkEntry(value);
  if (onUnknown) for (const one of unknown) onUnknown(one);
  if (faults[0]) throw faults[0];
  return entry as Entry;
}

/** What is not wrong, and should be known by who writes an entry. */
export interface EntryWarning {
  at: Path;
  reason: Words;
}

/**
 * The same for somebody who writes it: all faults, and all that is left out. Faults that lie beyond the schema are looked for once nothing else
 * is wrong, and warnings once there is no fault.
 */
export function checkedEntry(value: unknown): Pick<CheckedEntry, 'faults' | 'unknown'> & { warnings: readonly EntryWarning[] } {
  const { entry, faults, unknown } = checkEntry(value);
  const { jobs = {}, tasks = {} } = entry ?? {};
  const warnings = Object.entries(jobs).flatMap(([name, job]) =>
    writesAtOnce(job, tasks).map((words) => ({ at: ['jobs', name, 'work'], reason: words })),
  );
  return { faults, unknown, warnings };
}

interface CheckedEntry {
  /** Absent where there is a fault. */
  entry?: Entry;
  faults: readonly EntryError[];
  /** Members that this version does not know. */
  unknown: readonly EntryError[];
}

function checkEntry(value: unknown): CheckedEntry {
  const depth = depthFault(value);
  if (depth) return { faults: [depth], unknown: [] };
  const { known, unknown } = withoutUnknown(value);
  const parsed = entrySchema.safeParse(known);
  if (!parsed.success) return { faults: schemaFaults(parsed.error), unknown };
  const validation = new Validation(parsed.data);
  const entry = validation.result();
  return { ...(validation.faults.length === 0 && { entry }), faults: validation.faults, unknown };
}

/** Entries of other versions have more. A model or an approval is taken as a whole, or not at all. */
function withoutUnknown(value: unknown): { known: unknown; unknown: EntryError[] } {
  // A list of models, of which this version has no use.
  const isList = isRecord(value) && isRecord(value['models']) && Array.isArray(value['models']['reviewers']);
  const lists: Path[] = isList ? [['models', 'reviewers']] : [];
  const issues = entrySchema.safeParse(value).error?.issues ?? [];
  const members = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : []));
  const paths = [...lists, ...members];
  return {
    known: paths.reduce<unknown>((left, path) => without(left, path), value),
    unknown: paths.map((path) => fault(path, phrase`is not known to this version of Tapline, and is left out`, true)),
  };
}

function without(value: unknown, [part, ...rest]: Path): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, at) => (at === part ? without(item, rest) : item));
  if (!isRecord(value)) return value;
  const left = Object.entries(value).flatMap(([key, inner]) => {
    if (key !== part) return [[key, inner]];
    return rest.length === 0 ? [] : [[key, without(inner, rest)]];
  });
  return Object.fromEntries(left) as unknown;
}

class Validation {
  readonly faults: EntryError[] = [];
  readonly #given: GivenEntry;
  readonly #expander: PromptExpander;

  constructor(given: GivenEntry) {
    this.#given = given;
    this.#expander = new PromptExpander(given.promptVariables);
  }

  result(): Entry {
    const { promptVariables, grid, limits } = this.#given;
    for (const name of Object.keys(promptVariables))
      if (isRuntimeVariable(name)) this.#found(['promptVariables', name], phrase`is the name of a runtime variable`);
    const tasks = mapValues(this.#given.tasks, (name, task) => this.#task(['tasks', name], task));
    const jobs = mapValues(this.#given.jobs, (name, job) => this.#job(['jobs', name], job));
    const ids = usedModels(this.#given);
    for (const id of Object.keys(limits?.perModel ?? {}))
      if (!ids.has(id)) this.#found(['limits', 'perModel', id], phrase`is no id of a model that the entry names`);
    for (const [row, { jobs: cells }] of grid.entries())
      for (const [column, cell] of cells.entries())
        if (cell && !own(this.#given.jobs, cell.jobName))
          this.#found(['grid', row, 'jobs', column, 'jobName'], phrase`there is no job ${JSON.stringify(cell.jobName)}`);
    return { ...this.#given, tasks, jobs };
  }

  #task(path: Path, task: Task): Task {
    this.#model([...path, 'model'], task.model);
    const prompt = this.#prompt([...path, 'prompt'], task.prompt);
    // A prompt that cannot be read has its own fault.
    const usesInput = prompt ? variablesIn(prompt[0] ?? '').includes('user-input') : task.requireUserInput;
    if (task.requireUserInput !== usesInput)
      this.#found(
        [...path, 'requireUserInput'],
        usesInput ? phrase`must be true: the prompt has $user-input` : phrase`must be false: the prompt has no $user-input`,
      );
    const { availability, criteria } = task;
    for (const [at, name] of (availability?.previousTasks ?? []).entries())
      if (!own(this.#given.tasks, name))
        this.#found([...path, 'availability', 'previousTasks', at], phrase`there is no task ${JSON.stringify(name)}`);
    const checked: Task = { ...task, prompt: prompt ?? task.prompt };
    if (availability?.condition)
      checked.availability = {
        ...availability,
        condition: this.#condition([...path, 'availability', 'condition'], availability.condition),
      };
    if (criteria) {
      checked.criteria = { ...criteria };
      if (criteria.condition) checked.criteria.condition = this.#condition([...path, 'criteria', 'condition'], criteria.condition);
      const { additionalPrompt } = criteria.failureAction;
      if (additionalPrompt) {
        const at = [...path, 'criteria', 'failureAction', 'additionalPrompt'];
        const expanded = this.#prompt(at, additionalPrompt) ?? additionalPrompt;
        checked.criteria.failureAction = { ...criteria.failureAction, additionalPrompt: expanded };
      }
    }
    return checked;
  }

  #job(path: Path, job: GivenEntry['jobs'][string]): Job {
    const requireUserInput = this.#work([...path, 'work'], job.work);
    if (requireUserInput !== undefined && job.requireUserInput !== undefined && job.requireUserInput !== requireUserInput)
      this.#found(
        [...path, 'requireUserInput'],
        requireUserInput
          ? phrase`must be true: one of its tasks requires user input`
          : phrase`must be false: none of its tasks requires user input`,
      );
    const { schedule, worktree, budget } = job;
    if (schedule && requireUserInput && (schedule.userInput ?? '').trim() === '')
      this.#found([...path, 'schedule', 'userInput'], phrase`is needed: the job requires user input`);
    const far = refsIn(job.work).find(({ taskId }) => own(this.#given.tasks, taskId)?.host !== undefined)?.taskId;
    if (worktree !== undefined && far !== undefined)
      this.#found([...path, 'worktree'], phrase`is for this computer, and the task ${JSON.stringify(far)} runs at another agent host`);
    const more = { ...(worktree !== undefined && { worktree }), ...(schedule && { schedule }), ...(budget && { budget }) };
    return { requireUserInput: requireUserInput ?? false, work: normalWork(job.work), ...more };
  }

  /** Whether a task in it requires user input. Undefined where a task is not known, so that it cannot be said. */
  #work(path: Path, work: GivenWork): boolean | undefined {
    const within = (inner: readonly [Path, GivenWork | undefined][]) => {
      // All of them are checked, also after the first that requires input.
      const found = inner.map(([below, child]) => child !== undefined && this.#work([...path, ...below], child));
      return found.includes(true) || (found.includes(undefined) ? undefined : false);
    };
    switch (work.kind) {
      case 'Ref': {
        const task = own(this.#given.tasks, work.taskId);
        if (!task) {
          this.#found([...path, 'taskId'], phrase`there is no task ${JSON.stringify(work.taskId)}`);
          return undefined;
        }
        this.#model([...path, 'modelOverride'], work.modelOverride);
        if (!task.model && !work.modelOverride)
          this.#found([...path, 'modelOverride'], phrase`is needed: the task ${JSON.stringify(work.taskId)} has no model`);
        return task.requireUserInput;
      }
      case 'Seq':
      case 'Par':
        return within(work.works.map((child, at) => [['works', at], child]));
      case 'Loop':
        return within([
          [['preCondition', 1], work.preCondition?.[1]],
          [['postCondition', 1], work.postCondition?.[1]],
          [['body'], work.body],
        ]);
      case 'Alt':
        return within([
          [['condition'], work.condition],
          [['trueWork'], work.trueWork],
          [['falseWork'], work.falseWork],
        ]);
    }
  }

  #model(path: Path, model: Model | undefined): void {
    if (model && 'category' in model && !own(this.#given.models, model.category))
      this.#found([...path, 'category'], phrase`models has no category ${JSON.stringify(model.category)}`);
  }

  #condition(path: Path, prompt: Prompt): Prompt {
    const expanded = this.#prompt(path, prompt);
    if (!expanded) return prompt;
    if (!/job_boolean_(?:true|false)/.test(expanded[0] ?? '')) this.#found(path, 'must mention job_boolean_true or job_boolean_false');
    return expanded;
  }

  #prompt(path: Path, prompt: Prompt): Prompt | undefined {
    try {
      return [this.#expander.expand(prompt)];
    } catch (error) {
      if (!(error instanceof PromptFault)) throw error;
      this.#found(path, error.words);
      return undefined;
    }
  }

  #found(path: Path, reason: Words): void {
    this.faults.push(fault(path, reason));
  }
}

/** Ids of all models that it names. */
function usedModels({ models, tasks, jobs }: GivenEntry): Set<string> {
  const named = [
    ...Object.values(tasks).map(({ model }) => model),
    ...Object.values(jobs).flatMap(({ work }) => refsIn(work).map(({ modelOverride }) => modelOverride)),
  ];
  return new Set([...Object.values(models), ...named.flatMap((model) => (model && 'id' in model ? model.id : []))]);
}

function depthFault(value: unknown): EntryError | undefined {
  // A value given as TypeScript may have the same part in several places, or contain itself.
  let level = new Set([value]);
  for (let depth = 0; level.size > 0; depth++) {
    if (depth > MAX_DEPTH) return fault([], phrase`is nested more than ${MAX_DEPTH} levels deep`);
    level = new Set([...level].flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : [])));
  }
  return undefined;
}

function mapValues<T, U>(record: Record<string, T>, map: (name: string, value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(name, value)]));
}
