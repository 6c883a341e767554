/** The page of the portal: what can be started, what runs and has run, and what happens in it. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import './portal.css';
import { oneLine } from '../../views/text/oneLine.ts';
import { roughDuration } from '../../views/text/duration.ts';
import { LiveLog } from './LiveLog.tsx';
import { call, errorText, type Json } from './portalApi.ts';

const REFRESH_MS = 2000;

interface Run {
  jobId: string;
  jobName: string;
  status: string;
  startedAt: number;
  endedAt?: number;
  reason?: string;
}
interface Offer {
  jobs: Record<string, { requireUserInput: boolean; withoutAsking?: Record<string, string> }>;
  tasks: { name: string; requireUserInput: boolean }[];
  models: { id: string; name: string }[];
}

function Page() {
  const [offer, setOffer] = useState<Offer>();
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [folder, setFolder] = useState('');
  const [input, setInput] = useState('');
  const [model, setModel] = useState('');
  const [session, setSession] = useState<string>();
  /** `at`: a job that goes on is followed from its new beginning. */
  const [shown, show] = useState<{ path: string; title: string; at: number }>();
  const setShown = (next: { path: string; title: string }) => show({ ...next, at: Date.now() });
  const [problem, setProblem] = useState('');
  /** Titles of the sessions that wait for the user. */
  const [waiting, setWaiting] = useState<readonly string[]>([]);

  const load = async () => {
    const paths = ['config', 'copilot/job', 'copilot/task', 'copilot/models'];
    const [config, ...lists] = await Promise.all(paths.map((path) => call(path)));
    const { jobs, tasks, models } = Object.assign({}, ...lists) as Offer;
    setOffer({ jobs, tasks, models });
    setFolder((before) => before || String(config?.['repoRoot'] ?? ''));
    setModel((before) => before || (models[0]?.id ?? ''));
  };
  const refresh = async () => {
    setRuns(((await call('copilot/job/runs')) as { runs: Run[] }).runs);
    const { sessions } = (await call('copilot/session')) as { sessions: { sessionId: string; title: string; waiting: number }[] };
    // It may have been stopped elsewhere.
    setSession((before) => (sessions.some(({ sessionId }) => sessionId === before) ? before : undefined));
    setWaiting(sessions.filter((one) => one.waiting > 0).map(({ title }) => title));
  };
  useEffect(() => {
    const failed = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
    let timer = 0;
    // The next one waits for the answer to this one.
    const again = () =>
      void Promise.all([load(), refresh()])
        .catch(failed)
        .finally(() => (timer = window.setTimeout(again, REFRESH_MS)));
    again();
    return () => window.clearTimeout(timer);
  }, []);

  /** Shows why something could not be done. */
  const act = async (path: string, body: string | undefined, done: (answer: Json) => void = () => undefined) => {
    try {
      setProblem('');
      const answer = await call(path, body);
      if (answer['error'] !== undefined) setProblem(String(answer['message'] ?? errorText(answer['error'])));
      else done(answer);
      await refresh();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const startJob = (name: string) =>
    void act(`copilot/job/start/${encodeURIComponent(name)}`, `${folder}\n${input}`, ({ jobId }) =>
      setShown({ path: `job/${String(jobId)}`, title: name }),
    );
  const startTask = (name: string) => void act(`copilot/task/start/${encodeURIComponent(name)}/session/${session}`, input);

  if (!offer) return <main>{problem ? <p role="alert">{problem}</p> : <p>Loading…</p>}</main>;
  const jobNames = Object.keys(offer.jobs);
  return (
    <main>
      <h1>Tapline portal</h1>
      <div role="status">
        {waiting.map((title, at) => (
          <p key={at} class="waiting">
            “{oneLine(title)}” waits for your answer. Open it in Tapline, where the sessions of the portal are listed with their agent host.
          </p>
        ))}
      </div>
      <div role="alert">{problem && <p class="problem">{problem}</p>}</div>
      <section aria-labelledby="start">
        <h2 id="start">Start</h2>
        <label>
          Folder
          <input value={folder} onInput={({ currentTarget }) => setFolder(currentTarget.value)} spellcheck={false} />
        </label>
        <label>
          Your input
          <textarea rows={2} value={input} onInput={({ currentTarget }) => setInput(currentTarget.value)} />
        </label>
        <h3>Jobs</h3>
        {jobNames.length === 0 && <p>There are no jobs. Start the portal with --entry FILE.</p>}
        <ul class="offers">
          {jobNames.map((name) => (
            <li key={name}>
              <button onClick={() => startJob(name)}>Start {oneLine(name)}</button>
              {offer.jobs[name]?.requireUserInput && <span class="hint"> takes your input</span>}
              {Object.entries(offer.jobs[name]?.withoutAsking ?? {}).map(([task, what]) => (
                <p key={task} class="unasked">
                  “{oneLine(task)}” {what}.
                </p>
              ))}
            </li>
          ))}
        </ul>
        <h3>Tasks in a session</h3>
        {session === undefined ? (
          <div class="row">
            <label>
              Model
              <select value={model} onChange={({ currentTarget }) => setModel(currentTarget.value)}>
                {offer.models.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {oneLine(name)}
                  </option>
                ))}
              </select>
            </label>
            <button
              disabled={!model}
              onClick={() =>
                void act(`copilot/session/start/${encodeURIComponent(model)}`, folder, ({ sessionId }) => {
                  setSession(String(sessionId));
                  setShown({ path: `session/${String(sessionId)}`, title: 'Session' });
                })
              }
            >
              Start a session
            </button>
            {!model && <span class="hint">The agent has no model yet: connect one in Tapline.</span>}
          </div>
        ) : (
          <ul class="offers">
            {offer.tasks.map(({ name }) => (
              <li key={name}>
                <button onClick={() => startTask(name)}>Run {oneLine(name)}</button>
              </li>
            ))}
            <li>
              <button disabled={!input.trim()} onClick={() => void act(`copilot/session/${session}/query`, input)}>
                Send your input
              </button>
            </li>
            <li>
              <button class="stop" onClick={() => void act(`copilot/session/${session}/stop`, undefined, () => setSession(undefined))}>
                Stop the session
              </button>
            </li>
          </ul>
        )}
      </section>
      <section aria-labelledby="runs">
        <h2 id="runs">Runs</h2>
        {runs.length === 0 && <p>No job has run yet.</p>}
        <ul class="runs">
          {[...runs].reverse().map((run) => (
            <RunRow
              key={run.jobId}
              run={run}
              onShow={() => setShown({ path: `job/${run.jobId}`, title: run.jobName })}
              act={(what) =>
                void act(`copilot/job/${run.jobId}/${what}`, undefined, () => {
                  if (what === 'continue') setShown({ path: `job/${run.jobId}`, title: run.jobName });
                })
              }
            />
          ))}
        </ul>
      </section>
      {shown && (
        <section aria-labelledby="log">
          <h2 id="log">What happens: {oneLine(shown.title)}</h2>
          <LiveLog key={shown.at} path={shown.path} />
        </section>
      )}
    </main>
  );
}

function RunRow({ run, onShow, act }: { run: Run; onShow(): void; act(what: 'stop' | 'continue'): void }) {
  const { jobName, status, startedAt, endedAt, reason } = run;
  const name = oneLine(jobName);
  return (
    <li>
      <span class={`status ${status}`}>{status === 'Executing' ? 'Running' : status}</span>
      <span class="name">{name}</span>
      <span class="hint">{roughDuration((endedAt ?? Date.now()) - startedAt)}</span>
      <button onClick={onShow} aria-label={`Show ${name}`}>
        Show
      </button>
      {status === 'Executing' && (
        <button class="stop" onClick={() => act('stop')} aria-label={`Stop ${name}`}>
          Stop
        </button>
      )}
      {status !== 'Executing' && status !== 'Succeeded' && (
        <button onClick={() => act('continue')} aria-label={`Continue ${name}`}>
          Continue
        </button>
      )}
      {reason !== undefined && <span class="problem">{oneLine(reason)}</span>}
    </li>
  );
}

const page = document.getElementById('page');
if (page) render(<Page />, page);
