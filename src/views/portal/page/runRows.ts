/** The rows of runs, by which one is told from another, and what a search of them finds. */
import * as l10n from '../../../base/l10n.ts';
import { clockText } from '../../text/time/clockText.ts';
import { oneLine } from '../../text/oneLine.ts';
import type { WaitingItem } from '../answers/attentionList.ts';
import { sessionOf } from '../attentionData.ts';
import type { JobSummary } from '../jobData.ts';
import { deniedText, elapsedOf, jobStatusText, shownStatus, stalledText, type StepStatus } from '../jobSteps.ts';
import { queueText } from '../records/queueText.ts';
import type { SessionSummary } from '../sessionData.ts';
import { runReasonText } from '../records/runReasonText.ts';
import { reasonTexts } from './decisionWords.ts';

export const runFilters = ['all', 'waiting', 'running', 'paused', 'failed', 'succeeded', 'stopped'] as const;
export type RunFilter = (typeof runFilters)[number];

export interface RunRow {
  jobId: string;
  name: string;
  /** `Waiting`: it runs, and something of it waits for the user. */
  status: StepStatus;
  statusText: string;
  begun: string;
  elapsed: string;
  /** The last part of the folder's path, and all of it. */
  folder: string;
  folderPath: string;
  attempt: number;
  /** What the user gave it. */
  input?: string;
  /** “waits for run 1a2b3c4d (nightly) in this folder” */
  queuedFor?: string;
  /** Of one that waits: “Run npm test, and 1 more” */
  waits?: string;
  /** “2 calls were denied” */
  denied?: string;
  /** “build: nothing has happened for 20 min” */
  stalled?: string;
  /** Which step failed it and why, or why it ended so. */
  failure?: string;
}

const MAX_NAME = 200;
const MAX_REASON = 400;

const statusesOf: Readonly<Record<RunFilter, readonly StepStatus[] | undefined>> = {
  all: undefined,
  waiting: ['Waiting'],
  running: ['Executing', 'Waiting', 'Queued'],
  paused: ['Paused'],
  failed: ['Failed', 'Interrupted'],
  succeeded: ['Succeeded'],
  stopped: ['Stopped'],
};

/** Newest first. `runs`: oldest first. `items`: what waits, in all sessions. */
export function runRows(
  runs: readonly JobSummary[],
  sessions: readonly SessionSummary[],
  items: readonly WaitingItem[],
  now: number,
): RunRow[] {
  const waiting = new Map<string, number>();
  for (const { waiting: count, use } of sessions) {
    if (count > 0 && use?.jobId !== undefined) waiting.set(use.jobId, (waiting.get(use.jobId) ?? 0) + count);
  }
  const firsts = new Map<string, WaitingItem>();
  for (const item of items) {
    // A turn that failed does not wait, and what is not known yet says nothing.
    const jobId = item.kind === 'failed' || item.kind === 'unknown' ? undefined : sessionOf(item, sessions)?.use?.jobId;
    if (jobId !== undefined && !firsts.has(jobId)) firsts.set(jobId, item);
  }
  return runs.map((run) => runRow(run, run.waiting ?? waiting.get(run.jobId) ?? 0, firsts.get(run.jobId), now)).reverse();
}

/** Each word of the search must be somewhere in the row. */
export function foundRuns(rows: readonly RunRow[], filter: RunFilter, search: string): RunRow[] {
  const statuses = statusesOf[filter];
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (statuses && !statuses.includes(row.status)) return false;
    const text = [
      row.name,
      row.statusText,
      row.folderPath,
      row.input ?? '',
      row.queuedFor ?? '',
      row.waits ?? '',
      row.denied ?? '',
      row.stalled ?? '',
      row.failure ?? '',
      row.begun,
    ]
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function runRow(run: JobSummary, waits: number, first: WaitingItem | undefined, now: number): RunRow {
  const { jobId, jobName, attempt, startedAt, workingDirectory, input, denied = 0, stalled } = run;
  const failure = failureOf(run);
  const status = shownStatus(run, waits > 0);
  const folderPath = oneLine(workingDirectory, MAX_REASON);
  return {
    ...{ jobId, status, attempt, folderPath },
    name: oneLine(jobName, MAX_NAME) || l10n.t('A job without a name'),
    statusText: jobStatusText({ ...run, status }),
    begun: clockText(startedAt, now),
    elapsed: elapsedOf(run, now),
    folder: folderPath.split(/[\\/]/).findLast((part) => part !== '') ?? folderPath,
    ...(input !== undefined && oneLine(input) !== '' && { input: oneLine(input, MAX_REASON) }),
    ...(run.queuedFor !== undefined && { queuedFor: queueText(run.queuedFor, MAX_REASON) }),
    ...(status === 'Waiting' && waitsText(waits, first)),
    ...(denied > 0 && { denied: deniedText(denied) }),
    ...(stalled && { stalled: stalledStepText(stalled, now) }),
    ...(failure !== undefined && { failure }),
  };
}

/** One thing of which nothing is known is what the status says. */
function waitsText(count: number, first: WaitingItem | undefined): Pick<RunRow, 'waits'> {
  const what = first && (oneLine(first.what, MAX_REASON) || oneLine(first.title, MAX_REASON));
  if (!what) return count > 1 ? { waits: l10n.t`${l10n.countText(count)} things wait` } : {};
  return { waits: count > 1 ? l10n.t`${what}, and ${l10n.countText(count - 1)} more` : what };
}

export function stalledStepText({ taskName, since }: NonNullable<JobSummary['stalled']>, now: number): string {
  return l10n.t`${oneLine(taskName, MAX_NAME)}: ${stalledText(since, now)}`;
}

/** The step and its last reason say more than that its work failed. */
export function failureOf({ status, failedStep, reason }: Pick<JobSummary, 'status' | 'failedStep' | 'reason'>): string | undefined {
  if (!failedStep) return reason === undefined ? undefined : oneLine(runReasonText(reason), MAX_REASON);
  const [decided] = failedStep.reason === undefined ? [] : reasonTexts([failedStep.reason]);
  const why = decided ?? (reason && runReasonText(reason));
  // Somebody has stopped the step, and who is said elsewhere.
  if (status === 'Stopped' && why === undefined) return undefined;
  const task = oneLine(failedStep.taskName, MAX_NAME);
  return oneLine(
    why === undefined ? l10n.t({ message: '{0} failed', args: [task], comment: 'a step' }) : l10n.t`${task}: ${why}`,
    MAX_REASON,
  );
}
