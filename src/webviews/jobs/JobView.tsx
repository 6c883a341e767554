/** One run of a job: how it stands, its chart, its steps. Depends on nothing but what it is given. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { JobStatus } from '../../views/portal/jobData.ts';
import { elapsedOf, jobStatusText, stepOfInterest, stepViews } from '../../views/portal/jobSteps.ts';
import { shownText } from '../../views/portal/shownText.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobAnnouncer } from './JobAnnouncer.tsx';
import { JobChart } from './JobChart.tsx';
import { StatusMark } from './StatusMark.tsx';
import { StepList } from './StepList.tsx';
import { WithoutAsking } from './WithoutAsking.tsx';

interface JobViewProps {
  job: JobStatus;
  now: number;
  /** Ids of the sessions that wait for the user. */
  waiting?: ReadonlySet<string>;
  onStop(): void;
  /** It goes on from the steps that failed or never ended. */
  onContinue(): void;
  onSession?(sessionId: string, title: string): void;
  /** What answers what waits in sessions. Absent where nothing is answered. */
  answers?(sessionIds: readonly string[]): ComponentChildren;
}

/** Must get the job's id as its key. */
export function JobView({ job, now, waiting, onStop, onContinue, onSession, answers }: JobViewProps) {
  /** Undefined: the user has chosen nothing, so it follows what runs. Null: the user has closed all. */
  const [chosen, choose] = useState<number | null>();
  const { status, attempt, workingDirectory, userInput, reason, chart } = job;
  const steps = stepViews(chart, job.steps, now, waiting);
  const selected = chosen === undefined ? stepOfInterest(steps, job.steps)?.nodeId : (chosen ?? undefined);
  const name = oneLine(job.jobName);
  return (
    <div class="job">
      <JobAnnouncer job={job} />
      <div class="row job-head">
        <StatusMark status={status} />
        <strong>{jobStatusText(job)}</strong>
        <span class="hint">
          {elapsedOf(job, now)}
          {attempt > 1 && ` · attempt ${attempt}`}
        </span>
        {status === 'Executing' && (
          <button type="button" class="stop" aria-label={`Stop ${name}`} onClick={onStop}>
            Stop
          </button>
        )}
        {status !== 'Executing' && status !== 'Succeeded' && (
          <button type="button" aria-label={`${status === 'Failed' ? 'Retry' : 'Continue'} ${name}`} onClick={onContinue}>
            {status === 'Failed' ? 'Retry what failed' : 'Continue'}
          </button>
        )}
      </div>
      {reason !== undefined && <p class="problem">Why: {shownText(reason)}</p>}
      <dl class="job-facts">
        <dt>Folder</dt>
        <dd>{shownText(workingDirectory, 500)}</dd>
        {userInput.trim() !== '' && (
          <>
            <dt>Input</dt>
            <dd>{shownText(userInput, 500)}</dd>
          </>
        )}
      </dl>
      <WithoutAsking tasks={job.withoutAsking} />
      <div class="job-parts">
        <JobChart {...{ chart, steps, selected }} label={`Chart of ${name}`} onSelect={choose} />
        <StepList {...{ steps, selected, now, onSession, answers }} onSelect={(nodeId) => choose(nodeId ?? null)} />
      </div>
    </div>
  );
}
