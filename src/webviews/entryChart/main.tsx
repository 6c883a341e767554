/** Entry of the page with the charts of an entry, beside the editor in which it is written. */
import { render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import './entryChart.css';
import { stepViews } from '../../views/portal/jobSteps.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobChart } from '../jobs/JobChart.tsx';
import { StepList } from '../jobs/StepList.tsx';
import type { EntryChartMessage, EntryChartPageMessage } from './protocol.ts';

declare function acquireVsCodeApi(): { postMessage(message: EntryChartPageMessage): void };

const NO_NAME = 'A job without a name';

function EntryChartPage({ jobs, at, problem }: EntryChartMessage) {
  /** By the user, for as long as the caret stays in the same job. */
  const [chosen, choose] = useState<string>();
  useLayoutEffect(() => choose(undefined), [at]);
  const [selected, select] = useState<number>();
  const shown = jobs.find(({ name }) => name === (chosen ?? at)) ?? jobs[0];
  const steps = shown ? stepViews(shown.chart, [], 0) : [];
  return (
    <main>
      <h1>{shown ? oneLine(shown.name) || NO_NAME : 'Chart'}</h1>
      <div role="status">{problem !== undefined && <p class="problem">{problem}</p>}</div>
      {jobs.length > 1 && shown && (
        <label>
          Job{' '}
          <select value={shown.name} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {jobs.map(({ name }) => (
              <option key={name} value={name}>
                {oneLine(name) || NO_NAME}
              </option>
            ))}
          </select>
        </label>
      )}
      {shown ? (
        <div class="job-parts">
          <StepList {...{ steps, ...(selected !== undefined && { selected }) }} now={0} onSelect={select} />
          <JobChart
            chart={shown.chart}
            {...{ steps, ...(selected !== undefined && { selected }) }}
            label={`Chart of ${oneLine(shown.name) || NO_NAME}`}
            onSelect={select}
          />
        </div>
      ) : (
        problem === undefined && <p class="hint">The file has no jobs yet.</p>
      )}
    </main>
  );
}

// The extension posts lists. Other scripts of the frame may post too, but not lists.
window.addEventListener('message', ({ data }: MessageEvent<readonly EntryChartMessage[]>) => {
  if (!Array.isArray(data)) return;
  for (const shown of data) render(<EntryChartPage {...shown} />, document.body);
});
acquireVsCodeApi().postMessage({ type: 'ready' });
