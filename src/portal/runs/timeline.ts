/** Everything that happened in a run, in order of time, to be read and to be kept elsewhere. */
import type { JobState, QueuePlace } from './jobState.ts';
import type { StepKey } from './runEvents.ts';
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
  queue,
  endedAt,
  status,
  reason,
  workingDirectory,
  history = [],
  steps,
}: JobState): TimelineEntry[] {
  const run = (at: number, text: string): TimelineEntry => ({ at, kind: 'run', text });
  const entries = [
    ...(queue ? [run(queue.since, `The job ${quoted(definition.jobName)} was queued${notBefore(queue)}.`)] : []),
    // One that was stopped in the queue never began.
    ...(!queue || (queue.until !== undefined && queue.until !== endedAt)
      ? [run(startedAt, `The job ${quoted(definition.jobName)} began in ${workingDirectory}${late(queue)}.`)]
      : []),
    ...history.map(({ at, what, reason: why }) => run(at, `The job ${ends[what]}${because(why)}.`)),
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
  const slug = definition.jobName.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40);
  return { fileName: `${slug}-${jobId.slice(0, 8)}.md`, markdown };
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

function notBefore({ notBefore: at }: QueuePlace): string {
  return at === undefined ? '' : `, to begin at ${time(at)} or later`;
}

function late(queue: QueuePlace | undefined): string {
  return queue?.isLate ? ', late, because no portal ran at the time at which it was to begin' : '';
}

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
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]()<>#+!|~&]/g, String.raw`\$&`);
}
