/** Everything that happened in a run, in order of time, to be read and to be kept elsewhere. */
import type { JobState } from './jobState.ts';
import type { StepKey } from './runEvents.ts';
import { timelineFileName } from '../../views/portal/page/timelineFileName.ts';
import { reasonOf } from './runSummary.ts';

export interface TimelineEntry {
  /** Milliseconds since the epoch. */
  at: number;
  kind: 'run' | 'step' | 'decision' | 'answer';
  text: string;
  step?: StepKey;
  workId?: number;
  taskName?: string;
}

const ends = {
  Succeeded: 'succeeded',
  Failed: 'failed',
  Stopped: 'was stopped',
  Interrupted: 'was interrupted, because the portal ended',
  Continued: 'went on from the steps that had no answer or had failed',
  TakenOver: 'went on at another portal',
} as const;

export function timeline({
  definition,
  startedAt,
  endedAt,
  status,
  reason,
  workingDirectory,
  history = [],
  steps,
}: JobState): TimelineEntry[] {
  const run = (at: number, text: string): TimelineEntry => ({ at, kind: 'run', text });
  const entries = [
    run(startedAt, `The job ${quoted(definition.jobName)} began in ${workingDirectory}.`),
    ...history.map(({ at, what, reason: why, from }) =>
      run(at, `The job ${from === undefined ? ends[what] : again(from)}${because(why)}.`),
    ),
    ...steps.flatMap(stepEntries),
    ...(endedAt !== undefined && status !== 'Executing' ? [run(endedAt, `The job ${ends[status]}${because(reason)}.`)] : []),
  ];
  // Entries of one moment stay in their order.
  return entries.sort((a, b) => a.at - b.at);
}

/** `name`: of the file. */
export function timelineMarkdown(state: JobState): { fileName: string; markdown: string } {
  const { jobId, definition, startedAt, endedAt, status, workingDirectory, userInput } = state;
  const facts = [
    ['Run', jobId],
    ['Status', status],
    ['Folder', workingDirectory],
    ['Began', time(startedAt)],
    ...(endedAt === undefined ? [] : [['Ended', time(endedAt)]]),
    ...(userInput.trim() === '' ? [] : [['Input', userInput.trim()]]),
  ] as const;
  const lines = timeline(state).map(({ at, kind, text, taskName }) => {
    const where = taskName === undefined ? '' : `${literal(taskName)}: `;
    return `- ${time(at)} ${where}${kind === 'answer' ? '**' : ''}${literal(text)}${kind === 'answer' ? '**' : ''}`;
  });
  const markdown = [
    `# ${literal(definition.jobName)}`,
    '',
    ...facts.map(([name, value]) => `- ${name}: ${literal(value ?? '')}`),
    '',
    '## Timeline',
    '',
    ...lines,
    '',
  ].join('\n');
  return { fileName: timelineFileName(definition.jobName, jobId, 'md'), markdown };
}

function stepEntries(step: JobState['steps'][number]): TimelineEntry[] {
  const { step: key, workId, taskName, startedAt, endedAt, status, task } = step;
  const entry = (at: number, kind: TimelineEntry['kind'], text: string): TimelineEntry => ({ at, kind, text, step: key, workId, taskName });
  const denied = task?.denied === undefined ? '' : `, and ${task.denied === 1 ? 'one call was' : `${task.denied} calls were`} denied`;
  const why = status === 'Succeeded' ? undefined : reasonOf(step);
  return [
    entry(startedAt, 'step', `The step began${task ? ` with the model ${task.model}` : ''}.`),
    ...(task?.decisions ?? []).map(({ at, reason, answer }) => entry(at, answer ? 'answer' : 'decision', reason)),
    ...(endedAt !== undefined && status !== 'Executing'
      ? [entry(endedAt, 'step', `The step ${ends[status]}${denied}${because(why)}.`)]
      : []),
  ];
}

/** `from`: the name of the task of the step. */
const again = (from: string) => `went on from the step ${quoted(from)}, which was done again with what came after it`;

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function time(at: number): string {
  return new Date(at).toISOString();
}

/** On one line, and without a meaning in Markdown: these are texts of models and entries. */
function literal(text: string): string {
  return (
    text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[\\`*_{}[\]()<>#+!|~&]/g, String.raw`\$&`)
      // Many readers of Markdown make links of bare addresses.
      .replaceAll(/:\/\/|@|\bwww\./gi, (found) => (found === 'www.' || /^w/i.test(found) ? `${found.slice(0, 3)}\\.` : `\\${found}`))
  );
}
