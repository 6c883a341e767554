/** The rows of “Jobs”: the runs of jobs at the portal, and the steps of each. */
import { runReasonText } from './records/runReasonText.ts';
import * as l10n from '../../base/l10n.ts';
import { durationText, roughDuration } from '../text/time/duration.ts';
import { oneLine } from '../text/oneLine.ts';
import { relativeTime } from '../text/time/relativeTime.ts';
import type { TreeIcon, TreeRow } from '../tree/treeRow.ts';
import { changesOffered } from './changes/changesOffered.ts';
import type { JobStatus, JobSummary, StepRun } from './jobData.ts';
import { jobStatusText, shownStatus, type StepStatus, type StepView, stepViews } from './jobSteps.ts';
import { queueText } from './records/queueText.ts';
import type { SessionSummary } from './sessionData.ts';

export interface JobsInput {
  /** Oldest first. */
  readonly runs: readonly JobSummary[];
  /** Of the portal. */
  readonly sessions: readonly SessionSummary[];
  /** The runs of which more is known, by their ids. */
  readonly jobs: ReadonlyMap<string, JobStatus>;
  /** Why nothing newer is known. */
  readonly problem?: string;
  /** In ms since the epoch. */
  readonly now: number;
}

export interface JobsNode extends TreeRow<'openJob'> {
  /** Absent for a row that only says something. */
  readonly jobId?: string;
  readonly icon: TreeIcon;
  /** `run` or `step`, and then the changes that are offered. */
  readonly context: string;
  readonly children?: readonly JobsNode[];
}

const MAX_RUNS = 50;
const MAX_STEPS = 200;
const MAX_REASON = 1_000;

const icons: Readonly<Record<StepStatus, TreeIcon>> = {
  NotStarted: { id: 'circle-outline' },
  Queued: { id: 'clock' },
  Waiting: { id: 'question', color: 'list.warningForeground' },
  Executing: { id: 'loading~spin' },
  Succeeded: { id: 'pass' },
  Failed: { id: 'error', color: 'list.errorForeground' },
  Stopped: { id: 'circle-slash' },
  Interrupted: { id: 'warning', color: 'list.warningForeground' },
  Paused: { id: 'debug-pause' },
  Skipped: { id: 'debug-step-over' },
  AnsweredTrue: { id: 'pass' },
  AnsweredFalse: { id: 'dash' },
};

/** Newest first. */
export function jobsTree({ runs, sessions, jobs, problem, now }: JobsInput): JobsNode[] {
  const waiting = sessions.filter((session) => session.waiting > 0);
  const waitingSessions = new Set(waiting.map(({ sessionId }) => sessionId));
  const waitingJobs = jobsThatWait(sessions);
  const hidden = Math.max(0, runs.length - MAX_RUNS);
  return [
    ...(problem === undefined ? [] : [saying('problem', oneLine(problem, MAX_REASON), 'warning')]),
    ...runs
      .slice(hidden)
      .reverse()
      .map((run) => runNode(run, jobs.get(run.jobId), waitingJobs.has(run.jobId), waitingSessions, now)),
    ...(hidden > 0 ? [saying('earlier', earlierText(hidden))] : []),
  ];
}

/** How many run, and how many things of them wait for the user: calls and questions of jobs, and jobs that have failed after `seen`. */
export function jobsSummary({ runs, sessions }: Pick<JobsInput, 'runs' | 'sessions'>, seen: number): { text: string; needsYou: number } {
  const unended = runs.filter(({ status }) => status === 'Executing');
  const queued = unended.filter(({ queuedFor }) => queuedFor !== undefined).length;
  const running = unended.length - queued;
  const failed = runs.filter((run) => hasFailed(run) && (run.endedAt ?? run.startedAt) > seen).length;
  return { text: goingText(running, queued) ?? runsText(runs.length), needsYou: jobsThatWait(sessions).size + failed };
}

function goingText(running: number, queued: number): string | undefined {
  if (running > 0 && queued > 0) return l10n.t`${l10n.countText(running)} running, ${l10n.countText(queued)} queued`;
  if (running > 0) return l10n.t({ message: '{0} running', args: [l10n.countText(running)], comment: 'runs' });
  return queued > 0 ? l10n.t`${l10n.countText(queued)} queued` : undefined;
}

function runsText(count: number): string {
  return count > 0
    ? l10n.plural(count, l10n.t`${l10n.countText(count)} run`, l10n.t`${l10n.countText(count)} runs`)
    : l10n.t('no runs yet');
}

function earlierText(hidden: number): string {
  return l10n.plural(
    hidden,
    l10n.t`${l10n.countText(hidden)} earlier run is not listed.`,
    l10n.t`${l10n.countText(hidden)} earlier runs are not listed.`,
  );
}

function hasFailed({ status }: JobSummary): boolean {
  return status === 'Failed' || status === 'Interrupted';
}

function jobsThatWait(sessions: readonly SessionSummary[]): Set<string> {
  return new Set(sessions.flatMap(({ waiting, use }) => (waiting > 0 && use?.jobId !== undefined ? [use.jobId] : [])));
}

function runNode(run: JobSummary, job: JobStatus | undefined, waits: boolean, waiting: ReadonlySet<string>, now: number): JobsNode {
  const { jobId, status, attempt, workingDirectory, reason } = run;
  const label = oneLine(run.jobName) || l10n.t('A job without a name');
  const isRunning = status === 'Executing';
  const shown = shownStatus(run, waits);
  const words =
    run.queuedFor === undefined ? jobStatusText({ ...run, status: shown }) : l10n.t`Queued: ${queueText(run.queuedFor, MAX_REASON)}`;
  const description = [words, ...times(run, now), ...(attempt > 1 ? [l10n.t`attempt ${attempt}`] : [])].join(' · ');
  const why = reason === undefined ? [] : [oneLine(runReasonText(reason), MAX_REASON)];
  return {
    ...{ id: `run ${jobId}`, jobId, label, description, icon: icons[shown], action: 'openJob' },
    tooltip: [label, description, ...why, l10n.t`In ${oneLine(workingDirectory, MAX_REASON)}`].join('\n'),
    context: ['run', ...changesOffered(run), ...(isRunning ? [] : ['ended'])].join(' '),
    spoken: [l10n.t`Job ${label}`, description, ...why].join(', '),
    children: job ? stepNodes(job, waiting, now) : [saying(`loading ${jobId}`, l10n.t('Loading…'), 'loading~spin')],
    isOpen: isRunning,
  };
}

function stepNodes(job: JobStatus, waiting: ReadonlySet<string>, now: number): JobsNode[] {
  const steps = stepViews(job.chart, job.steps, now, waiting);
  const { jobId } = job;
  const hidden = Math.max(0, steps.length - MAX_STEPS);
  return [
    ...steps.slice(0, MAX_STEPS).map((step) => stepNode(jobId, step, now)),
    ...(hidden > 0 ? [saying(`more ${jobId}`, moreStepsText(hidden))] : []),
  ];
}

function moreStepsText(hidden: number): string {
  return l10n.plural(
    hidden,
    l10n.t`${l10n.countText(hidden)} more step: open the job to see all.`,
    l10n.t`${l10n.countText(hidden)} more steps: open the job to see all.`,
  );
}

function stepNode(jobId: string, { nodeId, name, host, status, statusText, runs, next, isCondition }: StepView, now: number): JobsNode {
  const label = oneLine(name);
  const last = runs.findLast(({ redone }) => !redone);
  const description = [statusText, ...(last ? times(last, now) : []), ...(runs.length > 1 ? [runsText(runs.length)] : [])].join(' · ');
  const facts = [
    ...(isCondition ? [l10n.t('A condition')] : []),
    ...(host === undefined ? [] : [l10n.t`At the agent host ${host}`]),
    l10n.t`Then: ${next}`,
  ];
  return {
    ...{ id: `step ${jobId} ${nodeId}`, jobId, label, description, icon: icons[status], context: 'step', action: 'openJob' },
    tooltip: [label, description, ...facts].join('\n'),
    spoken: [label, description, ...(isCondition ? [l10n.t('condition')] : [])].join(', '),
  };
}

/** How long it took and when it ended. What runs is told in minutes, so that its row is not drawn again every second. */
function times({ startedAt, endedAt }: Pick<StepRun, 'startedAt' | 'endedAt'>, now: number): string[] {
  if (endedAt === undefined) return now - startedAt < 60_000 ? [] : [roughDuration(now - startedAt)];
  return [durationText(Math.max(0, endedAt - startedAt)), relativeTime(endedAt, now)].filter((text) => text !== '');
}

function saying(id: string, label: string, icon = 'info'): JobsNode {
  return { id, label, icon: { id: icon }, context: '' };
}
