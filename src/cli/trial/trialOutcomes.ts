/** The outcomes of a trial, as arguments name them: TASK, or TASK:N. */
import type { TrialOutcome, TrialScript, TrialTask, TrialTimes } from '../../views/portal/trial/trial.ts';
import { CliError, exitCodes } from '../cliError.ts';
import { onOneLine } from '../visible.ts';

const MAX_TIMES = 1_000_000;

export interface GivenOutcomes {
  fail: readonly string[];
  unavailable: readonly string[];
}

/** Throws a `CliError` for what the job has not. */
export function trialOutcomes({ fail, unavailable }: GivenOutcomes, tasks: readonly TrialTask[]): TrialScript['outcomes'] {
  const outcomes = new Map<string, TrialOutcome>();
  const take = (member: keyof TrialOutcome, given: string) => {
    const { task, times } = outcome(`--${member === 'fails' ? 'fail' : member}`, given, tasks);
    if (member === 'unavailable' && !task.hasCondition)
      throw new CliError(
        exitCodes.usage,
        `The task “${onOneLine(task.name)}” has no availability.condition that could be answered with no.`,
      );
    outcomes.set(task.name, { ...outcomes.get(task.name), [member]: times });
  };
  for (const given of fail) take('fails', given);
  for (const given of unavailable) take('unavailable', given);
  return Object.fromEntries(outcomes);
}

/** The name of a task may have a colon of its own. */
function outcome(option: string, given: string, tasks: readonly TrialTask[]): { task: TrialTask; times: TrialTimes } {
  const named = (name: string) => tasks.find((task) => task.name === name);
  const whole = named(given);
  if (whole) return { task: whole, times: 'always' };
  const at = given.lastIndexOf(':');
  const task = at < 0 ? undefined : named(given.slice(0, at));
  if (!task) {
    const names = tasks.map(({ name }) => `“${onOneLine(name)}”`).join(', ');
    throw new CliError(exitCodes.usage, `${option}: the job has no task “${onOneLine(given)}”. It has ${names}.`);
  }
  const count = given.slice(at + 1);
  if (!/^\d{1,7}$/.test(count) || Number(count) < 1 || Number(count) > MAX_TIMES)
    throw new CliError(exitCodes.usage, `${option}: after “${onOneLine(task.name)}:” there must be a whole number from 1 on.`);
  return { task, times: Number(count) };
}
