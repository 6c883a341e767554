/** Entry of the Jobs view: shows what the extension has read of the portal. */
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import './jobsView.css';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobGrid } from '../jobs/JobGrid.tsx';
import { JobView } from '../jobs/JobView.tsx';
import { RunList } from '../jobs/RunList.tsx';
import { StartForm } from '../jobs/StartForm.tsx';
import type { JobsMessage, JobsViewMessage } from './protocol.ts';

declare function acquireVsCodeApi(): { postMessage(message: JobsViewMessage): void };

const api = acquireVsCodeApi();
const post = (message: JobsViewMessage) => api.postMessage(message);

function JobsPage({ shown }: { shown: JobsMessage }) {
  const [chosen, choose] = useState<string>();
  const [givenFolder, setFolder] = useState<string>();
  const { portal, job, at, problem } = shown;
  const folder = givenFolder ?? shown.folder;
  const heading = useRef<HTMLHeadingElement>(null);
  // Only the user chooses another one, on this page.
  useLayoutEffect(() => heading.current?.focus(), [job?.jobId]);
  const head = (
    <>
      <h1 class="visually-hidden">Jobs</h1>
      <div role="alert">{problem && <p class="problem">{problem}</p>}</div>
    </>
  );
  if (!portal) {
    return (
      <main>
        {head}
        <p>The portal runs tasks and jobs of agents: a file says which. It does not run.</p>
        <button type="button" class="main-button" onClick={() => post({ type: 'openPortal' })}>
          Open the Portal
        </button>
      </main>
    );
  }
  const { offer, runs, waiting } = portal;
  const start = chosen === undefined || !Object.hasOwn(offer.jobs, chosen) ? undefined : offer.jobs[chosen];
  return (
    <main>
      {head}
      {job ? (
        <section aria-labelledby="job">
          <button type="button" onClick={() => post({ type: 'show' })}>
            All Jobs
          </button>
          <h2 id="job" ref={heading} tabIndex={-1}>
            {oneLine(job.jobName)}
          </h2>
          <JobView
            key={job.jobId}
            job={job}
            now={at}
            waiting={new Set(waiting)}
            onStop={() => post({ type: 'stop', jobId: job.jobId })}
            onContinue={() => post({ type: 'continue', jobId: job.jobId })}
          />
        </section>
      ) : (
        <>
          {Object.keys(offer.jobs).length === 0 && <p class="hint">The entry of the portal has no jobs.</p>}
          <JobGrid offer={offer} chosen={chosen} onChoose={choose} />
          {chosen !== undefined && start && (
            <StartForm
              key={chosen}
              jobName={chosen}
              requireUserInput={start.requireUserInput}
              withoutAsking={start.withoutAsking}
              hosts={start.hosts}
              chart={offer.chart[chosen]}
              folder={folder}
              onFolder={setFolder}
              onStart={(userInput) => {
                choose(undefined);
                post({ type: 'start', jobName: chosen, folder, userInput });
              }}
              onCancel={() => choose(undefined)}
            />
          )}
          <h2>Runs</h2>
          <RunList runs={runs} now={at} onShow={(jobId) => post({ type: 'show', jobId })} />
          <p>
            <button type="button" onClick={() => post({ type: 'openPortal' })}>
              Open the Portal’s Page
            </button>
          </p>
        </>
      )}
    </main>
  );
}

// The extension posts lists. Other scripts of the frame may post too, but not lists.
window.addEventListener('message', ({ data }: MessageEvent<readonly JobsMessage[]>) => {
  if (!Array.isArray(data)) return;
  for (const shown of data) render(<JobsPage shown={shown} />, document.body);
});
post({ type: 'ready' });
