/** The jobs that can be started, and what one of them needs and does. */
import * as l10n from '../../../base/l10n.ts';
import { useRef } from 'preact/hooks';
import type { PortalView } from '../../../views/portal/page/portalAddress.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { JobGrid } from '../../jobs/JobGrid.tsx';
import { StartForm } from '../../jobs/StartForm.tsx';
import { DetailHead } from '../frame/DetailHead.tsx';
import { ListAndDetail } from '../frame/ListAndDetail.tsx';
import { startHeaders } from '../../../views/portal/portalCalls.ts';
import { goTo, showInstead } from '../portalView.ts';
import type { PortalData } from './portalData.ts';
import { useReturn } from '../frame/useReturn.ts';

interface JobsAreaProps {
  view: Extract<PortalView, { kind: 'jobs' }>;
  data: PortalData;
}

const jobsView = { view: { kind: 'jobs' }, name: l10n.t('Jobs') } as const;

export function JobsArea({ view: { jobName }, data: { offer, folder, setFolder, act } }: JobsAreaProps) {
  const job = jobName !== undefined && Object.hasOwn(offer.jobs, jobName) ? offer.jobs[jobName] : undefined;
  const list = useRef<HTMLDivElement>(null);
  // The focus is back in the cell that was chosen.
  useReturn(jobName, (left) => list.current?.querySelector<HTMLElement>(`[data-job="${CSS.escape(left)}"]`)?.focus());
  return (
    <ListAndDetail
      title={l10n.t('Jobs')}
      isChosen={jobName !== undefined}
      list={
        <div ref={list} class="detail-body">
          {Object.keys(offer.jobs).length === 0 && <p class="hint">{l10n.t('There are no jobs. Start the portal with --entry FILE.')}</p>}
          <JobGrid
            {...{ offer }}
            {...(jobName !== undefined && { chosen: jobName })}
            onChoose={(name) => goTo({ kind: 'jobs', jobName: name })}
          />
        </div>
      }
      detail={
        jobName === undefined ? (
          <p class="hint empty">{l10n.t('Choose a job to see what it does and to start it.')}</p>
        ) : (
          <>
            <DetailHead title={oneLine(jobName) || l10n.t('A job without a name')} back={jobsView} />
            <div class="detail-body">
              {job ? (
                <StartForm
                  key={jobName}
                  {...{ jobName, job, folder }}
                  chart={offer.chart[jobName]}
                  onFolder={setFolder}
                  onStart={({ revision, userInput, notBefore }) =>
                    act(
                      `copilot/job/start/${encodeURIComponent(jobName)}`,
                      `${folder}\n${userInput}`,
                      ({ jobId }) => showInstead({ kind: 'run', jobId: String(jobId) }),
                      startHeaders(revision, notBefore),
                    )
                  }
                  onCancel={() => goTo({ kind: 'jobs' })}
                />
              ) : (
                <p class="hint">{l10n.t('The portal does not have this job, or not any more.')}</p>
              )}
            </div>
          </>
        )
      }
    />
  );
}
