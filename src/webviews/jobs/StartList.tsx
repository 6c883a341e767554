/** What can be started: the grid of jobs, and below it the form of the one that was chosen. */
import { useState } from 'preact/hooks';
import type { JobOffer } from '../../views/portal/jobData.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobGrid } from './JobGrid.tsx';
import { StartForm } from './StartForm.tsx';

export interface StartedJob {
  jobName: string;
  /** Of the job as it was shown. */
  revision: string;
  userInput: string;
  /** In ms since the epoch. */
  notBefore?: number;
}

interface StartListProps {
  offer: JobOffer;
  /** Says why there is none. */
  noJobs: string;
  folder: string;
  onFolder(folder: string): void;
  /** `close` closes the form, which keeps what was typed until then. */
  onStart(job: StartedJob, close: () => void): void;
}

export function StartList({ offer, noJobs, folder, onFolder, onStart }: StartListProps) {
  const [chosen, choose] = useState<string>();
  const job = chosen !== undefined && Object.hasOwn(offer.jobs, chosen) ? offer.jobs[chosen] : undefined;
  const cancel = () => {
    choose(undefined);
    document.querySelector<HTMLElement>('[aria-expanded=true]')?.focus();
  };
  return (
    <>
      {Object.keys(offer.jobs).length === 0 && <p class="hint">{noJobs}</p>}
      <JobGrid offer={offer} chosen={chosen} onChoose={choose} />
      {chosen !== undefined && job && (
        <section class="start">
          <p class="name">{oneLine(chosen)}</p>
          <StartForm
            key={chosen}
            {...{ job, folder, onFolder }}
            jobName={chosen}
            chart={offer.chart[chosen]}
            onStart={(start) => onStart({ jobName: chosen, ...start }, () => choose(undefined))}
            onCancel={cancel}
          />
        </section>
      )}
    </>
  );
}
