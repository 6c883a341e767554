/** `tapline try`: what a job of a file would do, with a script in place of its models. No portal is needed. */
import { english } from '../../base/text/phrase.ts';
import type { Trial } from '../../views/portal/trial/trial.ts';
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Entry } from '../../portal/entry/entry.ts';
import { validateEntry } from '../../portal/entry/validateEntry.ts';
import { entryValue } from '../../portal/entryFile/entryValue.ts';
import { trialTasks, tryJob } from '../../portal/trial/tryJob.ts';
import { CliError, type ExitCode, exitCodes } from '../cliError.ts';
import type { Output } from '../output.ts';
import { onOneLine } from '../visible.ts';
import { type GivenOutcomes, trialOutcomes } from './trialOutcomes.ts';
import { trialText } from './trialText.ts';

export interface TryOptions extends GivenOutcomes {
  file: string;
  /** The name of a job. Absent: the only one. */
  job: string | undefined;
  folder: string;
  input: string | undefined;
  loopCap: number | undefined;
}

export async function tryEntry(output: Output, { file, job, folder, input, loopCap, ...given }: TryOptions): Promise<ExitCode> {
  const entry = await entryOf(file, output);
  const name = job ?? onlyJob(entry);
  const tasks = trialTasks(entry, name);
  if (!tasks) throw noJob(entry, name);
  if (entry.jobs[name]?.requireUserInput && input?.trim() === '')
    throw new CliError(exitCodes.usage, `The job “${onOneLine(name)}” needs an --input that is not empty.`);
  const trial = await tryJob(entry, name, {
    ...{ outcomes: trialOutcomes(given, tasks), folder: resolve(folder) },
    ...(input !== undefined && { userInput: input }),
    ...(loopCap !== undefined && { loopCap }),
  });
  if (!trial) throw noJob(entry, name);
  if (output.isJson) output.json(inEnglish(trial));
  else output.out(trialText(trial));
  return trial.status === 'Succeeded' ? exitCodes.done : exitCodes.failed;
}

/** As programs read it: a text for each phrase. */
function inEnglish({ facts, warnings, tasks, steps, reason, ...trial }: Trial): object {
  return {
    ...trial,
    ...(reason !== undefined && { reason: english(reason) }),
    facts: facts.map(english),
    warnings: warnings.map(english),
    tasks: tasks.map((task) => ({ ...task, failure: english(task.failure) })),
    steps: steps.map((step) => ({ ...step, limits: english(step.limits), waits: step.waits.map(english) })),
  };
}

async function entryOf(file: string, output: Output): Promise<Entry> {
  try {
    return validateEntry(await entryValue(resolve(file)), ({ message }) => output.note(onOneLine(message)));
  } catch (error) {
    throw new CliError(exitCodes.usage, `${onOneLine(file)}: ${onOneLine(messageOf(error))}`);
  }
}

function noJob(entry: Entry, name: string): CliError {
  return new CliError(exitCodes.usage, `The file has no job “${onOneLine(name)}”. ${jobsOf(entry)}`);
}

function onlyJob(entry: Entry): string {
  const [name, ...more] = Object.keys(entry.jobs);
  if (name !== undefined && more.length === 0) return name;
  throw new CliError(exitCodes.usage, `Name the job: tapline try ENTRY JOB. ${jobsOf(entry)}`);
}

function jobsOf({ jobs }: Entry): string {
  const names = Object.keys(jobs).map((name) => `“${onOneLine(name)}”`);
  return names.length === 0 ? 'It has none.' : `It has ${names.join(', ')}.`;
}
