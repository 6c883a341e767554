/** The rows of what waits for the user: what it is, and of which run, job, step and task. */
import * as l10n from '../../../base/l10n.ts';
import { displayPath } from '../../text/displayPath.ts';
import { clockText } from '../../text/time/clockText.ts';
import { oneLine } from '../../text/oneLine.ts';
import { relativeTime } from '../../text/time/relativeTime.ts';
import type { WaitingItem } from '../answers/attentionList.ts';
import { refOf, sessionOf } from '../attentionData.ts';
import type { JobStatus } from '../jobData.ts';
import { stepViews } from '../jobSteps.ts';
import type { SessionSummary } from '../sessionData.ts';

export interface WaitingRow {
  id: string;
  title: string;
  what: string;
  /** Of what it is a part: the job, its run, the step, the task. Empty for a session of no task. */
  partOf: string[];
  /** Where it happens, and since when. */
  place: string[];
  /** Its card is on the page of a session, and not only in the list of all. */
  hasPage: boolean;
}

export interface WaitingContext {
  sessions: readonly SessionSummary[];
  /** The runs in which something waits, by their ids, as far as they are known. */
  jobs: ReadonlyMap<string, JobStatus>;
  now: number;
}

const MAX_NAME = 120;

export function waitingRows(items: readonly WaitingItem[], context: WaitingContext): WaitingRow[] {
  return items.map((item) => ({
    id: item.id,
    title: oneLine(item.title) || l10n.t('Session without a title'),
    what: oneLine(item.what),
    partOf: partOf(item, context),
    place: placeOf(item, context.now),
    hasPage: hasPage(item),
  }));
}

/** The sign-in of a host and what only has to be noticed is answered in the list of all. */
export function hasPage(item: WaitingItem): boolean {
  return refOf(item) !== undefined && item.kind !== 'failed';
}

function partOf(item: WaitingItem, { sessions, jobs, now }: WaitingContext): string[] {
  const session = sessionOf(item, sessions);
  const { taskName, jobName, jobId } = session?.use ?? {};
  const job = jobId === undefined ? undefined : jobs.get(jobId);
  return [
    jobName !== undefined && l10n.t`job ${oneLine(jobName, MAX_NAME)}`,
    job && l10n.t`run of ${clockText(job.startedAt, now)}`,
    job && session && stepOf(job, session.sessionId, now),
    taskName !== undefined && l10n.t`task ${oneLine(taskName, MAX_NAME)}`,
  ].filter((fact) => typeof fact === 'string');
}

/** The last, where a loop has brought several. */
function stepOf({ chart, steps }: JobStatus, sessionId: string, now: number): string | undefined {
  const views = stepViews(chart, steps, now);
  const at = views.findLastIndex(({ runs }) => runs.some(({ task }) => task?.sessions.some((one) => one.sessionId === sessionId)));
  return at < 0 ? undefined : l10n.t`step ${at + 1} of ${views.length}`;
}

function placeOf({ host, folder, since }: WaitingItem, now: number): string[] {
  return [
    host !== undefined && l10n.t`at ${oneLine(host, MAX_NAME)}`,
    folder !== undefined && oneLine(displayPath(folder)),
    relativeTime(since, now),
  ].filter((fact) => typeof fact === 'string');
}

/** What comes after something that was answered: the next that waited longer than the rest of those behind it, else the first. */
export function nextWaiting(before: readonly string[], gone: string, now: readonly string[]): string | undefined {
  return before.slice(before.indexOf(gone) + 1).find((id) => now.includes(id)) ?? now[0];
}
