/** Entry of the Jobs view: shows what the extension has read of the portal. */
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import './jobsView.css';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobView } from '../jobs/JobView.tsx';
import { RunList } from '../jobs/RunList.tsx';
import { StartList } from '../jobs/StartList.tsx';
import type { JobsMessage, JobsViewMessage } from './protocol.ts';

declare function acquireVsCodeApi(): { postMessage(message: JobsViewMessage): void };

const api = acquireVsCodeApi();
const post = (message: JobsViewMessage) => api.postMessage(message);

function JobsPage({ shown }: { shown: JobsMessage }) {
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
            onContinue={(loopCap) => post({ type: 'continue', jobId: job.jobId, ...(loopCap !== undefined && { loopCap }) })}
          />
        </section>
      ) : (
        <>
          <StartList
            {...{ offer, folder }}
            noJobs="The entry of the portal has no jobs."
            onFolder={setFolder}
            onStart={(start, close) => {
              close();
              post({ type: 'start', folder, ...start });
            }}
          />
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
