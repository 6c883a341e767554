/** Runs that wait for their time and for other runs, over HTTP, and over a restart of the process. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateEntry } from '../../../src/portal/entry/validateEntry.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import { until } from '../../support/until.ts';
import { type Json, TestPortal } from './portalHarness.ts';

const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false });
const job = (taskId: string) => ({ work: { kind: 'Ref', taskId } });
const entry = {
  models: { driving: 'demo-fast' },
  promptVariables: {},
  tasks: { quick: task('help'), asks: task('run echo hello') },
  jobs: { quick: job('quick'), asks: job('asks') },
  grid: [],
};

interface Run extends Json {
  jobId: string;
  status: string;
  startedAt: number;
  queuedFor?: string;
  queue?: { since: number; notBefore?: number; until?: number; isLate?: true };
}

describe('the queue of a portal, over HTTP', () => {
  let test: TestPortal;
  const clock = new FakeClock();

  beforeEach(async () => {
    test = await TestPortal.start({ provider: 'demo', clock });
  });
  afterEach(() => test.close());

  const start = async (name: string, notBefore?: string) => {
    const headers = { ...test.authorized, ...(notBefore !== undefined && { 'Not-Before': notBefore }) };
    const response = await test.fetch(`/api/copilot/job/start/${name}`, test.folder, headers);
    return { status: response.status, ...((await response.json()) as Json) };
  };
  const started = async (name: string, notBefore?: string) => String(((await start(name, notBefore)) as Json)['jobId']);
  const status = async (jobId: string) => (await test.call(`copilot/job/${jobId}/status`)) as Run;
  const ended = (jobId: string) => {
    const { runs } = test.portal;
    return until('the end', runs.onDidPublish, () => runs.jobState(jobId)?.status !== 'Executing');
  };

  it('holds runs beyond the limit of a folder, in order, and says what each waits for', async () => {
    await test.install({ ...entry, limits: { perFolder: 1 } });
    const [one, two, three] = [await started('asks'), await started('quick'), await started('asks')];
    const { runs } = (await test.call('copilot/job/runs')) as { runs: Run[] };
    assert.deepEqual(
      runs.map(({ jobId, status: is, queuedFor }) => [jobId, is, queuedFor]),
      [
        [one, 'Executing', undefined],
        [two, 'Executing', `waits for run ${one.slice(0, 8)} (asks) in this folder`],
        [
          three,
          'Executing',
          `waits until 2 of these in this folder have ended: run ${one.slice(0, 8)} (asks), run ${two.slice(0, 8)} (quick)`,
        ],
      ],
    );
    assert.deepEqual(await test.call(`copilot/job/${two}/continue`), { error: 'JobCannotContinue' });
    assert.deepEqual(await test.call(`copilot/job/${two}/delete`), { error: 'JobNotEnded' });
    assert.deepEqual(await test.call(`copilot/job/${three}/stop`), { result: 'Closed' });
    assert.deepEqual(await test.call(`copilot/job/${one}/stop`), { result: 'Closed' });
    await ended(two);
    assert.equal((await status(two)).status, 'Succeeded');
    assert.deepEqual([(await status(three)).status, (await status(three))['steps']], ['Stopped', []]);
  });

  it('holds runs beyond the limit of a model, in whatever folder', async () => {
    await test.install({ ...entry, limits: { perModel: { 'demo-fast': 1 } } });
    const one = await started('asks');
    const two = String((await test.call('copilot/job/start/quick', '/'))['jobId']);
    assert.equal((await status(two)).queuedFor, `waits for run ${one.slice(0, 8)} (asks) with the model demo-fast`);
    // The limit is that of the entry as it is now.
    test.portal.installEntry(validateEntry(entry));
    await ended(two);
    assert.equal((await status(two)).status, 'Succeeded');
  });

  it('holds runs behind a task that runs alone in a session of their folder', async () => {
    await test.install({ ...entry, limits: { perFolder: 1 } });
    const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
    const { taskId } = (await test.call(`copilot/task/start/asks/session/${sessionId}`)) as { taskId: string };
    const one = await started('quick');
    assert.equal((await status(one)).queuedFor, `waits for task ${taskId.slice(0, 8)} (asks) in this folder`);
    const { folder, sessionModel } = await test.call(`copilot/task/${taskId}/status`);
    assert.deepEqual([folder, sessionModel], [test.folder, 'demo-fast']);
    await test.call(`copilot/session/${sessionId}/stop`);
    await ended(one);
    assert.equal((await status(one)).status, 'Succeeded');
  });

  it('takes of a task that runs alone the model that its session has by then, at a host of AHP v1', async () => {
    await test.close();
    test = await TestPortal.start({ provider: 'demo', clock, dialects: ['v1'] });
    await test.install(entry);
    const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
    const other = await test.connect(['v1']);
    try {
      const chat = other.chat(test.portal.sessions.uriOf(String(sessionId)));
      await whenLive(chat);
      const draft = { text: '', origin: { kind: 'user' as const }, model: { id: 'demo-steady' } };
      const settlement = await chat.perform({ type: 'chat/draftChanged', draft }).settled;
      assert.equal(settlement.kind, 'confirmed');
      await eventually(() => test.portal.sessions.get(String(sessionId))?.model === 'demo-steady', 'the other model');
      const { taskId } = (await test.call(`copilot/task/start/asks/session/${sessionId}`)) as { taskId: string };
      assert.equal((await test.call(`copilot/task/${taskId}/status`))['sessionModel'], 'demo-steady');
    } finally {
      other.close();
    }
  });

  it('keeps a run until its time', async () => {
    await test.install(entry);
    const notBefore = clock.now() + 3_600_000;
    const jobId = await started('quick', new Date(notBefore).toISOString());
    const waiting = await status(jobId);
    assert.deepEqual(waiting.queue, { since: clock.now(), notBefore });
    assert.match(waiting.queuedFor ?? '', /^waits until 1970-01-01 /);
    clock.advance(3_600_000);
    await ended(jobId);
    const { status: is, startedAt, queue, queuedFor } = await status(jobId);
    assert.deepEqual([is, startedAt, queue?.until, queuedFor], ['Succeeded', notBefore, notBefore, undefined]);
    const { entries } = (await test.call(`copilot/job/${jobId}/timeline`)) as { entries: { text: string }[] };
    assert.match(entries[0]?.text ?? '', /^The job "quick" was queued, to begin at 1970-01-01T.+ or later\.$/);
  });

  it('begins at once with a time that is past, and takes only a time with its zone', async () => {
    await test.install(entry);
    const jobId = await started('quick', new Date(clock.now() - 1).toISOString());
    assert.equal((await status(jobId)).queue, undefined);
    for (const wrong of ['22:00', '2026-11-28T06:00', 'soon']) {
      const { status: code, message } = (await start('quick', wrong)) as Json;
      assert.equal(code, 400);
      assert.match(String(message), /^Not-Before must be a time with its zone/);
    }
  });
});

describe('a queue over a restart', function () {
  this.timeout(60_000);
  let folder: string;
  let portal: PrintingProcess<{ url: string; token: string }> | undefined;

  const script = join(import.meta.dirname, '../../../dist/portal.cjs');
  const open = async (limits: Json, ...more: string[]) => {
    writeFileSync(join(folder, 'entry.json'), JSON.stringify({ ...entry, limits }));
    const args = ['--port', '0', '--agent', 'demo', '--data', join(folder, 'data'), '--entry', join(folder, 'entry.json'), ...more];
    portal = await startPrintingProcess('portal', script, args);
  };
  const call = async (path: string, body = '', headers: Record<string, string> = {}) => {
    assert.ok(portal);
    const { url, token } = portal.said;
    const response = await fetch(`${url}/api/${path}`, { method: 'POST', body, headers: { Authorization: `Bearer ${token}`, ...headers } });
    return (await response.json()) as Json;
  };
  const status = async (jobId: string) => (await call(`copilot/job/${jobId}/status`)) as Run;
  /** The live queue is closed at the end of the run. */
  const ended = async (jobId: string) => {
    for (;;) {
      const { error } = await call(`copilot/job/${jobId}/live`);
      if (error !== undefined && error !== 'HttpRequestTimeout') return status(jobId);
    }
  };

  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-queue-')))));
  afterEach(async () => {
    await portal?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('goes on after a kill: what had begun is interrupted, and what was queued begins', async () => {
    await open({ perFolder: 1 });
    const first = String((await call('copilot/job/start/asks', folder))['jobId']);
    const second = String((await call('copilot/job/start/quick', folder))['jobId']);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const third = String((await call('copilot/job/start/quick', folder, { 'Not-Before': tomorrow }))['jobId']);
    assert.match((await status(second)).queuedFor ?? '', /^waits for run /);
    await portal?.stop('SIGKILL');
    await open({ perFolder: 1 });
    assert.equal((await ended(second)).status, 'Succeeded');
    assert.equal((await status(first)).status, 'Interrupted');
    const { status: is, queue, queuedFor } = await status(third);
    assert.deepEqual([is, queue?.notBefore, queue?.until], ['Executing', Date.parse(tomorrow), undefined]);
    assert.match(queuedFor ?? '', /^waits until /);
  });

  it('begins with nothing before the time that the portal was given', async () => {
    await open({}, '--not-before', '2999-01-01T00:00Z');
    const jobId = String((await call('copilot/job/start/quick', folder))['jobId']);
    assert.match((await status(jobId)).queuedFor ?? '', /^waits until (?:2998-12-31|2999-01-01) /);
    await assert.rejects(startPrintingProcess('portal', script, ['--port', '0', '--data', join(folder, 'other'), '--not-before', 'soon']));
  });
});
