/** The steps of a job as its chart and its list show them. */
import * as l10n from '../../base/l10n.ts';
import { durationText, roughDuration } from '../text/time/duration.ts';
import { oneLine } from '../text/oneLine.ts';
import type { RunStatus } from './answers/runAnswers.ts';
import type { ChartGraph, ChartNode, JobStatus, StepRun } from './jobData.ts';

/** `Waiting`: it runs, and a session of it waits for the user. `Queued`: of a run that has not begun. `Answered`: a condition, whose failure is the answer “false” and no error. */
export type StepStatus = 'NotStarted' | 'Queued' | 'Waiting' | RunStatus | 'Skipped' | 'AnsweredTrue' | 'AnsweredFalse';

/** One step: what a task node of the chart stands for. */
export interface StepView {
  nodeId: number;
  workId: number;
  name: string;
  /** The agent host of its last run that counts, where it is not that of the portal. On one line. */
  host?: string;
  isCondition: boolean;
  status: StepStatus;
  /** “Running”, “Succeeded”, …: never told by a colour alone. */
  statusText: string;
  /** Somebody has refused something in its last run that counts: “1 call denied”. */
  denied?: string;
  /** Nothing has happened in it for a while: “nothing has happened for 20 min”. */
  stalled?: string;
  /** Of its last run that counts. */
  elapsed?: string;
  /** Oldest first. */
  runs: readonly StepRun[];
  /** What comes after it: “b”, “true: a; false: the end”. */
  next: string;
}

const words: Record<StepStatus, string> = {
  NotStarted: l10n.t('Not started'),
  Queued: l10n.t('Queued'),
  Waiting: l10n.t('Waits for you'),
  Executing: l10n.t('Running'),
  Succeeded: l10n.t('Succeeded'),
  Failed: l10n.t('Failed'),
  Stopped: l10n.t('Stopped'),
  Interrupted: l10n.t('Interrupted'),
  Paused: l10n.t('Paused'),
  Skipped: l10n.t('Skipped'),
  AnsweredTrue: l10n.t('Answered: true'),
  AnsweredFalse: l10n.t('Answered: false'),
};

/** In reading order. `runs`: none for a job that has not started. `waiting`: ids of the sessions that wait for the user. */
export function stepViews(chart: ChartGraph, runs: readonly StepRun[], now: number, waiting: ReadonlySet<string> = new Set()): StepView[] {
  const byWork = new Map<number, StepRun[]>();
  for (const run of runs) byWork.set(run.workId, [...(byWork.get(run.workId) ?? []), run]);
  return chart.nodes.flatMap((node) => {
    if (typeof node.hint === 'string') return [];
    const [kind, workId] = node.hint;
    const own = byWork.get(workId) ?? [];
    const last = own.findLast(({ redone }) => !redone);
    const isCondition = kind === 'CondNode';
    const status = last && waits(last, waiting) ? 'Waiting' : statusOf(last, isCondition);
    return {
      ...{ nodeId: node.id, workId, name: nameOf(node), isCondition, status, statusText: words[status], runs: own },
      ...(last?.task?.host !== undefined && { host: oneLine(last.task.host, MAX_NAME) }),
      ...((last?.task?.denied ?? 0) > 0 && { denied: deniedText(last?.task?.denied ?? 0) }),
      ...(last?.task?.stalledSince !== undefined && { stalled: stalledText(last.task.stalledSince, now) }),
      ...(last && { elapsed: elapsedOf(last, now) }),
      next: nextText(chart, node),
    };
  });
}

export function runStatusText(run: StepRun, isCondition: boolean): string {
  return words[statusOf(run, isCondition)];
}

export function stepStatusText(status: StepStatus): string {
  return words[status];
}

/** Of a run. `waits`: something of it waits for the user. */
export function shownStatus({ status, queuedFor }: Pick<JobStatus, 'status' | 'queuedFor'>, waits: boolean): StepStatus {
  if (status !== 'Executing') return status;
  return queuedFor !== undefined ? 'Queued' : waits ? 'Waiting' : status;
}

/** Of a job. `status`: as it is shown. */
export function jobStatusText({ status, pausing }: { status: StepStatus; pausing?: unknown }): string {
  if (pausing && status === 'Executing') return l10n.t('Running, to be paused');
  if (pausing && status === 'Waiting') return l10n.t('Waits for you, to be paused');
  return words[status];
}

export function deniedText(denied: number): string {
  return l10n.plural(denied, l10n.t`${l10n.countText(denied)} call was denied`, l10n.t`${l10n.countText(denied)} calls were denied`);
}

/** `since`: when something happened last. */
export function stalledText(since: number, now: number): string {
  return l10n.t`nothing has happened for ${roughDuration(now - since)}`;
}

/** How long it took, or has taken so far. */
export function elapsedOf({ startedAt, endedAt }: { startedAt: number; endedAt?: number }, now: number): string {
  return endedAt === undefined ? roughDuration(now - startedAt) : durationText(Math.max(0, endedAt - startedAt));
}

/** The step to show while the user has chosen none: what runs, else what failed, else what ran last. */
export function stepOfInterest(steps: readonly StepView[], runs: readonly StepRun[]): StepView | undefined {
  return (
    steps.find(({ status }) => status === 'Waiting') ??
    steps.find(({ status }) => status === 'Executing') ??
    steps.find(({ status }) => status === 'Failed' || status === 'Interrupted') ??
    steps.find(({ workId }) => workId === runs.at(-1)?.workId) ??
    steps[0]
  );
}

/** What a screen reader is told of the difference between two states of one job. */
export function spokenChanges(before: JobStatus, after: JobStatus): string {
  const known = new Map(before.steps.map((run) => [keyOf(run), run.status]));
  const conditions = new Set(after.chart.nodes.flatMap(({ hint }) => (hint[0] === 'CondNode' ? [Number(hint[1])] : [])));
  const steps = after.steps
    .filter((run) => known.get(keyOf(run)) !== run.status)
    .map((run) => l10n.t`${oneLine(run.taskName, MAX_NAME)}: ${words[statusOf(run, conditions.has(run.workId))]}.`);
  const textOf = (one: JobStatus) => jobStatusText({ ...one, status: shownStatus(one, false) });
  const [then, now] = [textOf(before), textOf(after)];
  const job = then === now ? [] : [l10n.t`The job ${oneLine(after.jobName, MAX_NAME)}: ${now}.`];
  return l10n.sentencesText([...steps.slice(-MAX_SPOKEN), ...job]);
}

const MAX_NAME = 80;
const MAX_SPOKEN = 5;

/** A step that is done again has the key of the one before, and another task. */
function keyOf({ step, startedAt }: StepRun): string {
  return `${step} ${startedAt}`;
}

function waits({ status, task }: StepRun, waiting: ReadonlySet<string>): boolean {
  return status === 'Executing' && (task?.sessions ?? []).some((one) => one.status === 'Running' && waiting.has(one.sessionId));
}

/** As the chart shows it: a condition that fails is an answer. */
export function statusOf(run: Pick<StepRun, 'status' | 'skipped' | 'crashError'> | undefined, isCondition: boolean): StepStatus {
  if (!run) return 'NotStarted';
  if (run.skipped) return 'Skipped';
  if (!isCondition || run.crashError !== undefined) return run.status;
  return run.status === 'Succeeded' ? 'AnsweredTrue' : run.status === 'Failed' ? 'AnsweredFalse' : run.status;
}

function nameOf({ label }: ChartNode): string {
  return oneLine(label) || l10n.t('Step without a name');
}

function nextText(chart: ChartGraph, node: ChartNode): string {
  const parts = (node.arrows ?? []).map((arrow) => arrowText(arrow, targetText(chart, chart.nodes[arrow.to])));
  return parts.length === 0 ? l10n.t('the end') : parts.join('; ');
}

/** `label`: an answer of a condition. */
function arrowText({ loopBack, label }: Pick<NonNullable<ChartNode['arrows']>[number], 'loopBack' | 'label'>, where: string): string {
  if (label === undefined) return loopBack ? l10n.t`back to ${where}` : where;
  return loopBack ? l10n.t`${label}: back to ${where}` : l10n.t`${label}: ${where}`;
}

/** Follows what only joins others. */
function targetText(chart: ChartGraph, node: ChartNode | undefined, budget = MAX_FOLLOWED): string {
  if (!node || budget === 0) return l10n.t('more');
  if (typeof node.hint !== 'string') return nameOf(node);
  const arrows = node.arrows ?? [];
  const follow = (to: number) => targetText(chart, chart.nodes[to], budget - 1);
  if (node.hint === 'ParBegin' && arrows.length > 0) {
    const names = arrows.slice(0, MAX_NAMED).map(({ to }) => follow(to));
    const all = names.reduce((before, name) => l10n.t`${before} beside ${name}`);
    return arrows.length > MAX_NAMED ? l10n.t`${all} and more` : all;
  }
  if (node.hint === 'ParEnd' && arrows[0]) return l10n.t`${follow(arrows[0].to)}, once all beside it have ended`;
  if (node.hint === 'CondEnd' && arrows.length > 0) return arrows.map((arrow) => arrowText(arrow, follow(arrow.to))).join(', ');
  return arrows[0] ? arrowText({ loopBack: arrows[0].loopBack }, follow(arrows[0].to)) : l10n.t('the end');
}

const MAX_FOLLOWED = 6;
const MAX_NAMED = 4;
