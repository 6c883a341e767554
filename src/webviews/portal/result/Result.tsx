/** What a run has brought about: the first that its page shows. */
import { useEffect } from 'preact/hooks';
import type { JobStatus } from '../../../views/portal/jobData.ts';
import { type ResultOfStep, runResult } from '../../../views/portal/page/resultData.ts';
import { changedLines } from '../../../views/portal/page/resultWords.ts';
import { counted } from '../../../views/text/counted.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { read } from '../portalApi.ts';
import { usePolled } from '../usePolled.ts';
import { DocumentRow } from './DocumentRow.tsx';
import { FileRow } from './FileRow.tsx';
import { Lines } from './Lines.tsx';

const RUNNING_MS = 5_000;
/** Others may change the files of a run that has ended. */
const ENDED_MS = 30_000;

/** Must get the job's id as its key. */
export function Result({ job }: { job: JobStatus }) {
  const path = `copilot/job/${encodeURIComponent(job.jobId)}/result`;
  const isRunning = job.status === 'Executing';
  const { value, problem, refresh } = usePolled(path, (signal) => read(path, runResult, signal), isRunning ? RUNNING_MS : ENDED_MS);
  const ended = job.steps.filter(({ status }) => status !== 'Executing').length;
  useEffect(() => refresh(), [job.status, ended]);
  const changed = value && changedLines(value.steps);
  const documents = (value?.steps ?? []).flatMap((step) => step.documents);
  return (
    <section class="result" aria-labelledby="result-title">
      <h3>
        <span id="result-title">Result</span>
        {changed && (
          <span class="result-sum">
            {changed.text} <Lines {...changed} />
          </span>
        )}
      </h3>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {!value && problem === undefined && <p class="hint">Reading what has changed…</p>}
      {value?.steps.length === 0 && <p class="hint">{isRunning ? 'No file has changed yet.' : 'No file has changed.'}</p>}
      {value?.steps.map((step) => (
        <StepResult key={step.step + String(step.redone)} {...{ path, step }} isOnlyDocument={documents.length === 1} />
      ))}
    </section>
  );
}

function StepResult({ path, step, isOnlyDocument }: { path: string; step: ResultOfStep; isOnlyDocument: boolean }) {
  const { taskName, host, redone, changes, documents, problems } = step;
  const name = oneLine(taskName);
  return (
    <section class="result-step" aria-label={`Result of ${name}`}>
      <p class="result-step-title">
        {name}
        <span class="hint">
          {host !== undefined && ` · at ${oneLine(host)}`}
          {redone && ' · ran again since'}
        </span>
      </p>
      {documents.length > 0 && (
        <ul class="result-files">
          {documents.map((document) => (
            <DocumentRow key={document} {...{ path, document }} step={step.step} isOpenFirst={isOnlyDocument} />
          ))}
        </ul>
      )}
      {changes.map(({ sessionId, files, more }) => (
        <div key={sessionId}>
          <ul class="result-files">
            {files.map((file) => (
              <FileRow key={file.id} {...{ path, sessionId, file }} />
            ))}
          </ul>
          {more !== undefined && <p class="hint">{counted(more, 'more file')} not listed.</p>}
        </div>
      ))}
      {problems.map((problem) => (
        <p key={problem} class="problem">
          {oneLine(problem, 600)}
        </p>
      ))}
    </section>
  );
}
