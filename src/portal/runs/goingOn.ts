/** How a job that has ended goes on: what runs again, with what, and what counts as done. */
import { own } from '../entry/own.ts';
import type { RefWork, Work } from '../entry/work.ts';
import { hasAnswer, type JobState } from './jobState.ts';
import type { StepEdit, StepKey } from './runEvents.ts';

/** What the step gets instead of what the entry and the start say. */
export function editOf({ edits = [] }: Pick<JobState, 'edits'>, workId: number): Pick<StepEdit, 'userInput' | 'prompt'> {
  const own = edits.filter((one) => one.workId === workId);
  const userInput = own.findLast((one) => one.userInput !== undefined)?.userInput;
  const prompt = own.findLast((one) => one.prompt !== undefined)?.prompt;
  return { ...(userInput !== undefined && { userInput }), ...(prompt !== undefined && { prompt }) };
}

export type ContinueError = 'JobNotFound' | 'JobCannotContinue' | 'StepNotFound';
export type SkipError = 'JobNotFound' | 'StepNotFound' | 'StepCannotSkip';

/**
 * What runs again when a job that has ended goes on: the steps whose failure failed it and, with `from`, that step and all that began after it
 * had ended. A job that has succeeded goes on only from a step.
 */
export function continuation(state: JobState | undefined, from?: StepKey): { redo: StepKey[] } | { error: ContinueError } {
  if (!state) return { error: 'JobNotFound' };
  const { status, steps, failedSteps } = state;
  if (status === 'Executing' || (status === 'Succeeded' && from === undefined)) return { error: 'JobCannotContinue' };
  if (from === undefined) return { redo: failedSteps };
  const at = steps.findLastIndex(({ step, redone }) => step === from && !redone);
  const first = steps[at];
  if (!first) return { error: 'StepNotFound' };
  const { endedAt = Infinity } = first;
  const later = steps.filter(({ redone, startedAt }, index) => !redone && index > at && startedAt >= endedAt);
  return { redo: [...new Set([...failedSteps, from, ...later.map(({ step }) => step)])] };
}

/** What a step of the job gets when it runs the next time. Undefined: the job has no such step. */
export function stepInput(
  state: JobState,
  workId: number,
): { workId: number; taskName: string; userInput: string; prompt: string } | undefined {
  const { definition, userInput } = state;
  const taskName = refsOf(definition.work).find((ref) => ref.workIdInJob === workId)?.taskId;
  const task = taskName === undefined ? undefined : own(definition.tasks, taskName);
  if (taskName === undefined || !task) return undefined;
  return { workId, taskName, userInput, prompt: task.prompt.join('\n'), ...editOf(state, workId) };
}

/** With what a step gets from then on, by its key. A step that has not run has no key that is known. */
export function howToGoOn(
  state: JobState | undefined,
  { from, edit, by }: { from?: StepKey; edit?: { step: StepKey; userInput?: string; prompt?: string }; by?: string },
): { redo: StepKey[]; by?: string; edit?: StepEdit } | { error: ContinueError } {
  const again = continuation(state, from);
  if ('error' in again) return again;
  const who = by === undefined ? {} : { by };
  if (!edit) return { ...again, ...who };
  const edited = state?.steps.findLast(({ step }) => step === edit.step);
  if (!edited) return { error: 'StepNotFound' };
  const { step: _key, ...what } = edit;
  return { ...again, ...who, edit: { workId: edited.workId, taskName: edited.taskName, ...what } };
}

/**
 * How a job that has ended goes on without this step: it counts as done. A step that runs, one that has succeeded and the answer of a condition
 * cannot be skipped so.
 */
export function skipping(state: JobState | undefined, step: StepKey): { redo: StepKey[]; skipped: StepKey[] } | { error: SkipError } {
  if (!state) return { error: 'JobNotFound' };
  const found = state.steps.findLast((one) => one.step === step && !one.redone);
  if (!found) return { error: 'StepNotFound' };
  const isCondition = refsOf(state.definition.work).some((ref) => ref.isCondition && ref.workIdInJob === found.workId);
  const isAnswer = hasAnswer(found) && (found.status === 'Succeeded' || isCondition);
  if (state.status === 'Executing' || state.status === 'Succeeded' || isAnswer) return { error: 'StepCannotSkip' };
  return { redo: state.failedSteps.filter((one) => one !== step), skipped: [step] };
}

/** In no order. `isCondition`: its failure is an answer. */
function refsOf(work: Work<number>, isCondition = false): (RefWork<number> & { isCondition: boolean })[] {
  const of = (part: Work<number> | undefined, isInCondition = isCondition) => (part ? refsOf(part, isInCondition) : []);
  switch (work.kind) {
    case 'Ref':
      return [{ ...work, isCondition }];
    case 'Seq':
    case 'Par':
      return work.works.flatMap((part) => of(part));
    case 'Loop':
      return [...of(work.preCondition?.[1], true), ...of(work.body), ...of(work.postCondition?.[1], true)];
    case 'Alt':
      return [...of(work.condition, true), ...of(work.trueWork), ...of(work.falseWork)];
  }
}
