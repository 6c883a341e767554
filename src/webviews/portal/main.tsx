/** The page of the portal: what needs the user, what runs and has run, and what can be started. */
import * as l10n from '../../base/l10n.ts';
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import './portal.css';
import { jobOffer, jobRuns, jobStatus } from '../../views/portal/jobData.ts';
import { areaOf, type PortalView } from '../../views/portal/page/portalAddress.ts';
import { pagePaths } from '../../views/portal/wire/pageWire.ts';
import { waitingJobs } from '../../views/portal/page/waitingJobs.ts';
import { config, keptSessions } from '../../views/portal/answers/sessionSchemas.ts';
import { modelList, sessionList, taskList } from '../../views/portal/sessionData.ts';
import { InboxAnnouncer } from '../inbox/InboxAnnouncer.tsx';
import { useDeeds } from '../jobs/actions/useDeeds.ts';
import { JobsArea } from './areas/JobsArea.tsx';
import { NeedsYouArea } from './areas/NeedsYouArea.tsx';
import type { PortalData } from './areas/portalData.ts';
import { RunsArea } from './areas/RunsArea.tsx';
import { SessionsArea } from './areas/SessionsArea.tsx';
import { Frame } from './frame/Frame.tsx';
import { PageFrame } from './frame/PageFrame.tsx';
import { type Act, call, read } from './portalApi.ts';
import { useView } from './portalView.ts';
import { useAttention } from './useAttention.ts';
import { useNotifications } from './useNotifications.ts';
import { usePolled } from '../polled/usePolled.ts';

const OVERVIEW_MS = 2000;
const nothing: ReadonlySet<string> = new Set();

async function askOverview(signal: AbortSignal) {
  const [{ repoRoot, sharesRuns }, offer, { runs }, { sessions }, kept, { tasks }, { models }] = await Promise.all([
    read('config', config, signal),
    read('copilot/job', jobOffer, signal),
    read('copilot/job/runs', jobRuns, signal),
    read('copilot/session', sessionList, signal),
    read('copilot/session/kept', keptSessions, signal),
    read('copilot/task', taskList, signal),
    read('copilot/models', modelList, signal),
  ]);
  const { jobs, problem } = await waitingJobs(sessions, (id) => read(`copilot/job/${encodeURIComponent(id)}/status`, jobStatus, signal));
  return { ...{ repoRoot, sharesRuns, offer, runs, sessions, kept, tasks, models, waitingJobs: jobs }, waitingProblem: problem };
}

function Page() {
  const overview = usePolled('overview', askOverview, OVERVIEW_MS);
  const [givenFolder, setFolder] = useState<string>();
  const attention = useAttention();
  const { value } = overview;
  const { list } = attention;
  const items = list?.items ?? [];
  const notifications = useNotifications(list?.items, value?.runs, overview.at);
  const view = useShownView(list ? items.length > 0 : attention.problem === undefined ? undefined : false);

  const deeds = useDeeds(overview.refresh);
  const act: Act = (path, body, done, headers) => deeds.act(JSON.stringify([path, body]), () => call(path, body, headers), done);

  const title = `${items.length > 0 ? `(${items.length}) ` : ''}${l10n.t('Tapline portal')}`;
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  // What waits is told at once, and which task it is of comes with the sessions.
  const told = items.map(({ id }) => id).join();
  useLayoutEffect(() => overview.refresh(), [told]);

  const problems = [
    overview.problem !== undefined && (value ? l10n.t`${overview.problem} What is shown may be out of date.` : overview.problem),
    value?.waitingProblem,
    attention.problem !== undefined && l10n.t`${attention.problem} What waits may be out of date.`,
    deeds.problem,
  ].filter((text) => typeof text === 'string' && text !== '');
  const data: PortalData | undefined = value && {
    ...value,
    ...{ items, setFolder, act },
    now: overview.at,
    isStale: overview.problem !== undefined,
    folder: givenFolder ?? value.repoRoot,
  };
  return (
    <Frame
      area={view && areaOf(view)}
      waiting={items.length > 0 ? `${items.length}${list?.isComplete ? '' : '+'}` : ''}
      problems={problems as string[]}
    >
      {!data || !view ? (
        problems.length === 0 && <p class="hint empty">{l10n.t('Loading…')}</p>
      ) : view.kind === 'needsYou' ? (
        <NeedsYouArea {...{ view, data, notifications }} isComplete={list?.isComplete} />
      ) : view.kind === 'run' || view.kind === 'runs' ? (
        <RunsArea {...{ view, data }} />
      ) : view.kind === 'watched' ? (
        <PageFrame title={l10n.t('Control Tower')} src={pagePaths.controlTower} />
      ) : view.kind === 'jobs' ? (
        <JobsArea {...{ view, data }} />
      ) : (
        <SessionsArea {...{ view, data }} />
      )}
      <InboxAnnouncer
        items={
          list && items.map(({ id, title: name, what, kind }) => ({ id, title: name, what, isLoading: kind === 'unknown' || undefined }))
        }
        answered={nothing}
      />
    </Frame>
  );
}

type ShownView = Exclude<PortalView, { kind: 'home' }>;

/** Without an address: what needs the user, else the runs. It stays so while the address does. `waits`: undefined until it is known. */
function useShownView(waits: boolean | undefined): ShownView | undefined {
  const view = useView();
  const home = useRef<ShownView>(undefined);
  if (view.kind !== 'home') {
    home.current = undefined;
    return view;
  }
  if (waits !== undefined) home.current ??= { kind: waits ? 'needsYou' : 'runs' };
  return home.current;
}

const page = document.getElementById('page');
if (page) render(<Page />, page);
