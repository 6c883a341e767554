/** The steps of a job as a trial of it has taken them. */
import * as l10n from '../../../base/l10n.ts';
import type { ChartGraph } from '../jobData.ts';
import { stepViews, type StepView } from '../jobSteps.ts';
import type { Trial } from './trial.ts';

/** More numbers have no room in a chart. */
const MAX_NUMBERS = 3;

/** For the chart. In place of the time of each step there is its place in the trial: “step 1, 3”. */
export function trialViews(chart: ChartGraph, { steps }: Pick<Trial, 'steps'>): StepView[] {
  const runs = steps.map(({ step, workId, taskName, status }) => ({ step, workId, taskName, status, startedAt: 0, endedAt: 0 }));
  return stepViews(chart, runs, 0).map((view) => {
    const numbers = steps.filter(({ workId }) => workId === view.workId).map(({ number }) => number);
    const { elapsed: _none, ...rest } = view;
    return numbers.length === 0 ? { ...rest, statusText: l10n.t('Not reached') } : { ...rest, elapsed: placesText(numbers) };
  });
}

function placesText(numbers: readonly number[]): string {
  const shown = numbers.slice(0, MAX_NUMBERS).join(', ');
  return l10n.t`step ${numbers.length > MAX_NUMBERS ? `${shown} … ${numbers.at(-1)}` : shown}`;
}
