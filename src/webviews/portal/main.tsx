/** The page of the portal: what can be started, what runs and has run, and what happens in it. */
import { messageOf } from '../../base/errors.ts';
import { render } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import './portal.css';
import { sessionOf } from '../../views/portal/attentionData.ts';
import { errorText } from '../../views/portal/errorText.ts';
import { jobOffer, jobRuns, jobStatus } from '../../views/portal/jobData.ts';
import { keptList, modelList, sessionList, taskList } from '../../views/portal/sessionData.ts';
import { hostIdOf, OWN_HOST_ID, pagePaths } from '../../views/portal/pageWire.ts';
import { sameSession, type SessionRef, sessionKey } from '../../views/session/sessionRef.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { JobView } from '../jobs/JobView.tsx';
import { RunList } from '../jobs/RunList.tsx';
import { StartList } from '../jobs/StartList.tsx';
import { NeedsYou, WaitingHere } from './NeedsYou.tsx';
import { type Act, call, read } from './portalApi.ts';
import { PageView } from './PageView.tsx';
import { goTo, useView } from './portalView.ts';
import { SessionPageView } from './SessionPageView.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { useAttention } from './useAttention.ts';
import { usePolled } from './usePolled.ts';

const OVERVIEW_MS = 2000;
const JOB_MS = 1000;

async function askOverview(signal: AbortSignal) {
  const [{ repoRoot }, offer, { runs }, { sessions }, kept, { tasks }, { models }] = await Promise.all([
    read('config', z.object({ repoRoot: z.string() }), signal),
    read('copilot/job', jobOffer, signal),
    read('copilot/job/runs', jobRuns, signal),
    read('copilot/session', sessionList, signal),
    read('copilot/session/kept', keptList, signal),
    read('copilot/task', taskList, signal),
    read('copilot/models', modelList, signal),
  ]);
  return { repoRoot, offer, runs, sessions, kept, tasks, models };
}

/** As the portal names its sessions, whether it still knows them or not. `host`: where it is not its own. */
function sessionRef(sessionId: string, agent: string, host?: string): SessionRef {
  return { hostId: hostIdOf(host), uri: `${agent}:/${sessionId}` };
}

function Page() {
  const overview = usePolled('overview', askOverview, OVERVIEW_MS);
  const [givenFolder, setFolder] = useState<string>();
  const [jobId, showJob] = useState<string>();
  const view = useView();
  const [problem, setProblem] = useState('');
  const attention = useAttention();
  const job = usePolled(jobId, (signal) => read(`copilot/job/${jobId}/status`, jobStatus, signal), JOB_MS);
  const shownJob = useRef<HTMLHeadingElement>(null);
  const { value } = overview;

  const refresh = useRef<() => void>(() => undefined);
  refresh.current = () => {
    overview.refresh();
    job.refresh();
  };
  const act: Act = (path, body, done = () => undefined, headers) => {
    setProblem('');
    call(path, body, undefined, headers)
      .then((answer) => (answer['error'] === undefined ? done(answer) : setProblem(errorText(answer))))
      .catch((error: unknown) => setProblem(messageOf(error)))
      .finally(() => refresh.current());
  };
  // Keyboard and screen reader go on where the job is shown.
  const isShown = job.value !== undefined;
  useLayoutEffect(() => {
    if (isShown) shownJob.current?.focus();
  }, [jobId, isShown]);

  const items = attention.list?.items ?? [];
  const title = `${items.length > 0 ? `(${items.length}) ` : ''}Tapline portal`;
  useLayoutEffect(() => {
    document.title = title;
  }, [title]);
  // What waits is told at once, and which task it is of comes with the sessions.
  const told = items.map(({ id }) => id).join();
  useLayoutEffect(() => refresh.current(), [told]);

  if (!value) return <main>{overview.problem ? <p role="alert">{overview.problem}</p> : <p>Loading…</p>}</main>;
  const { offer, runs, sessions, kept, tasks, models } = value;
  const folder = givenFolder ?? value.repoRoot;
  const waiting = items.flatMap((item) => {
    const sessionId = item.kind === 'failed' || item.kind === 'unknown' ? undefined : sessionOf(item, sessions)?.sessionId;
    return sessionId === undefined ? [] : [{ item, sessionId }];
  });
  const waitingIn = (sessionIds: readonly string[]) => (
    <WaitingHere items={waiting.flatMap(({ item, sessionId }) => (sessionIds.includes(sessionId) ? [item] : []))} />
  );
  if (view.kind === 'needsYou') return <PageView title="Needs you" src={pagePaths.inbox} />;
  if (view.kind === 'session') {
    const live = sessions.find((one) => sameSession({ hostId: hostIdOf(one.host), uri: one.uri }, view.session));
    const known = live ?? kept.sessions.find(({ uri }) => sameSession({ hostId: OWN_HOST_ID, uri }, view.session));
    const place = { ...view, title: known?.title ?? view.title };
    return <SessionPageView key={sessionKey(view.session)} {...{ place, live, tasks, problem, act }} waiting={items.length} />;
  }
  return (
    <main>
      <h1>Tapline portal</h1>
      <div role="alert">
        {overview.problem && <p class="problem">{overview.problem} What is shown below may be out of date.</p>}
        {problem && <p class="problem">{problem}</p>}
      </div>
      <NeedsYou {...{ attention, sessions }} now={overview.at} />
      <section aria-labelledby="jobs">
        <h2 id="jobs">Jobs</h2>
        <StartList
          {...{ offer, folder }}
          noJobs="There are no jobs. Start the portal with --entry FILE."
          onFolder={setFolder}
          onStart={({ jobName, revision, userInput }, close) =>
            act(
              `copilot/job/start/${encodeURIComponent(jobName)}`,
              `${folder}\n${userInput}`,
              ({ jobId: started }) => {
                close();
                showJob(String(started));
              },
              { 'If-Match': `"${revision}"` },
            )
          }
        />
      </section>
      <section aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        <RunList runs={runs} now={overview.at} shown={jobId} onShow={showJob} />
      </section>
      {jobId !== undefined && (job.value || job.problem) && (
        <section aria-labelledby="job">
          <h2 id="job" ref={shownJob} tabIndex={-1}>
            {oneLine(job.value?.jobName ?? 'Job')}
          </h2>
          {job.problem && <p class="problem">{job.problem} What is shown below may be out of date.</p>}
          {job.value && (
            <JobView
              key={jobId}
              job={job.value}
              now={job.at}
              waiting={new Set(waiting.map(({ sessionId }) => sessionId))}
              onStop={() => act(`copilot/job/${jobId}/stop`)}
              onContinue={(loopCap) => act(`copilot/job/${jobId}/continue`, loopCap === undefined ? '' : JSON.stringify({ loopCap }))}
              onSession={(sessionId, title, host) => goTo({ kind: 'session', session: sessionRef(sessionId, kept.agent, host), title })}
              answers={waitingIn}
            />
          )}
        </section>
      )}
      <SessionsSection
        {...{ sessions, kept, models, folder, act }}
        now={overview.at}
        onFolder={setFolder}
        onStart={(sessionId) => goTo({ kind: 'session', session: sessionRef(sessionId, kept.agent), title: 'Session' })}
      />
    </main>
  );
}

const page = document.getElementById('page');
if (page) render(<Page />, page);
