/** A trial of a job: how it ends, its chart with the steps taken, what each of them got, and the outcomes to choose. */
import * as l10n from '../../base/l10n.ts';
import { said } from '../../base/text/phrase.ts';
import { useState } from 'preact/hooks';
import type { ChartGraph } from '../../views/portal/jobData.ts';
import type { TrialScript } from '../../views/portal/trial/trial.ts';
import { trialViews } from '../../views/portal/trial/trialSteps.ts';
import { trialEnd } from '../../views/portal/trial/trialEnd.ts';
import { shownText } from '../../views/portal/shownText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobChart } from '../jobs/JobChart.tsx';
import { Outcomes } from './Outcomes.tsx';
import type { ShownTrial } from './protocol.ts';
import { TrialSteps } from './TrialSteps.tsx';

interface TrialViewProps {
  trial: ShownTrial;
  chart: ChartGraph;
  label: string;
  onChange(script: TrialScript): void;
}

/** Must get the name of the job as its key. */
export function TrialView({ trial: { script, result }, chart, label, onChange }: TrialViewProps) {
  const [selected, select] = useState<number>();
  const [open, setOpen] = useState<number>();
  const { steps, facts, warnings, notReached, tasks, requireUserInput, hasLoop, loopCap } = result;
  const views = trialViews(chart, result);
  const ofNode = (nodeId: number | undefined) => views.find((view) => view.nodeId === nodeId);
  const onNode = (nodeId: number) => {
    select(nodeId);
    const workId = ofNode(nodeId)?.workId;
    const shown = steps.find(({ number }) => number === open);
    if (shown?.workId !== workId) setOpen(steps.find((step) => step.workId === workId)?.number);
  };
  const onOpen = (number: number | undefined) => {
    setOpen(number);
    const workId = steps.find((step) => step.number === number)?.workId;
    if (workId !== undefined) select(views.find((view) => view.workId === workId)?.nodeId);
  };
  return (
    <>
      <Outcomes {...{ tasks, script, onChange }} hasInput={requireUserInput} {...(hasLoop && { loopCap })} />
      {[...facts.map(said), ...warnings.map((warning) => l10n.t`Warning: ${said(warning)}`)].map((words) => (
        <p key={words} class="hint">
          {shownText(words)}
        </p>
      ))}
      <div class="job-parts">
        <section aria-labelledby="taken">
          <h2 id="taken">{l10n.t('Steps')}</h2>
          <TrialSteps
            {...{ steps, onOpen, ...(open !== undefined && { open }) }}
            conditions={new Set(views.filter(({ isCondition }) => isCondition).map(({ workId }) => workId))}
          />
          {notReached.length > 0 && (
            <p class="hint">{l10n.t`Not reached: ${notReached.map((name) => l10n.t`“${oneLine(name)}”`).join(', ')}`}</p>
          )}
        </section>
        <JobChart chart={chart} steps={views} {...{ label, ...(selected !== undefined && { selected }) }} onSelect={onNode} />
      </div>
    </>
  );
}

/** How it ends, for everybody. */
export function trialSummary({ result }: ShownTrial): string {
  return shownText(l10n.sentencesText([trialEnd(result), l10n.t('Nothing was run.')]));
}
