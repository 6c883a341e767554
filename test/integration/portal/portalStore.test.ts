/** Portals that share their runs through a real PostgreSQL, as processes that are killed and suspended. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { nullLogger } from '../../../src/base/log.ts';
import type { RunEvent } from '../../../src/portal/runs/runEvents.ts';
import type { SharedStoreListener } from '../../../src/portal/store/sharedStore.ts';
import { PostgresStore } from '../../../src/portal/store/postgres/postgresStore.ts';
import { PASSWORD, PostgresServer } from '../../support/postgresServer.ts';
import { startHostProcess } from '../../support/hostProcess.ts';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import { until } from '../../support/until.ts';
import { AnswerCheck } from './answerCheck.ts';
import type { Json } from './portalHarness.ts';

const script = join(import.meta.dirname, '../../../dist/portal.cjs');
/** Longer than any takeover takes. */
const WAIT_MS = 60_000;
const LOOK_MS = 100;
/** Between two looks at a portal, which has the processor meanwhile. */
const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

interface Said {
  url: string;
  token: string | null;
}
interface Decision {
  at: number;
  reason: string;
}
interface JobStatus {
  jobId: string;
  status: string;
  attempt: number;
  steps: { taskId: string; step: string; status: string; redone?: true; task?: { status: string; decisions: Decision[] } }[];
}

const task = (prompt: string, more = {}) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false, ...more });
const seq = (...tasks: string[]) => ({ work: { kind: 'Seq', works: tasks.map((taskId) => ({ kind: 'Ref', taskId })) } });
const entry = {
  models: { driving: 'demo-fast' },
  promptVariables: {},
  tasks: { quick: task('help'), second: task('wait 1'), slow: task('wait 60'), some: task('wait 3') },
  jobs: {
    one: seq('quick'),
    steps: seq('quick', 'second', 'quick', 'second', 'quick', 'second'),
    slow: seq('quick', 'slow'),
    paused: seq('some', 'quick'),
    fenced: seq('quick', 'some', 'quick'),
  },
  grid: [],
};

/** What happens in the store, as it is told to all who listen there. */
class StoreWatch {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  readonly onDidChange = (listener: () => void) => {
    this.#client.on('notification', listener);
    return { dispose: () => void this.#client.off('notification', listener) };
  };

  async events(jobId: string): Promise<{ type: string; taskId?: string; workId?: number }[]> {
    const { rows } = await this.#client.query<{ event: string }>('select event from tapline.events where run_id = $1 order by seq', [
      jobId,
    ]);
    return rows.map(({ event }) => JSON.parse(event) as { type: string });
  }

  /** The process of the portal that has the run. */
  async ownerOf(jobId: string): Promise<number | undefined> {
    const { rows } = await this.#client.query<{ application_name: string }>(
      `select application_name from tapline.runs join tapline.portals on portals.id = owner
         join pg_locks on locktype = 'advisory' and objid = lock_key join pg_stat_activity using (pid) where runs.id = $1`,
      [jobId],
    );
    return rows[0] && Number(/\d+$/.exec(rows[0].application_name)?.[0]);
  }

  /**
   * Looks after each event of a run, and now and then: the locks of a process that was killed go without an event, and a portal shows what it
   * has heard a moment later.
   */
  async until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    let found: T | undefined | false;
    let changed: () => void = () => undefined;
    let looking: Promise<unknown> | undefined;
    const again = () => {
      looking ??= look()
        .then((value) => {
          found = value;
          changed();
        })
        // Where the database is stopped by a test.
        .catch(() => undefined)
        .finally(() => (looking = undefined));
    };
    const event = (listener: () => void) => {
      changed = listener;
      const listening = this.onDidChange(again);
      const timer = setInterval(again, LOOK_MS);
      again();
      return {
        dispose() {
          listening.dispose();
          clearInterval(timer);
        },
      };
    };
    return until(what, event, () => found, WAIT_MS);
  }
}

describe('portals that share their runs in PostgreSQL', function () {
  this.timeout(180_000);
  let server: PostgresServer;
  let url: string;
  let folder: string;
  let watcher: pg.Client;
  let store: StoreWatch;
  const answers = new AnswerCheck(false);
  const running: Pick<PrintingProcess<unknown>, 'stop'>[] = [];

  const put = (name: string, value: unknown) => (
    writeFileSync(join(folder, name), JSON.stringify(value), { mode: 0o600 }),
    join(folder, name)
  );
  const start = async (name: string, entryFile = put('entry.json', entry), ...args: string[]) => {
    const all = ['--port', '0', '--agent', 'demo', '--data', join(folder, name), '--entry', entryFile, ...args];
    const portal = await startPrintingProcess<Said>('portal', script, all, { TAPLINE_STORE: url });
    running.push(portal);
    const fetchIt = async (path: string, body?: string) => {
      const headers = { Authorization: `Bearer ${portal.said.token}` };
      const response = await fetch(`${portal.said.url}/api/${path}`, { ...(body !== undefined && { method: 'POST', body }), headers });
      await answers.check(body === undefined ? 'GET' : 'POST', `/api/${path}`, response);
      return response;
    };
    const call = async (path: string, body?: string) => (await (await fetchIt(path, body)).json()) as Json;
    const startJob = async (job: string) => String((await call(`copilot/job/start/${job}`, folder))['jobId']);
    const status = async (jobId: string) => (await call(`copilot/job/${jobId}/status`)) as unknown as JobStatus;
    /** What is told from the beginning to the end. */
    const follow = async (jobId: string) => {
      const { token } = await call('token');
      const told: Json[] = [];
      while (told.at(-1)?.['error'] === undefined) {
        const { responses } = (await call(`copilot/job/${jobId}/live/${token}`)) as { responses: Json[] };
        told.push(...responses.filter(({ error }) => error !== 'HttpRequestTimeout'));
      }
      return told;
    };
    return { ...portal, fetchIt, call, startJob, status, follow };
  };
  type TestedPortal = Awaited<ReturnType<typeof start>>;

  /** Once its owner has begun with so many steps. */
  const begun = (jobId: string, steps: number) =>
    store.until(`step ${steps}`, async () => {
      const owner = await store.ownerOf(jobId);
      const count = (await store.events(jobId)).filter(({ type }) => type === 'taskPrompt').length;
      return count >= steps && owner;
    });
  const ended = (jobId: string) =>
    store.until('the end', async () => (await store.events(jobId)).some(({ type }) => /^job(?:Succ|Fail|Stop|Int)/.test(type)));
  const isAnswer = (reason: string) => reason.startsWith('[OPERATION] a program over HTTP');
  /** By all portals in the same way, and every answer and decision once. */
  const check = async (jobId: string, portals: TestedPortal[], steps: number) => {
    await ended(jobId);
    const [job = assert.fail(), ...others] = await Promise.all(
      portals.map(({ follow, status }) => follow(jobId).then(() => status(jobId))),
    );
    // What waits is that of each portal, and nothing does any more.
    for (const other of others) assert.deepEqual(other, job);
    assert.deepEqual(await portals[0]?.call(`copilot/job/${jobId}/delete`, ''), { error: 'JobCannotDelete' });
    assert.equal((await portals[0]?.call('config'))?.['sharesRuns'], true);
    assert.equal(job.status, 'Succeeded');
    const counting = job.steps.filter(({ redone }) => !redone);
    assert.deepEqual(
      counting.map((step) => [step.step, step.status, step.task?.decisions.map(({ reason }) => reason).filter((one) => !isAnswer(one))]),
      Array.from({ length: steps }, (_, at) => [`${at}#0`, 'Succeeded', ['[TASK SUCCEEDED]']]),
    );
    const events = await store.events(jobId);
    const answered = events.filter(({ type }) => type === 'workStopped').map(({ workId }) => workId);
    assert.deepEqual(answered, [...new Set(answered)], 'no step has two answers');
    const begunWith = events.filter(({ type }) => type === 'workStarted').map(({ taskId }) => taskId);
    assert.deepEqual(
      job.steps.map(({ taskId }) => taskId),
      begunWith,
    );
    return job;
  };

  before(async function () {
    this.timeout(120_000);
    const started = await PostgresServer.start();
    if (!started) return this.skip();
    server = started;
  });
  after(async () => server?.close());
  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-portals-')));
    url = await server.newDatabase();
    watcher = await server.connect(url);
    await watcher.query('listen tapline_runs');
    store = new StoreWatch(watcher);
  });
  afterEach(async () => {
    for (const one of running.splice(0)) await one.stop('SIGKILL');
    await watcher.end().catch(() => undefined);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('pause what was asked for at a portal that is killed then, and go on at another one', async () => {
    const portals = [await start('a'), await start('b')];
    const jobId = await portals[0]?.startJob('paused');
    assert.ok(jobId);
    const owner = await begun(jobId, 1);
    const left = portals.find(({ pid }) => pid !== owner) ?? assert.fail();
    const gone = portals.find(({ pid }) => pid === owner) ?? assert.fail();
    assert.deepEqual(await left.call(`copilot/job/${jobId}/pause`), { result: 'Pausing' });
    await store.until('the pause', async () => (await store.events(jobId)).some(({ type }) => type === 'jobPausing'));
    await gone.stop('SIGKILL');
    await store.until('the end', async () => (await store.events(jobId)).some(({ type }) => type === 'jobPaused'));
    await left.follow(jobId);
    const paused = await left.status(jobId);
    assert.deepEqual([paused.status, paused.steps.map(({ status }) => status)], ['Paused', ['Interrupted']]);
    assert.deepEqual(await left.call(`copilot/job/${jobId}/continue`), { jobId });
    await left.follow(jobId);
    assert.equal((await left.status(jobId)).status, 'Succeeded');
  });

  it('show all runs, live, and stop them, whoever runs them', async () => {
    const portals = [await start('a'), await start('b')];
    const [a, b] = portals as [TestedPortal, TestedPortal];
    const jobs = await Promise.all([a.startJob('one'), b.startJob('one'), a.startJob('one')]);
    for (const jobId of jobs) {
      const [told, other] = await Promise.all(portals.map(({ follow }) => follow(jobId)));
      assert.deepEqual(told, other);
      assert.deepEqual(
        told?.map(({ callback, error }) => callback ?? error),
        ['workStarted', 'workStopped', 'jobSucceeded', 'JobsClosed'],
      );
      await check(jobId, portals, 1);
    }
    const [first, second] = [await a.startJob('slow'), await a.startJob('slow')];
    for (const jobId of [first, second]) await begun(jobId, 2);
    assert.deepEqual(await a.call(`copilot/job/${first}/stop`), { result: 'Closed' });
    const taskId = (await b.status(second)).steps[1]?.taskId;
    assert.deepEqual(await b.call(`copilot/task/${taskId}/stop`), { result: 'Closed' });
    await Promise.all(portals.map(({ follow }) => follow(second)));
    for (const { call, status } of portals) {
      assert.deepEqual([(await status(first)).status, (await status(second)).status], ['Stopped', 'Failed']);
      assert.deepEqual(await call(`copilot/job/${first}/stop`), { error: 'JobNotFound' });
    }
    assert.deepEqual(await b.call(`copilot/job/${first}/continue`), { jobId: first });
    assert.deepEqual(await a.call(`copilot/job/${first}/continue`), { error: 'JobCannotContinue' });
    await begun(first, 3);
    assert.deepEqual(await b.call(`copilot/job/${first}/stop`), { result: 'Closed' });
    assert.equal((await b.status(first)).attempt, 2);
    // A pause is asked for at any portal, and kept for the one that takes over.
    const third = await a.startJob('slow');
    const owner = await begun(third, 2);
    const [there, here] = owner === a.pid ? [b, a] : [a, b];
    assert.deepEqual(await there.call(`copilot/job/${third}/steer`, '{"step":"1#0","text":"x"}'), { error: 'StepNotRunning' });
    assert.deepEqual(await there.call(`copilot/job/${third}/skip`, '{"step":"1#0"}'), {
      error: 'StepCannotSkip',
      message: 'Another portal runs this job: skip the step there.',
    });
    assert.deepEqual(await there.call(`copilot/job/${third}/pause`), { result: 'Pausing' });
    await store.until('the pause', async () => (await store.events(third)).some(({ type }) => type === 'jobPausing'));
    assert.deepEqual(await there.call(`copilot/job/${third}/continue`), { error: 'JobCannotContinue' });
    assert.deepEqual(await here.call(`copilot/job/${third}/steer`, '{"step":"1#0","text":"stop"}'), { result: 'Steered' });
    assert.deepEqual(await there.call(`copilot/job/${third}/pause`), { result: 'Pausing' }, 'it is asked for already');
    for (const { follow, status } of portals) {
      await follow(third);
      assert.equal((await status(third)).status, 'Succeeded', 'there was nothing more to do');
    }
    // Another one is there later.
    const late = await start('c');
    assert.deepEqual(await late.status(first), await a.status(first));
    assert.deepEqual(
      ((await late.call('copilot/job/runs'))['runs'] as JobStatus[]).map(({ jobId }) => jobId).sort(),
      [...jobs, first, second, third].sort(),
    );
  });

  it('start what was missed of a schedule once, and all know its run', async () => {
    const schedule = { cron: '0 6 * * *', timeZone: 'UTC', missed: 'run' };
    const file = put('scheduled.json', { ...entry, jobs: { nightly: { ...seq('quick'), schedule: { ...schedule, folder } } } });
    const names = ['a', 'b', 'c'];
    for (const name of names) mkdirSync(join(folder, name));
    const jobs = { nightly: { cron: schedule.cron, timeZone: 'UTC', until: Date.now() - 2 * 24 * 3_600_000 } };
    for (const name of names) writeFileSync(join(folder, name, 'schedules.json'), JSON.stringify({ jobs }));
    const portals = await Promise.all(names.map((name) => start(name, file)));
    const listed = async ({ call }: TestedPortal) => {
      const { jobs } = (await call('copilot/job')) as { jobs: Record<string, { schedule: { last?: { jobId: string } } }> };
      return jobs['nightly']?.schedule.last?.jobId;
    };
    const ids = await Promise.all(portals.map((portal) => store.until('the start', () => listed(portal))));
    const [jobId = ''] = ids;
    assert.deepEqual(ids, [jobId, jobId, jobId]);
    await check(jobId, portals, 1);
    for (const { call } of portals) assert.equal(((await call('copilot/job/runs'))['runs'] as JobStatus[]).length, 1);
  });

  it('let no more run than the limit, whoever is asked to start them, and keep the order over a kill', async () => {
    const file = put('limited.json', {
      ...entry,
      limits: { perFolder: 1 },
      tasks: { ...entry.tasks, short: task('wait 1') },
      jobs: { short: seq('short') },
    });
    const [a, b, c] = [await start('a', file), await start('b', file), await start('c', file)] as const;
    const portals = [a, b, c];
    const jobs: string[] = [];
    for (let count = 0; count < 6; count++) jobs.push(await (portals[count % 3] ?? a).startJob('short'));
    const cancelled = jobs.pop() ?? '';
    assert.deepEqual(await a.call(`copilot/job/${cancelled}/stop`), { result: 'Closed' });
    const killed = await begun(jobs[1] ?? '', 1);
    process.kill(killed, 'SIGKILL');
    for (const jobId of jobs) await ended(jobId);
    const spans = await Promise.all(
      jobs.map(async (jobId) => {
        const events = (await store.events(jobId)) as unknown as { type: string; at: number }[];
        const at = (type: string) => events.flatMap((event) => (event.type === type ? [event.at] : []));
        assert.deepEqual([at('jobBegan').length, at('jobSucceeded').length], [1, 1]);
        return [at('jobBegan')[0] ?? 0, at('jobSucceeded')[0] ?? 0] as const;
      }),
    );
    for (const [index, [begunAt]] of spans.entries())
      assert.ok(index === 0 || begunAt >= (spans[index - 1]?.[1] ?? Infinity), `run ${index} began while the one before ran`);
    assert.deepEqual(
      (await store.events(cancelled)).map(({ type }) => type),
      ['jobStarted', 'jobStopped'],
    );
  });

  it('begin at its time what another one was asked for that is gone', async () => {
    const [a, b] = [await start('a'), await start('b')] as const;
    const notBefore = Date.now() + 3_000;
    const headers = { Authorization: `Bearer ${a.said.token}`, 'Not-Before': new Date(notBefore).toISOString() };
    const response = await fetch(`${a.said.url}/api/copilot/job/start/one`, { method: 'POST', body: folder, headers });
    const { jobId } = (await response.json()) as { jobId: string };
    assert.match(String(((await b.status(jobId)) as { queuedFor?: string }).queuedFor), /^waits until /);
    await a.stop('SIGKILL');
    await ended(jobId);
    const events = (await store.events(jobId)) as unknown as { type: string; at: number }[];
    assert.deepEqual(
      events.slice(0, 2).map(({ type }) => type),
      ['jobStarted', 'jobBegan'],
    );
    assert.ok((events[1]?.at ?? 0) >= notBefore);
  });

  it('pause what is queued, and go on without a step that was stopped', async () => {
    const file = put('queued.json', { ...entry, limits: { perFolder: 1 } });
    const [a, b] = [await start('a', file), await start('b', file)] as const;
    const is = (wanted: string, jobId: string) => store.until(wanted, async () => (await a.status(jobId)).status === wanted);
    const running = await a.startJob('slow');
    const queued = await a.startJob('slow');
    const third = await b.startJob('one');
    await begun(running, 2);
    assert.deepEqual(await b.call(`copilot/job/${queued}/pause`), { result: 'Pausing' });
    await is('Paused', queued);
    assert.deepEqual(
      (await store.events(queued)).map(({ type }) => type),
      ['jobStarted', 'jobPausing', 'jobPaused'],
    );
    assert.deepEqual(await a.call(`copilot/job/${running}/stop`), { result: 'Closed' });
    // What is paused is in nobody’s way.
    await is('Succeeded', third);
    assert.deepEqual(await a.call(`copilot/job/${queued}/continue`), { jobId: queued });
    await begun(queued, 2);
    assert.deepEqual(await b.call(`copilot/job/${queued}/stop`), { result: 'Closed' });
    for (const [portal, jobId] of [
      [a, running],
      [b, queued],
    ] as const) {
      assert.deepEqual(await portal.call(`copilot/job/${jobId}/skip`, '{"step":"1#0"}'), { jobId });
      await is('Succeeded', jobId);
    }
  });

  it('know what another one has begun, also before they were told', async () => {
    const [a, b] = [await start('a'), await start('b')] as const;
    for (let count = 0; count < 3; count++) {
      process.kill(b.pid, 'SIGSTOP');
      const jobId = await a.startJob('one').finally(() => process.kill(b.pid, 'SIGCONT'));
      assert.equal((await b.status(jobId)).jobId, jobId);
      await check(jobId, [a, b], 1);
    }
    const nobodys = randomUUID();
    for (const path of ['status', 'stop', 'continue', 'live'])
      assert.equal((await b.call(`copilot/job/${nobodys}/${path}`))['error'], 'JobNotFound');
    for (const path of ['status', 'stop', 'live']) assert.equal((await b.call(`copilot/task/${nobodys}/${path}`))['error'], 'TaskNotFound');
  });

  it('take over what one ran that was killed, at every step', async () => {
    const portals = new Map<number, [string, TestedPortal]>();
    const add = async (name: string) => {
      const portal = await start(name);
      portals.set(portal.pid, [name, portal]);
      return portal;
    };
    const starter = await add('a');
    await add('b');
    const jobId = await starter.startJob('steps');
    const seen = new Map<string, string[]>();
    let kills = 0;
    for (let step = 1; step <= 6; step++) {
      const owner = await store.until(`step ${step}`, async () => {
        const events = await store.events(jobId);
        const begunSteps = new Set(events.filter(({ type }) => type === 'workStarted').map(({ workId }) => workId)).size;
        const isOver = events.some(({ type }) => type === 'jobSucceeded');
        return isOver ? -1 : begunSteps >= step && (await store.ownerOf(jobId));
      });
      const [name, killed] = portals.get(owner) ?? [];
      if (!name || !killed) break;
      for (const { taskId, task: shown } of (await killed.status(jobId)).steps)
        seen.set(taskId, shown?.decisions.map(({ reason }) => reason) ?? []);
      await killed.stop('SIGKILL');
      portals.delete(owner);
      kills++;
      await add(name);
    }
    assert.ok(kills >= 4, `it was killed ${kills} times`);
    const job = await check(
      jobId,
      [...portals.values()].map(([, portal]) => portal),
      6,
    );
    const takeovers = (await store.events(jobId)).filter(({ type }) => type === 'jobTakenOver').length;
    assert.equal(job.attempt, 1 + takeovers);
    for (const [taskId, reasons] of seen) {
      const kept = job.steps.find((one) => one.taskId === taskId)?.task?.decisions.map(({ reason }) => reason) ?? [];
      assert.deepEqual(kept.slice(0, reasons.length), reasons);
    }
  });

  it('take nothing from one that was suspended for too long, which shows what they do', async () => {
    const portals = [await start('a'), await start('b')];
    const [a] = portals as [TestedPortal];
    const jobId = await a.startJob('fenced');
    const owner = await begun(jobId, 2);
    process.kill(owner, 'SIGSTOP');
    const suspended = portals.find(({ pid }) => pid === owner) ?? assert.fail();
    const other = portals.find(({ pid }) => pid !== owner) ?? assert.fail();
    try {
      await store.until('another portal', async () => (await store.events(jobId)).some(({ type }) => type === 'jobTakenOver'));
    } finally {
      process.kill(owner, 'SIGCONT');
    }
    const events = await store.events(jobId);
    const old = events.filter(({ type }) => type === 'workStarted').at(1)?.taskId;
    const job = await check(jobId, [other], 3);
    assert.equal(job.attempt, 2);
    const after = await store.events(jobId);
    const takenOver = after.findIndex(({ type }) => type === 'jobTakenOver');
    assert.equal(after[takenOver - 1]?.type, 'taskInterrupted');
    assert.ok(!after.slice(takenOver).some(({ taskId }) => taskId === old));
    // It is at the store again, and has told its readers what the other one did, and nothing else.
    const told = await suspended.follow(jobId);
    assert.deepEqual(told, await other.follow(jobId));
    await check(jobId, portals, 3);
    assert.match(suspended.stderr(), /has lost its place at the store/);
    await check(await suspended.startJob('one'), portals, 1);
  });

  it('are not held up by what another connection has locked', async () => {
    const portals = [await start('a'), await start('b'), await start('c')];
    const [first] = portals as [TestedPortal];
    const jobId = await first.startJob('slow');
    const owner = await begun(jobId, 2);
    const left = portals.filter(({ pid }) => pid !== owner);
    await watcher.query('begin');
    await watcher.query('select from tapline.runs where id = $1 for update', [jobId]);
    await portals.find(({ pid }) => pid === owner)?.stop('SIGKILL');
    // Longer than a statement and its end may take together, in which the others would hear nothing of a portal that waits for it.
    const other = await server.connect(url);
    const { rows } = await other.query<{ until: string }>(`select (clock_timestamp() + interval '15 s')::text as until`);
    const beaten = () => other.query('select from tapline.portals where seen_at > $1', [rows[0]?.until]);
    while ((await beaten()).rowCount !== left.length) {
      for (const { fetchIt } of left) assert.equal((await fetchIt('copilot/job/runs')).status, 200);
      await pause();
    }
    await other.end();
    await watcher.query('rollback');
    assert.notEqual(await begun(jobId, 3), owner);
    for (const { stderr } of left) assert.doesNotMatch(stderr(), /has lost its place/);
  });

  it('give their jobs to the others when they are told to stop, and end what ran in sessions of their own', async () => {
    const [a, b] = [await start('a'), await start('b')] as const;
    const jobId = await a.startJob('slow');
    const owner = await begun(jobId, 2);
    const [leaving, staying] = owner === a.pid ? [a, b] : [b, a];
    const { sessionId } = await leaving.call('copilot/session/start/demo-fast', folder);
    const { taskId } = await leaving.call(`copilot/task/start/slow/session/${String(sessionId)}`, '');
    await begun(String(taskId), 1);
    assert.equal((await staying.call(`copilot/task/${taskId}/status`))['status'], 'Executing');
    assert.equal(await leaving.stop(), 0);
    await begun(jobId, 3);
    assert.equal((await staying.call(`copilot/task/${taskId}/status`))['status'], 'Stopped');
    assert.equal(await store.ownerOf(jobId), staying.pid);
    await staying.stop('SIGKILL');
    // Nobody is there. The next one goes on.
    const next = await start('c');
    assert.equal(await begun(jobId, 4), next.pid);
    assert.equal((await next.status(jobId)).attempt, 3);
  });

  it('run only what they have the agent hosts for', async () => {
    const host = await startHostProcess([]);
    running.push(host);
    const hosts = put('hosts.json', [{ name: 'box', url: host.url, token: host.token }]);
    const tasks = { there: task('help', { host: 'box' }) };
    const here = { ...entry, tasks, jobs: { there: seq('there') }, hosts: { box: { folder } } };
    const [able, unable] = [await start('a', put('here.json', here), '--hosts', hosts), await start('b')] as const;
    for (let count = 0; count < 5; count++) await check(await able.startJob('there'), [able, unable], 1);
    // Where nobody has it, it waits, and can be stopped.
    const jobs = { there: seq('there', 'there') };
    const slow = { ...here, tasks: { there: task('wait 60', { host: 'box' }) }, jobs };
    const waiting = await start('c', put('slow.json', slow), '--hosts', hosts);
    const jobId = await waiting.startJob('there');
    await begun(jobId, 1);
    for (const one of [able, waiting]) await one.stop('SIGKILL');
    await store.until('it waits', async () => (await store.ownerOf(jobId)) === undefined);
    assert.equal((await unable.status(jobId)).status, 'Executing');
    assert.deepEqual(await unable.call(`copilot/job/${jobId}/stop`), { result: 'Closed' });
    assert.equal((await unable.status(jobId)).status, 'Stopped');
  });

  it('say that the store is away, and go on when it is back', async () => {
    const portal = await start('a');
    const jobId = await portal.startJob('steps');
    await begun(jobId, 2);
    await server.stop();
    for (;;) {
      const response = await portal.fetchIt(`copilot/job/${jobId}/status`);
      if (response.status === 200) {
        await pause();
        continue;
      }
      assert.equal(response.status, 503);
      assert.equal(((await response.json()) as Json)['error'], 'StoreUnavailable');
      break;
    }
    assert.equal((await portal.fetchIt('copilot/job/runs')).status, 503);
    for (const [path, body] of [
      ['copilot/job/start/one', folder],
      [`copilot/job/${jobId}/stop`, ''],
    ] as const)
      assert.equal((await portal.fetchIt(path, body)).status, 503);
    await server.run();
    watcher = await server.connect(url);
    await watcher.query('listen tapline_runs');
    store = new StoreWatch(watcher);
    const job = await check(jobId, [portal], 6);
    assert.equal(job.attempt, 2);
    assert.ok(!portal.stderr().includes(PASSWORD));
  });

  it('lose nothing while the store does not answer, and ask again for what was not answered', async () => {
    const file = join(folder, 'ran.txt');
    const tasks = { quick: task('help'), run: task(`run echo ran >> ${file}`) };
    const asking = put('asking.json', { ...entry, tasks, jobs: { asked: seq('quick', 'run', 'quick') } });
    const portals = [await start('a', asking), await start('b', asking)];
    const [first] = portals as [TestedPortal];
    const jobId = await first.startJob('asked');
    const question = async () => {
      const found = await Promise.all(
        portals.map(async (portal) => ((await portal.call('attention'))['items'] as Json[]).map((item) => ({ portal, item }))),
      );
      return found.flat()[0];
    };
    const { item: before } = await store.until('the question', question);
    const resume = server.suspend();
    try {
      // Longer than the lease, so that nobody knows any more who owns the run.
      for (const { fetchIt } of portals) while ((await fetchIt(`copilot/job/${jobId}/status`)).status !== 503) await pause();
      assert.equal(await question(), undefined, 'an answer could not be kept');
    } finally {
      resume();
    }
    const { portal, item } = await store.until('the question again', question);
    assert.notEqual(item['id'], before['id']);
    const body = JSON.stringify({ revision: item['revision'], decision: 'approve' });
    const headers = { Authorization: `Bearer ${portal.said.token}`, 'Content-Type': 'application/json' };
    const answered = await fetch(`${portal.said.url}/api/attention/${String(item['id'])}`, { method: 'POST', headers, body });
    assert.equal(answered.status, 200);
    await check(jobId, portals, 3);
    assert.equal(readFileSync(file, 'utf8'), 'ran\n');
  });

  it('add what is done with the result of a run that has ended, each of them, and of no other', async () => {
    const told: string[] = [];
    const tell = (who: string) => (_runId: string, events: RunEvent[]) => void told.push(...events.map(({ type }) => `${who} ${type}`));
    const listener = (who: string): SharedStoreListener => ({
      ...{ onRun: tell(who), onEvents: tell(who), onClaim: async () => undefined, onStop: () => undefined, onLost: () => undefined },
      has: async () => false,
    });
    const [a, b] = [new PostgresStore(url, nullLogger), new PostgresStore(url, nullLogger)];
    try {
      await a.open(listener('a'));
      const runId = randomUUID();
      const note: RunEvent = { type: 'resultChanged', at: 3, did: 'committed', by: 'me' };
      await a.beginOwn(runId);
      await a.append(runId, { type: 'taskStarted', at: 1, taskId: runId, taskName: 'T', model: 'm' });
      assert.equal(await a.note(runId, note), false);
      await a.append(runId, { type: 'taskStopped', at: 2, taskId: runId });
      await b.open(listener('b'));
      assert.deepEqual(told.splice(0), ['b taskStarted', 'b taskStopped']);
      assert.equal(await b.note(runId, note), true);
      await a.catchUp(runId);
      assert.deepEqual(told.sort(), ['a resultChanged', 'b resultChanged']);
      assert.deepEqual(
        (await store.events(runId)).map(({ type }) => type),
        ['taskStarted', 'taskStopped', 'resultChanged'],
      );
      assert.equal(await b.note(randomUUID(), note), false);
    } finally {
      await a.close();
      await b.close();
    }
  });

  it('say why a store cannot be used, without its password', async () => {
    const run = async (store: string, ...args: string[]) => {
      const all = [script, '--port', '0', '--agent', 'demo', '--data', join(folder, 'x'), ...args];
      const failed = await promisify(execFile)(process.execPath, all, {
        timeout: 30_000,
        env: { ...process.env, TAPLINE_STORE: store },
      }).then(
        () => assert.fail('it has started'),
        (error: { stderr: string; stdout: string }) => error,
      );
      assert.ok(!(failed.stderr + failed.stdout).includes('hidden'), failed.stderr);
      return failed.stderr;
    };
    assert.match(await run('postgres://me:hidden@127.0.0.1:1/runs'), /The store cannot be reached: .*ECONNREFUSED/);
    assert.match(await run(server.url('postgres', 'hidden')), /The store cannot be reached: password authentication failed/);
    assert.match(await run(server.url('none').replace(PASSWORD, PASSWORD)), /The store cannot be reached: database "none" does not exist/);
    assert.match(await run('mysql://me:hidden@127.0.0.1/runs'), /TAPLINE_STORE must be an address such as postgres:/);
    assert.match(await run('postgres://me@127.0.0.1/runs', '--store', 'postgres://me@127.0.0.1/runs'), /Both --store and TAPLINE_STORE/);
    const { TAPLINE_STORE: _none, ...env } = process.env;
    const given = promisify(execFile)(process.execPath, [script, '--store', 'postgres://me:hidden@127.0.0.1/runs'], { env });
    await assert.rejects(
      given,
      (error: { stderr: string }) => /Put the address into/.test(error.stderr) && !error.stderr.includes('hidden'),
    );
  });
});
