/** What a pull request says of a run, until the user has changed it. */
import { oneLine } from '../../views/text/oneLine.ts';
import type { JobState } from '../runs/jobState.ts';

const MAX_TITLE = 72;
const MAX_INPUT = 2_000;
const MAX_STEPS = 50;
const MAX_NAME = 100;

type Run = Pick<JobState, 'jobId' | 'definition' | 'userInput' | 'steps'>;

/** Also that of its commit. */
export function titleOf(userInput: string, jobName: string): string {
  const title = [userInput, jobName].map((text) => oneLine(text)).find((text) => text !== '') ?? 'Run';
  return oneLine(title, MAX_TITLE - 1);
}

/** Markdown. */
export function descriptionOf({ jobId, definition, userInput, steps }: Run): string {
  const input = userInput.trim();
  const shown = input.length > MAX_INPUT ? `${input.slice(0, MAX_INPUT)}…` : input;
  const counting = steps.filter(({ redone }) => !redone);
  const names = counting
    .slice(0, MAX_STEPS)
    .map(
      ({ taskName, status, skipped }) =>
        `- ${literal(taskName)}${skipped ? ' (skipped)' : status === 'Succeeded' ? '' : ` (${status.toLowerCase()})`}`,
    );
  const more = counting.length - names.length;
  return [
    `By the job ${literal(definition.jobName)} of Tapline, run ${jobId.slice(0, 8)}.`,
    ...(shown === '' ? [] : ['', ...shown.split(/\r\n|\r|\n/).map((line) => `> ${line}`)]),
    ...(names.length === 0 ? [] : ['', 'Steps:', '', ...names]),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

/** Without a meaning in Markdown. */
function literal(text: string): string {
  return oneLine(text, MAX_NAME).replaceAll(/[\\`*_{}[\]()<>#+!|~&@]/g, String.raw`\$&`);
}
