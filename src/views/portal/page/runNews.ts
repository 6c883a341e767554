/** What has become of runs that nobody looks at, for notifications: names of the entry and times, and no text of a model, a tool or a host. */
import * as l10n from '../../../base/l10n.ts';
import { oneLine } from '../../text/oneLine.ts';
import { durationText } from '../../text/time/duration.ts';
import type { JobSummary } from '../jobData.ts';
import { stalledText } from '../jobSteps.ts';

export interface RunNews {
  jobId: string;
  kind: 'failed' | 'stalled' | 'done';
  title: string;
  text: string;
}

interface KnownRun {
  /** Which attempt has ended, and how. Undefined: it goes on. */
  attemptEnd: string | undefined;
  isStalled: boolean;
}
/** By id, also of runs that are not listed any more. */
export type KnownRuns = ReadonlyMap<string, KnownRun>;

const MAX_NAME = 120;
const ORDER: readonly RunNews['kind'][] = ['failed', 'stalled', 'done'];

/** `known`: what is known by now. `before`: undefined where nobody has looked yet, and nothing is news. What needs somebody comes first. */
export function lookAtRuns(
  runs: readonly JobSummary[],
  before: KnownRuns | undefined,
  now: number,
): { known: KnownRuns; news: readonly RunNews[] } {
  const known = new Map(before);
  const news: RunNews[] = [];
  for (const run of runs) {
    const last = before?.get(run.jobId);
    const end = endOf(run);
    const attemptEnd = end && `${run.attempt} ${end}`;
    known.set(run.jobId, { attemptEnd, isStalled: run.stalled !== undefined });
    if (!before) continue;
    if (end && end !== 'stopped' && attemptEnd !== last?.attemptEnd) news.push(endNews(run, end, now));
    else if (run.stalled && !last?.isStalled) news.push(stallNews(run, run.stalled, now));
  }
  return { known, news: news.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)) };
}

/** `stopped`: by somebody, who knows it. A run that is paused goes on. */
function endOf({ status, reason }: JobSummary): 'done' | 'failed' | 'interrupted' | 'usedUp' | 'stopped' | undefined {
  switch (status) {
    case 'Succeeded':
      return 'done';
    case 'Failed':
      return 'failed';
    case 'Interrupted':
      return 'interrupted';
    case 'Stopped':
      return reason === undefined ? 'stopped' : 'usedUp';
    case 'Executing':
    case 'Paused':
      return undefined;
  }
}

type End = 'done' | 'failed' | 'interrupted' | 'usedUp';

const ENDS: Readonly<Record<End, Pick<RunNews, 'kind' | 'title'>>> = {
  done: { kind: 'done', title: l10n.t('A run is done') },
  failed: { kind: 'failed', title: l10n.t('A run has failed') },
  interrupted: { kind: 'failed', title: l10n.t('A run was interrupted') },
  usedUp: { kind: 'failed', title: l10n.t('A run was stopped') },
};

function endNews(run: JobSummary, end: End, now: number): RunNews {
  const { jobId, startedAt, endedAt = now, failedStep } = run;
  const time = durationText(Math.max(0, endedAt - startedAt));
  const step = failedStep && oneLine(failedStep.taskName, MAX_NAME);
  return { jobId, ...ENDS[end], text: endText(end, nameOf(run), step, time) };
}

function endText(end: End, name: string, step: string | undefined, time: string): string {
  switch (end) {
    case 'done':
      return l10n.t`“${name}” has succeeded after ${time}`;
    case 'failed':
      return step === undefined ? l10n.t`“${name}” has failed after ${time}` : l10n.t`“${name}” has failed in “${step}” after ${time}`;
    case 'interrupted':
      return step === undefined
        ? l10n.t`“${name}” was interrupted after ${time}`
        : l10n.t`“${name}” was interrupted in “${step}” after ${time}`;
    case 'usedUp':
      return step === undefined
        ? l10n.t`“${name}” was stopped, because its budget is used up, after ${time}`
        : l10n.t`“${name}” was stopped, because its budget is used up, in “${step}” after ${time}`;
  }
}

function stallNews(run: JobSummary, { taskName, since }: NonNullable<JobSummary['stalled']>, now: number): RunNews {
  const text = l10n.t`“${nameOf(run)}”, “${oneLine(taskName, MAX_NAME)}”: ${stalledText(since, now)}`;
  return { jobId: run.jobId, kind: 'stalled', title: l10n.t('A run is stalled'), text };
}

function nameOf({ jobName }: JobSummary): string {
  return oneLine(jobName, MAX_NAME) || l10n.t('A job without a name');
}
