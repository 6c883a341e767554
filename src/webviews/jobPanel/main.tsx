/** Entry of the page of a job: shows what the extension has read of the portal. */
import * as l10n from '../../base/l10n.ts';
import { render } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import './jobPanel.css';
import '../jobs/result/result.css';
import type { StepInput } from '../../views/portal/jobData.ts';
import type { OfferedDeed } from '../../views/portal/result/resultQuestions.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { useDeeds } from '../jobs/actions/useDeeds.ts';
import { JobView } from '../jobs/JobView.tsx';
import { Result } from '../jobs/result/Result.tsx';
import { StartList } from '../jobs/StartList.tsx';
import { ownSelectAll } from '../port/ownSelectAll.ts';
import { panelResult } from './panelResult.ts';
import type { JobMessage, JobPageMessage, JobPanelMessage } from './protocol.ts';
import { type NewRequest, Requests } from './requests.ts';

declare function acquireVsCodeApi(): { postMessage(message: JobPageMessage): void };

const api = acquireVsCodeApi();
const post = (message: JobPageMessage) => api.postMessage(message);
const requests = new Requests(post);

async function inputOf(jobId: string, workId: number): Promise<StepInput> {
  const { input } = await requests.ask({ type: 'stepInput', jobId, workId });
  if (!input) throw new Error(l10n.t('The portal did not say what the step gets.'));
  return input;
}

function JobPage({ shown }: { shown: JobMessage }) {
  const [folder, setFolder] = useState<string>();
  // What went wrong with one run is nothing to another.
  return <JobPanelView key={shown.jobId ?? ''} {...shown} folder={folder ?? shown.folder} onFolder={setFolder} />;
}

function JobPanelView({ folder, onFolder, ...shown }: JobMessage & { onFolder(folder: string): void }) {
  const { isRunning, jobId, job, offer, waiting = [], at, problem: notRead } = shown;
  const heading = useRef<HTMLHeadingElement>(null);
  // Only the user chooses another one.
  useLayoutEffect(() => heading.current?.focus(), []);
  const { problem: notDone, act } = useDeeds();
  const ask = (asked: NewRequest, done?: () => void) => act(JSON.stringify(asked), () => requests.ask(asked), done);
  const showSession = (sessionId: string, host?: string, atCard?: true) =>
    ask({ type: 'showSession', sessionId, ...(host !== undefined && { host }), ...(atCard && { atCard }) });
  const port = useMemo(() => jobId !== undefined && panelResult(jobId, requests, ask, post), [jobId]);
  const problems = [notDone, notRead].filter((text) => text !== undefined && text !== '');
  return (
    <main>
      <h1 ref={heading} tabIndex={-1}>
        {jobId === undefined ? l10n.t('Start a job') : job ? oneLine(job.jobName) : l10n.t('Job')}
      </h1>
      <div role="alert">
        {problems.map((text) => (
          <p key={text} class="problem">
            {text}
          </p>
        ))}
      </div>
      {!isRunning ? (
        <>
          <p>{l10n.t('The portal runs tasks and jobs of agents: a file says which. It does not run.')}</p>
          <button type="button" class="main-button" onClick={() => post({ type: 'openPortal' })}>
            {l10n.t('Open the Portal')}
          </button>
        </>
      ) : jobId !== undefined && job ? (
        <JobView
          job={job}
          now={at}
          waiting={new Set(waiting.map(({ sessionId }) => sessionId))}
          actions={{
            change: (change, done) => ask({ type: 'change', jobId, change }, done),
            inputOf: (workId) => inputOf(jobId, workId),
          }}
          onSession={showSession}
          // What was done comes with the next news of the run, which the extension asks for.
          result={port && <Result {...{ job, port }} now={at} heading="h2" onDone={() => undefined} />}
          answers={(sessionIds) =>
            waiting
              .filter(({ sessionId }) => sessionIds.includes(sessionId))
              .map(({ sessionId, host }) => (
                <p key={sessionId} class="row">
                  <span>{l10n.t('Its session waits for you.')}</span>
                  <button type="button" class="main-button" onClick={() => showSession(sessionId, host, true)}>
                    {l10n.t({ message: 'Answer it', comment: 'what waits' })}
                  </button>
                </p>
              ))
          }
        />
      ) : jobId === undefined && offer ? (
        <StartList
          {...{ offer, folder, onFolder }}
          noJobs={l10n.t('The entry of the portal has no jobs.')}
          onStart={(start, close) => ask({ type: 'start', folder, ...start }, close)}
        />
      ) : (
        <p>{notRead === undefined ? l10n.t('Loading…') : ''}</p>
      )}
    </main>
  );
}

/** What is begun already is gone on with. */
function begin(deed: OfferedDeed): void {
  const place = document.querySelector<HTMLElement>(`[data-begins="${deed}"]`);
  place?.focus();
  place?.click();
}

ownSelectAll(document);
// The extension posts lists. Other scripts of the frame may post too, but not lists.
window.addEventListener('message', ({ data }: MessageEvent<readonly JobPanelMessage[]>) => {
  if (!Array.isArray(data)) return;
  for (const message of data)
    if (message.type === 'answer') requests.answered(message);
    else if (message.type === 'begin') begin(message.deed);
    else render(<JobPage shown={message} />, document.body);
});
post({ type: 'ready' });
