/** The jobs that can be started: the grid of the entry, and those that are not in it. */
import * as l10n from '../../base/l10n.ts';
import type { JobOffer } from '../../views/portal/jobData.ts';
import { oneLine } from '../../views/text/oneLine.ts';

interface JobGridProps {
  offer: JobOffer;
  /** The job that is about to be started. */
  chosen?: string;
  onChoose(jobName: string): void;
}

export function JobGrid({ offer: { grid, jobs }, chosen, onChoose }: JobGridProps) {
  const inGrid = new Set(grid.flatMap((row) => row.jobs.map((cell) => cell?.jobName)));
  const others = Object.keys(jobs).filter((jobName) => !inGrid.has(jobName));
  const columns = Math.max(0, ...grid.map((row) => row.jobs.length));
  const cell = (name: string, jobName: string) => (
    <button type="button" data-job={jobName} aria-expanded={jobName === chosen} title={oneLine(jobName)} onClick={() => onChoose(jobName)}>
      {oneLine(name) || l10n.t('Job without a name')}
    </button>
  );
  return (
    <>
      {grid.length > 0 && (
        <div class="grid-scroll">
          <table class="job-grid">
            <caption class="visually-hidden">{l10n.t('Jobs by keyword')}</caption>
            <tbody>
              {grid.map((row, at) => (
                <tr key={at}>
                  <th scope="row">{oneLine(row.keyword)}</th>
                  {Array.from({ length: columns }, (_, column) => {
                    const job = row.jobs[column];
                    return <td key={column}>{job && cell(job.name, job.jobName)}</td>;
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {others.length > 0 && (
        <ul class="row" aria-label={grid.length > 0 ? l10n.t('Other jobs') : l10n.t('Jobs')}>
          {others.map((jobName) => (
            <li key={jobName}>{cell(jobName, jobName)}</li>
          ))}
        </ul>
      )}
    </>
  );
}
