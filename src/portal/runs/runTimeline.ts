/** Everything that happened in a run, in order of time, to be read and to be kept elsewhere. */
import { type JobState, type JobTurn, neverBegan, type QueuePlace } from './jobState.ts';
import type { ResultChange } from './resultChange.ts';
import type { StepKey } from './runEvents.ts';
import { timelineFileName } from '../../views/portal/page/timelineFileName.ts';
import { reasonOf } from './runSummary.ts';
import { RUN_TREE, type WorktreeState } from './worktreeState.ts';

/** An edited prompt is quoted up to this length. */
const MAX_QUOTE = 500;

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
  Pausing: 'is to pause after the steps that run',
  PauseWithdrawn: 'is not to pause any more',
  Paused: 'was paused: the steps that ran have ended, and nothing new was started',
} as const;

export function timeline(state: JobState): TimelineEntry[] {
  const {
    definition,
    startedAt,
    queue,
    endedAt,
    status,
    reason,
    workingDirectory,
    history = [],
    steps,
    worktrees = [],
    stoppedBy,
    resultChanges = [],
  } = state;
  const run = (at: number, text: string): TimelineEntry => ({ at, kind: 'run', text });
  const entries = [
    ...(queue ? [run(queue.since, `The job ${quoted(definition.jobName)} was queued${notBefore(queue)}.`)] : []),
    ...(neverBegan(state) ? [] : [run(startedAt, `The job ${quoted(definition.jobName)} began in ${workingDirectory}${late(queue)}.`)]),
    ...history.flatMap(turnEntries),
    ...worktrees.flatMap((tree) => worktreeWords(tree, workingDirectory).map(([at, text]) => run(at, text))),
    ...steps.flatMap(stepEntries),
    ...(endedAt !== undefined && status !== 'Executing'
      ? [run(endedAt, `The job ${ends[status]}${whose(stoppedBy)}${because(reason)}.`)]
      : []),
    ...resultChanges.map((change) => ({ at: change.at, kind: 'answer' as const, text: resultWords(change) })),
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
    [neverBegan(state) ? 'Queued' : 'Began', time(startedAt)],
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

function worktreeWords(tree: WorktreeState, folder: string): [at: number, text: string][] {
  const { id, path, branch, uncommitted = 0, status, madeAt, at, files = [] } = tree;
  const who = id === RUN_TREE ? 'The run' : `The branch of the work that begins with ${id}`;
  const without = uncommitted === 0 ? '' : `. It does not have what is not committed in ${folder}: ${uncommitted} files`;
  const ends = {
    Made: [],
    Merged: [[at, `${branch} was merged into ${id === RUN_TREE ? folder : 'what the run works in'}.`]],
    Conflict: [[at, `${branch} was not merged: others have changed ${files.join(', ')} too. It is left, in ${path}.`]],
    Left: [[at, `The work is left on ${branch}.`]],
  } satisfies Record<WorktreeState['status'], [number, string][]>;
  return [[madeAt, `${who} works in a work tree of its own, ${path}, on ${branch}${without}.`], ...(ends[status] as [number, string][])];
}

function stepEntries(step: JobState['steps'][number]): TimelineEntry[] {
  const { step: key, workId, taskName, startedAt, endedAt, status, task, skipped } = step;
  const end = skipped?.was ?? status;
  const entry = (at: number, kind: TimelineEntry['kind'], text: string): TimelineEntry => ({ at, kind, text, step: key, workId, taskName });
  const denied = task?.denied === undefined ? '' : `, and ${task.denied === 1 ? 'one call was' : `${task.denied} calls were`} denied`;
  const why = end === 'Succeeded' ? undefined : reasonOf(step);
  return [
    entry(startedAt, 'step', `The step began${task ? ` with the model ${task.model}` : ''}.`),
    ...(task?.decisions ?? []).map(({ at, reason, answer }) => entry(at, answer ? 'answer' : 'decision', reason)),
    ...(endedAt !== undefined && end !== 'Executing' ? [entry(endedAt, 'step', `The step ${ends[end]}${denied}${because(why)}.`)] : []),
    ...(skipped ? [entry(skipped.at, 'answer', `The step was skipped and counts as done${whose(skipped.by)}.`)] : []),
  ];
}

/** `from`: the name of the task of the step. */
const again = (from: string) => `went on from the step ${quoted(from)}, which was done again with what came after it`;

function notBefore({ notBefore: at }: QueuePlace): string {
  return at === undefined ? '' : `, to begin at ${time(at)} or later`;
}

function late(queue: QueuePlace | undefined): string {
  return queue?.isLate ? ', late, because no portal ran at the time at which it was to begin' : '';
}

/** What a person did is there with who it was. */
function turnEntries({ at, what, reason, from, by, edit }: JobTurn): TimelineEntry[] {
  const kind = by === undefined ? 'run' : 'answer';
  const changed = (name: string, value: string | undefined): TimelineEntry[] =>
    !edit || value === undefined
      ? []
      : [
          {
            at,
            kind,
            workId: edit.workId,
            taskName: edit.taskName,
            text: `The ${name} of the step is ${quoted(cut(value))} from now on${whose(by)}.`,
          },
        ];
  return [
    ...changed('input', edit?.userInput),
    ...changed('prompt', edit?.prompt),
    { at, kind, text: `The job ${from === undefined ? ends[what] : again(from)}${whose(by)}${because(reason)}.` },
  ];
}

function resultWords({ did, by, files = [], more = 0, branch = '', commit = '', folder = '', address = '' }: ResultChange): string {
  const names = `${files.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  switch (did) {
    case 'discarded':
      return `Changes were discarded${whose(by)}: ${names}.`;
    case 'committed':
      return `${commit} was committed on the branch ${branch} in ${folder}${whose(by)}: ${names}.`;
    case 'pushed':
      return `The branch ${branch} was pushed to ${address} at ${commit}${whose(by)}.`;
    case 'opened':
      return `A pull request was opened for the branch ${branch}${whose(by)}: ${address}`;
  }
}

function cut(text: string): string {
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
}

function whose(by: string | undefined): string {
  return by === undefined ? '' : `, by ${by}`;
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
  return (
    text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[\\`*_{}[\]()<>#+!|~&]/g, String.raw`\$&`)
      // Many readers of Markdown make links of bare addresses.
      .replaceAll(/:\/\/|@|\bwww\./gi, (found) => (found === 'www.' || /^w/i.test(found) ? `${found.slice(0, 3)}\\.` : `\\${found}`))
  );
}
