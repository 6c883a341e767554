/** Entry of the page with the charts of an entry, beside the editor in which it is written. */
import * as l10n from '../../base/l10n.ts';
import { render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import './entryChart.css';
import type { TrialScript } from '../../views/portal/trial/trial.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { PlannedSteps } from '../jobs/PlannedSteps.tsx';
import type { EntryChartMessage, EntryChartPageMessage } from './protocol.ts';
import { trialSummary, TrialView } from './TrialView.tsx';

declare function acquireVsCodeApi(): { postMessage(message: EntryChartPageMessage): void };

const NO_NAME = l10n.t('A job without a name');

const post = (() => {
  const { postMessage } = acquireVsCodeApi();
  return (message: EntryChartPageMessage) => postMessage(message);
})();

const tryJob = (job: string, script: TrialScript) => post({ type: 'try', job, ...script });

function EntryChartPage({ jobs, at, problem, trial }: EntryChartMessage) {
  /** By the user, for as long as the caret stays in the same job. */
  const [chosen, choose] = useState<string>();
  useLayoutEffect(() => choose(undefined), [at]);
  const shown = jobs.find(({ name }) => name === (trial?.job ?? chosen ?? at)) ?? jobs[0];
  const title = shown ? oneLine(shown.name) || NO_NAME : l10n.t('Chart');
  const chooseJob = (name: string) => {
    choose(name);
    if (trial) tryJob(name, { outcomes: {} });
  };
  return (
    <main>
      <h1>{title}</h1>
      <div role="status">
        {problem !== undefined && <p class="problem">{problem}</p>}
        {trial && <p>{trialSummary(trial)}</p>}
      </div>
      {jobs.length > 1 && shown && (
        <label>
          {l10n.t('Job')}{' '}
          <select value={shown.name} onChange={({ currentTarget }) => chooseJob(currentTarget.value)}>
            {jobs.map(({ name }) => (
              <option key={name} value={name}>
                {oneLine(name) || NO_NAME}
              </option>
            ))}
          </select>
        </label>
      )}
      {shown && (
        <p class="row">
          {trial ? (
            <button type="button" onClick={() => post({ type: 'endTrial' })}>
              {l10n.t('End the Trial')}
            </button>
          ) : (
            <button type="button" onClick={() => tryJob(shown.name, { outcomes: {} })}>
              {l10n.t('Try with a Scripted Model')}
            </button>
          )}
        </p>
      )}
      {!shown && problem === undefined && <p class="hint">{l10n.t('The file has no jobs yet.')}</p>}
      {shown &&
        (trial ? (
          <TrialView
            key={shown.name}
            {...{ trial, chart: shown.chart }}
            label={l10n.t`Chart of ${title}`}
            onChange={(script) => tryJob(shown.name, script)}
          />
        ) : (
          <PlannedSteps key={shown.name} chart={shown.chart} label={l10n.t`Chart of ${title}`} />
        ))}
    </main>
  );
}

// The extension posts lists. Other scripts of the frame may post too, but not lists.
window.addEventListener('message', ({ data }: MessageEvent<readonly EntryChartMessage[]>) => {
  if (!Array.isArray(data)) return;
  for (const shown of data) render(<EntryChartPage {...shown} />, document.body);
});
post({ type: 'ready' });
