/** The jobs that run and have run, and one of them with its steps. */
import * as l10n from '../../../base/l10n.ts';
import { useMemo, useRef, useState } from 'preact/hooks';
import { stepInput } from '../../../views/portal/answers/runAnswers.ts';
import { changeRequest } from '../../../views/portal/changes/changeRequest.ts';
import { jobStatus } from '../../../views/portal/jobData.ts';
import { type PortalView, portalSession, viewHref } from '../../../views/portal/page/portalAddress.ts';
import { foundRuns, type RunFilter, runFilters, type RunRow, runRows } from '../../../views/portal/page/runRows.ts';
import type { WaitingItem } from '../../../views/portal/answers/attentionList.ts';
import { refOf, sessionOf } from '../../../views/portal/attentionData.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { JobView } from '../../jobs/JobView.tsx';
import { StatusMark } from '../../jobs/StatusMark.tsx';
import { Unbroken } from '../../session/text/VisibleText.tsx';
import { DetailHead } from '../frame/DetailHead.tsx';
import { ListAndDetail } from '../frame/ListAndDetail.tsx';
import { Rows } from '../frame/Rows.tsx';
import { useIsWide } from '../frame/useIsWide.ts';
import { read } from '../portalApi.ts';
import { goTo, showInstead } from '../portalView.ts';
import { usePolled } from '../../polled/usePolled.ts';
import { Result } from '../../jobs/result/Result.tsx';
import type { PortalData } from './portalData.ts';
import { portalResult } from './portalResult.ts';
import { RunActions } from './RunActions.tsx';

const JOB_MS = 1000;
const MAX_ROWS = 100;
const runsView = { view: { kind: 'runs' }, name: l10n.t('Runs') } as const;

const filterNames: Readonly<Record<RunFilter, string>> = {
  all: l10n.t('All'),
  waiting: l10n.t('Wait for you'),
  running: l10n.t('Running'),
  paused: l10n.t('Paused'),
  failed: l10n.t('Failed'),
  succeeded: l10n.t('Succeeded'),
  stopped: l10n.t('Stopped'),
};

interface RunsAreaProps {
  view: Extract<PortalView, { kind: 'run' | 'runs' }>;
  data: PortalData;
}

export function RunsArea({ view, data }: RunsAreaProps) {
  const { runs, sessions, items, now } = data;
  const [filter, setFilter] = useState<RunFilter>('all');
  const [search, setSearch] = useState('');
  const isWide = useIsWide();
  // Where there is room the newest is shown until the user chooses one, and no newer one takes its place.
  const newest = useRef<string>(undefined);
  if (!runs.some(({ jobId: id }) => id === newest.current)) newest.current = runs.at(-1)?.jobId;
  const jobId = view.kind === 'run' ? view.jobId : isWide ? newest.current : undefined;
  const rows = foundRuns(runRows(runs, sessions, items, now), filter, search);
  const shown = rows.slice(0, MAX_ROWS);
  return (
    <ListAndDetail
      title={l10n.t('Runs')}
      isChosen={view.kind === 'run'}
      list={
        <>
          {runs.length > 0 && (
            <div class="list-tools">
              <input
                type="search"
                aria-label={l10n.t('Search runs')}
                placeholder={l10n.t('Search')}
                value={search}
                onInput={({ currentTarget }) => setSearch(currentTarget.value)}
              />
              <select
                aria-label={l10n.t('Which runs')}
                value={filter}
                onChange={({ currentTarget }) => setFilter(currentTarget.value as RunFilter)}
              >
                {runFilters.map((one) => (
                  <option key={one} value={one}>
                    {filterNames[one]}
                  </option>
                ))}
              </select>
            </div>
          )}
          {runs.length === 0 && (
            <p class="hint">
              {l10n.t('No job has run yet.')} <a href={viewHref({ kind: 'jobs' })}>{l10n.t('Start one')}</a>
            </p>
          )}
          {runs.length > 0 && rows.length === 0 && <p class="hint">{l10n.t('No run is like that.')}</p>}
          <Rows
            label={l10n.t('Runs')}
            rows={shown.map((row) => ({ id: row.jobId, view: { kind: 'run', jobId: row.jobId }, content: <RunRowContent {...row} /> }))}
            {...(jobId !== undefined && { current: jobId })}
          />
          {rows.length > MAX_ROWS && <p class="hint">{hiddenText(rows.length - MAX_ROWS)}</p>}
        </>
      }
      detail={
        jobId === undefined ? (
          <p class="hint empty">{l10n.t('A run is shown here with its steps once there is one.')}</p>
        ) : (
          <Run
            key={jobId}
            {...{ jobId, data }}
            isChosen={view.kind === 'run'}
            {...(view.kind === 'run' && view.step && { step: view.step })}
          />
        )
      }
    />
  );
}

function hiddenText(count: number): string {
  return l10n.plural(
    count,
    l10n.t`${l10n.countText(count)} earlier run not listed: search for them.`,
    l10n.t`${l10n.countText(count)} earlier runs not listed: search for them.`,
  );
}

function RunRowContent(row: RunRow) {
  const { name, status, statusText, begun, elapsed, folder, folderPath, attempt, input, queuedFor, waits, denied, stalled, failure } = row;
  return (
    <>
      <span class="row-line row-head">
        <StatusMark status={status} />
        <span class="name">{name}</span> <span class="hint row-time">{begun}</span>
      </span>
      <span class="row-line hint" title={folderPath}>
        {[statusText, elapsed, folder, ...(attempt > 1 ? [l10n.t`attempt ${attempt}`] : [])].join(' · ')}
      </span>
      {input !== undefined && <span class="row-line row-cut hint">{l10n.t`“${input}”`}</span>}
      {queuedFor !== undefined && <span class="row-line">{queuedFor}</span>}
      {waits !== undefined && (
        <span class="row-line row-cut">
          <Unbroken text={waits} />
        </span>
      )}
      {denied !== undefined && <span class="row-line">{denied}</span>}
      {stalled !== undefined && <span class="row-line row-cut problem">{stalled}</span>}
      {failure !== undefined && <span class="row-line row-cut problem">{failure}</span>}
    </>
  );
}

interface RunProps {
  jobId: string;
  data: PortalData;
  /** By the user. */
  isChosen: boolean;
  step?: number;
}

/** Must get the job's id as its key. */
function Run({ jobId, data: { sessions, items, kept, isStale, sharesRuns, act }, isChosen, step }: RunProps) {
  // One that the page has chosen leaves the focus where it is, also once the user does something with it.
  const takesFocus = useRef(isChosen);
  const path = `copilot/job/${encodeURIComponent(jobId)}`;
  const port = useMemo(() => portalResult(jobId), [jobId]);
  const job = usePolled(jobId, (signal) => read(`${path}/status`, jobStatus, signal), JOB_MS);
  const waiting = items.flatMap((item) => {
    const sessionId = item.kind === 'failed' || item.kind === 'unknown' ? undefined : sessionOf(item, sessions)?.sessionId;
    return sessionId === undefined ? [] : [{ item, sessionId }];
  });
  const { value, problem } = job;
  return (
    <>
      {/* Keyboard and screen reader go on where the job is shown. */}
      <DetailHead
        title={value ? oneLine(value.jobName) || l10n.t('A job without a name') : l10n.t({ message: 'Run', comment: 'a noun' })}
        back={runsView}
        {...(takesFocus.current && value && { focusKey: jobId })}
      />
      <div class="detail-body">
        <div role="alert">{problem && !isStale && <p class="problem">{l10n.t`${problem} What is shown here may be out of date.`}</p>}</div>
        {!value && !problem && <p class="hint">{l10n.t('Loading…')}</p>}
        {value && (
          <JobView
            job={value}
            now={job.at}
            waiting={new Set(waiting.map(({ sessionId }) => sessionId))}
            actions={{
              change: (change, done) => {
                const { path: asked, body } = changeRequest(jobId, change);
                act(asked, body, () => (done?.(), job.refresh()));
              },
              inputOf: (workId) => read(`${path}/step/${workId}`, stepInput),
            }}
            onSession={(sessionId, host) => goTo({ kind: 'session', session: portalSession(sessionId, kept.agent, host) })}
            answers={(sessionIds) => (
              <WaitingHere items={waiting.flatMap(({ item, sessionId }) => (sessionIds.includes(sessionId) ? [item] : []))} />
            )}
            result={<Result key={jobId} job={value} now={job.at} port={port} heading="h3" onDone={job.refresh} />}
            {...(step !== undefined && { step })}
            onStep={(at) => showInstead({ kind: 'run', jobId, ...(at !== undefined && { step: at }) })}
          />
        )}
        {value && value.status !== 'Executing' && (
          <RunActions
            key={jobId}
            {...{ jobId }}
            name={oneLine(value.jobName)}
            {...(!sharesRuns && { onDelete: () => act(`${path}/delete`, undefined, () => showInstead({ kind: 'runs' })) })}
          />
        )}
      </div>
    </>
  );
}

/** The links to what waits in sessions, in their place. */
function WaitingHere({ items }: { items: readonly WaitingItem[] }) {
  return (
    <>
      {items.map((item) => {
        const session = refOf(item);
        return (
          <p key={item.id} class="row">
            <span>
              <Unbroken text={l10n.t`“${oneLine(item.what)}” waits for you.`} />
            </span>
            <a
              class="button main-button"
              href={viewHref(session ? { kind: 'session', session, atCard: true } : { kind: 'needsYou', all: true })}
            >
              {l10n.t({ message: 'Answer it', comment: 'what waits' })}
            </a>
          </p>
        );
      })}
    </>
  );
}
