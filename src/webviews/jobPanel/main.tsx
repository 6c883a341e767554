/** Entry of the page of a job: shows what the extension has read of the portal. */
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import './jobPanel.css';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobView } from '../jobs/JobView.tsx';
import { StartList } from '../jobs/StartList.tsx';
import type { JobMessage, JobPageMessage } from './protocol.ts';

declare function acquireVsCodeApi(): { postMessage(message: JobPageMessage): void };

const api = acquireVsCodeApi();
const post = (message: JobPageMessage) => api.postMessage(message);

function JobPage({ shown }: { shown: JobMessage }) {
  const [givenFolder, setFolder] = useState<string>();
  const { isRunning, jobId, job, offer, waiting, at, problem } = shown;
  const folder = givenFolder ?? shown.folder;
  const heading = useRef<HTMLHeadingElement>(null);
  // Only the user chooses another one.
  useLayoutEffect(() => heading.current?.focus(), [jobId]);
  return (
    <main>
      <h1 ref={heading} tabIndex={-1}>
        {jobId === undefined ? 'Start a job' : job ? oneLine(job.jobName) : 'Job'}
      </h1>
      <div role="alert">{problem && <p class="problem">{problem}</p>}</div>
      {!isRunning ? (
        <>
          <p>The portal runs tasks and jobs of agents: a file says which. It does not run.</p>
          <button type="button" class="main-button" onClick={() => post({ type: 'openPortal' })}>
            Open the Portal
          </button>
        </>
      ) : jobId !== undefined && job ? (
        <JobView
          key={jobId}
          job={job}
          now={at}
          waiting={new Set(waiting)}
          onStop={() => post({ type: 'stop', jobId })}
          onContinue={(loopCap) => post({ type: 'continue', jobId, ...(loopCap !== undefined && { loopCap }) })}
        />
      ) : jobId === undefined && offer ? (
        <StartList
          {...{ offer, folder }}
          noJobs="The entry of the portal has no jobs."
          onFolder={setFolder}
          onStart={(start, close) => {
            close();
            post({ type: 'start', folder, ...start });
          }}
        />
      ) : (
        <p>{problem === undefined ? 'Loading…' : ''}</p>
      )}
    </main>
  );
}

// The extension posts lists. Other scripts of the frame may post too, but not lists.
window.addEventListener('message', ({ data }: MessageEvent<readonly JobMessage[]>) => {
  if (!Array.isArray(data)) return;
  for (const shown of data) render(<JobPage shown={shown} />, document.body);
});
post({ type: 'ready' });
