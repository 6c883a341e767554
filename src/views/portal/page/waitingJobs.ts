/** The runs in which something waits, so that its rows can name them. */
import * as l10n from '../../../base/l10n.ts';
import { messageOf } from '../../../base/errors.ts';
import type { JobStatus } from '../jobData.ts';
import type { SessionSummary } from '../sessionData.ts';

const MAX_JOBS = 10;

export interface WaitingJobs {
  /** By their ids. */
  readonly jobs: ReadonlyMap<string, JobStatus>;
  /** What is not known, and why. */
  readonly problem?: string;
}

/** A run that cannot be had is named, and the others are there. */
export async function waitingJobs(
  sessions: readonly Pick<SessionSummary, 'waiting' | 'use'>[],
  ask: (jobId: string) => Promise<JobStatus>,
): Promise<WaitingJobs> {
  const ids = new Set(sessions.flatMap(({ waiting, use }) => (waiting > 0 && use?.jobId !== undefined ? [use.jobId] : [])));
  const asked = await Promise.allSettled([...ids].slice(0, MAX_JOBS).map(ask));
  const jobs = new Map(asked.flatMap((one) => (one.status === 'fulfilled' ? [[one.value.jobId, one.value]] : [])));
  const failed = asked.flatMap((one) => (one.status === 'rejected' ? [messageOf(one.reason)] : []));
  if (failed.length === 0) return { jobs };
  const reasons = [...new Set(failed)].join(' ');
  const problem = l10n.plural(
    failed.length,
    l10n.t`The steps of ${l10n.countText(failed.length)} run in which something waits could not be read. ${reasons}`,
    l10n.t`The steps of ${l10n.countText(failed.length)} runs in which something waits could not be read. ${reasons}`,
  );
  return { jobs, problem };
}
