/** The jobs that run and have run, newest first. */
import type { JobSummary } from '../../views/portal/jobData.ts';
import { elapsedOf, jobStatusText } from '../../views/portal/jobSteps.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { StatusMark } from './StatusMark.tsx';

interface RunListProps {
  /** Oldest first. */
  runs: readonly JobSummary[];
  now: number;
  /** Id of the job that is shown. */
  shown?: string;
  /** How many are listed. */
  limit?: number;
  onShow(jobId: string): void;
}

export function RunList({ runs, now, shown, limit = 50, onShow }: RunListProps) {
  if (runs.length === 0) return <p class="hint">No job has run yet.</p>;
  const hidden = Math.max(0, runs.length - limit);
  return (
    <>
      <ul class="runs">
        {runs
          .slice(hidden)
          .reverse()
          .map((run) => (
            <li key={run.jobId}>
              <button type="button" class="step-head" aria-current={run.jobId === shown} onClick={() => onShow(run.jobId)}>
                <StatusMark status={run.status} />
                <span class="name">{oneLine(run.jobName)}</span>{' '}
                <span class="hint">
                  {jobStatusText(run)} · {elapsedOf(run, now)}
                </span>
              </button>
              {run.reason !== undefined && <p class="problem">{oneLine(run.reason)}</p>}
            </li>
          ))}
      </ul>
      {hidden > 0 && <p class="hint">{hidden} earlier runs are not listed.</p>}
    </>
  );
}
