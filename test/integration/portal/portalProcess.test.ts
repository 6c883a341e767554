import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ListedSchedule } from '../../../src/portal/schedules/scheduledRuns.ts';
import { eventually } from '../../fakes/eventually.ts';
import { followJob } from '../../support/followJob.ts';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import { until } from '../../support/until.ts';
import { V1Client } from '../../support/v1Client.ts';
import { AnswerCheck } from './answerCheck.ts';
import { type Json, pageHeaders, pageKey } from './portalHarness.ts';

const script = join(import.meta.dirname, '../../../dist/portal.cjs');
const run = (args: string[]) => promisify(execFile)(process.execPath, [script, ...args], { timeout: 30_000 });

interface Said {
  url: string;
  token: string | null;
  page: string;
  host: { url: string; token: string };
}

const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false });
const ref = (taskId: string) => ({ work: { kind: 'Ref', taskId } });
const entry = {
  models: { driving: 'demo-fast' },
  promptVariables: {},
  tasks: { quick: task('help'), slow: task('wait 60') },
  jobs: {
    both: {
      work: {
        kind: 'Seq',
        works: [
          { kind: 'Ref', taskId: 'quick' },
          { kind: 'Ref', taskId: 'slow' },
        ],
      },
    },
  },
  grid: [],
};

/** `KILLS=100` for a long run. */
const KILLS = Number(process.env['KILLS'] ?? 3);
interface JobStatus {
  status: string;
  steps: { taskId: string; skipped?: { was: string }; workId: number; status: string; task?: { decisions: { reason: string }[] } }[];
}

describe('the portal as a process', function () {
  this.timeout(60_000);
  let folder: string;
  const answers = new AnswerCheck(true);
  const running: PrintingProcess<Said>[] = [];
  const start = async (...args: string[]) => {
    const portal = await startPrintingProcess<Said>('portal', script, [
      '--port',
      '0',
      '--agent',
      'demo',
      '--data',
      join(folder, 'data'),
      ...args,
    ]);
    running.push(portal);
    const call = async (path: string, body?: string) => {
      const headers = { Authorization: `Bearer ${portal.said.token}` };
      const response = await fetch(`${portal.said.url}/api/${path}`, { ...(body !== undefined && { method: 'POST', body }), headers });
      await answers.check(body === undefined ? 'GET' : 'POST', `/api/${path}`, response);
      return (await response.json()) as Json;
    };
    return { ...portal, call };
  };
  const put = (name: string, text: string) => (writeFileSync(join(folder, name), text), join(folder, name));

  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-portal-')))));
  afterEach(async () => {
    for (const portal of running.splice(0)) await portal.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('prints one line with where it is, and its token nowhere else, until it is told to stop', async () => {
    const portal = await start('--verbose', '--entry', put('entry.json', JSON.stringify(entry)));
    const { url, token, page, host } = portal.said;
    assert.equal(page, `${url}/?token=${token}`);
    assert.match((await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '', /^\/\?opening=/);
    assert.deepEqual(Object.keys((await portal.call('copilot/job'))['jobs'] as object), ['both']);
    const client = await V1Client.connect({ url: host.url, token: host.token });
    client.close();
    assert.deepEqual(await portal.call('stop'), {});
    assert.equal(await portal.stop(), 0);
    assert.equal(portal.stdout().trim().split('\n').length, 1);
    assert.ok(!portal.stderr().includes(token ?? '') && !portal.stderr().includes(host.token));
  });

  it('refuses what makes no sense, and says where the fault is', async () => {
    await assert.rejects(run(['--port', 'x']), /--port must be a whole number/);
    await assert.rejects(run(['--agent', 'x']), /--agent must be copilot or demo/);
    await assert.rejects(run(['--test', '--entry', 'x']), /does not go with --entry/);
    await assert.rejects(run(['--entry', join(folder, 'none.json')]), /none\.json: ENOENT/);
    const wrong = put('wrong.json', JSON.stringify({ ...entry, jobs: { x: { work: { kind: 'Ref', taskId: 'y' } } } }));
    await assert.rejects(run(['--entry', wrong]), /wrong\.json: entry\.jobs\["x"\]\.work\.taskId: there is no task "y"/);
    await assert.rejects(run(['--entry', put('empty.mjs', '')]), /exports neither/);
    const keyed = put('models.json', JSON.stringify([{ id: 'm', name: 'M', baseUrl: 'http://localhost/v1', apiKey: 'secret' }]));
    await assert.rejects(run(['--models', keyed]), /models\.json: keys do not belong into a file/);
    await assert.rejects(run(['--watched', '--without-token']), /--without-token does not go with --watched/);
    assert.match((await run(['--help'])).stdout, /--without-token/);
    const portal = await start();
    await assert.rejects(run(['--port', '0', '--data', join(folder, 'data')]), /is in use by another portal/);
    const taken = new URL(portal.said.url).port;
    await assert.rejects(run(['--port', taken, '--data', join(folder, 'other')]), new RegExp(`Port ${taken} is in use`));
  });

  it('reads an entry that is a module, and reads it again when it changes', async () => {
    const text = (name: string) => `export const entry = ${JSON.stringify({ ...entry, tasks: { ...entry.tasks, [name]: task('help') } })};`;
    const file = put('entry.mjs', text('first'));
    const portal = await start('--entry', file);
    const names = async () => ((await portal.call('copilot/task'))['tasks'] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(await names(), ['quick', 'slow', 'first']);
    put('entry.mjs', 'export default 1;');
    while (!/The entry is not changed/.test(portal.stderr())) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(await names(), ['quick', 'slow', 'first']);
    put('entry.mjs', text('second'));
    while (!(await names()).includes('second')) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('starts a job by its schedule after it has missed a time, and lists when it comes next', async () => {
    const schedule = { cron: '0 6 * * *', timeZone: 'UTC', missed: 'run', folder };
    const gone = { ...ref('quick'), schedule: { ...schedule, folder: join(folder, 'gone') } };
    const nightly = { ...ref('quick'), schedule };
    const file = put('entry.json', JSON.stringify({ ...entry, jobs: { ...entry.jobs, gone, nightly } }));
    mkdirSync(join(folder, 'data'));
    put(
      'data/schedules.json',
      JSON.stringify({
        jobs: Object.fromEntries(
          ['gone', 'nightly'].map((name) => [name, { cron: schedule.cron, timeZone: 'UTC', until: Date.now() - 2 * 24 * 3_600_000 }]),
        ),
      }),
    );
    const portal = await start('--entry', file);
    const runs = async () => (await portal.call('copilot/job/runs'))['runs'] as { jobId: string; jobName: string; status: string }[];
    await eventually(async () => (await runs())[0]?.status === 'Succeeded', 'the run', 20_000);
    assert.deepEqual(
      (await runs()).map(({ jobName }) => jobName),
      ['nightly'],
    );
    const { jobs } = (await portal.call('copilot/job')) as { jobs: Record<string, { schedule?: ListedSchedule }> };
    const { next = 0, last, missedTimes, ...given } = jobs['nightly']?.schedule ?? assert.fail();
    assert.deepEqual(given, schedule);
    assert.deepEqual([new Date(next).getUTCHours(), next > Date.now(), missedTimes], [6, true, undefined]);
    assert.equal(last?.jobId, (await runs())[0]?.jobId);
    assert.equal(jobs['both']?.schedule, undefined);
    assert.equal(jobs['gone']?.schedule?.last?.problem, `its folder ${JSON.stringify(join(folder, 'gone'))} is not there`);
    assert.match(portal.stderr(), /“nightly” was to start 2 times while the portal did not run/);
    await portal.stop();
    const again = await start('--entry', file);
    assert.equal(((await again.call('copilot/job/runs'))['runs'] as unknown[]).length, 1, 'it is made up for once');
  });

  it('runs the example of docs/portal.md, which waits for the user', async () => {
    const portal = await start('--entry', join(import.meta.dirname, '../../../examples/portal/demo.json'));
    const ended = async (jobId: unknown) => {
      while ((await portal.call(`copilot/job/${jobId}/live`))['error'] !== 'JobsClosed') continue;
      return (await portal.call(`copilot/job/${jobId}/status`))['status'];
    };
    assert.equal(await ended((await portal.call('copilot/job/start/Answer', `${folder}\nhello`))['jobId']), 'Succeeded');
    const { jobId } = await portal.call('copilot/job/start/Look%20around', folder);
    const user = await V1Client.connect({ url: portal.said.host.url, token: portal.said.host.token });
    const approved = new Set<string>();
    const approve = (uri: string) => {
      const session = user.subscribeSession(uri);
      session.onDidChange(() => {
        const { activeTurn } = session.state ?? {};
        for (const part of activeTurn?.responseParts ?? []) {
          const { toolCall } = part as { toolCall?: { toolCallId: string; status: string } };
          if (!activeTurn || toolCall?.status !== 'pending-confirmation' || approved.has(toolCall.toolCallId)) continue;
          approved.add(toolCall.toolCallId);
          const decision = { turnId: activeTurn.id, toolCallId: toolCall.toolCallId, approved: true, confirmed: 'user-action' } as const;
          user.dispatch(uri, { type: 'session/toolCallConfirmed', session: uri, ...decision });
        }
      });
    };
    user.onNotification((notification) => notification.type === 'notify/sessionAdded' && approve(notification.summary.resource));
    for (const { resource } of (await user.request('listSessions', {})).items) approve(resource);
    assert.equal(await ended(jobId), 'Succeeded');
    assert.equal(approved.size, 2);
    user.close();
  });

  it('is followed by ten programs, each of which gets every event once', async function () {
    this.timeout(180_000);
    const quick = { kind: 'Ref', taskId: 'quick' };
    const works = [...Array.from({ length: 2 }, () => ({ kind: 'Par', works: [quick, quick, quick] })), { kind: 'Ref', taskId: 'slow' }];
    const jobs = { many: { work: { kind: 'Seq', works } } };
    const portal = await start('--entry', put('entry.json', JSON.stringify({ ...entry, jobs })));
    const { jobId } = await portal.call('copilot/job/start/many', folder);
    let thoseAtEnd = 0;
    const told = await Promise.all(
      Array.from({ length: 10 }, () =>
        followJob(portal.said, String(jobId), (_path, { workId }) => {
          // The job stays with its last task until all of them have come so far.
          if (workId === 6 && ++thoseAtEnd === 10) void portal.call(`copilot/job/${jobId}/stop`);
        }),
      ),
    );
    const { steps } = (await portal.call(`copilot/job/${jobId}/status`)) as unknown as JobStatus;
    assert.equal(steps.length, 7);
    for (const heard of told) {
      assert.deepEqual(heard, told[0]);
      const job = heard[`job/${jobId}`] ?? [];
      assert.deepEqual(job.at(-1), { error: 'JobsClosed' });
      const ids = (callback: string) => job.filter((one) => one['callback'] === callback).map(({ workId }) => Number(workId));
      assert.deepEqual(ids('workStarted'), [0, 1, 2, 3, 4, 5, 6]);
      assert.deepEqual(ids('workStopped').sort(), [0, 1, 2, 3, 4, 5]);
      for (const { taskId, task: state } of steps) {
        const reasons = heard[`task/${taskId}`]?.flatMap(({ reason }) => reason ?? []);
        assert.deepEqual(
          reasons,
          state?.decisions.map(({ reason }) => reason),
        );
      }
    }
  });

  it('has the same address and token after a kill, unless a new token is asked for', async () => {
    const first = await start();
    const { url } = first.said;
    const token = first.said.token ?? assert.fail();
    const key = await pageKey(url, token);
    const headers = await pageHeaders(url, token, key);
    const config = async (given: Record<string, string>) => (await fetch(`${url}/api/config`, { headers: given })).status;
    assert.equal(await config(headers), 200);
    await first.stop('SIGKILL');
    const second = await start();
    assert.deepEqual([second.said.url, second.said.token], [url, token]);
    assert.equal(await config(headers), 401, 'a session that was stolen');
    assert.equal(await config(await pageHeaders(url, token, key)), 200, 'a browser that was there before');
    assert.match(second.stderr(), /Port \d+ is that of last time/);
    assert.ok(!second.stderr().includes(token ?? ''));
    await second.stop('SIGKILL');
    const third = await start('--new-token');
    assert.equal(third.said.url, url);
    assert.notEqual(third.said.token, token);
    await assert.rejects(pageHeaders(url, token, key), 'the proof of the portal is another one');
    assert.equal(await config({ Authorization: `Bearer ${token}` }), 401);
    assert.deepEqual(Object.keys(await third.call('config')), ['repoRoot']);
  });

  it('keeps its token in a file that is named, and says what to do about one that is none', async () => {
    const file = put('token', 'x'.repeat(40));
    chmodSync(file, 0o600);
    const portal = await start('--token-file', file);
    assert.equal(portal.said.token, 'x'.repeat(40));
    await portal.stop();
    writeFileSync(file, 'short');
    await assert.rejects(start('--token-file', file), /The token in .*token must have 22 characters or more, and no spaces\. Remove it/);
    await assert.rejects(run(['--without-token', '--new-token']), /does not go with/);
  });

  it('takes entries over HTTP, from the test folder, when it was started for tests', async () => {
    const portal = await start('--test');
    const install = async (path: string) => (await portal.call('copilot/test/installJobsEntry', path))['result'];
    assert.equal(await install(put('entry.json', JSON.stringify(entry))), 'InvalidatePath');
    assert.equal(await install(import.meta.filename), 'InvalidateEntry');
  });

  it('shows what ran when it was killed as interrupted, and goes on from there', async () => {
    const args = ['--entry', put('entry.json', JSON.stringify(entry))];
    const first = await start(...args);
    const { jobId } = await first.call('copilot/job/start/both', folder);
    let works = 0;
    while (works < 3) if (/^work/.test(String((await first.call(`copilot/job/${jobId}/live`))['callback']))) works++;
    await first.stop('SIGKILL');
    const runFile = join(folder, 'data/runs', readdirSync(join(folder, 'data/runs'))[0] ?? '');
    writeFileSync(runFile, '{"at":1,"type":"jobSuc', { flag: 'a' });

    const second = await start(...args);
    const status = (await second.call(`copilot/job/${jobId}/status`)) as { status: string; steps: { status: string }[] };
    assert.equal(status.status, 'Interrupted');
    assert.deepEqual(
      status.steps.map((step) => step.status),
      ['Succeeded', 'Interrupted'],
    );
    assert.deepEqual(await second.call(`copilot/job/${jobId}/continue`), { jobId });
    const begun = await second.call(`copilot/job/${jobId}/live`);
    assert.deepEqual([begun['callback'], begun['workId']], ['workStarted', 1]);
    assert.equal(await second.stop(), 0);
    const third = await start(...args);
    const again = await third.call(`copilot/job/${jobId}/status`);
    assert.deepEqual([again['status'], again['attempt']], ['Stopped', 2]);
  });

  it('is paused after it was killed where a pause was asked for, and when it had come', async () => {
    const args = ['--entry', put('entry.json', JSON.stringify(entry))];
    const first = await start(...args);
    const { jobId } = await first.call('copilot/job/start/both', folder);
    let works = 0;
    while (works < 3) if (/^work/.test(String((await first.call(`copilot/job/${jobId}/live`))['callback']))) works++;
    assert.deepEqual(await first.call(`copilot/job/${jobId}/pause`), { result: 'Pausing' });
    await first.stop('SIGKILL');

    const second = await start(...args);
    const paused = (await second.call(`copilot/job/${jobId}/status`)) as { status: string; steps: { status: string }[] };
    assert.deepEqual([paused.status, paused.steps.map(({ status }) => status)], ['Paused', ['Succeeded', 'Interrupted']]);
    await second.stop('SIGKILL');
    const third = await start(...args);
    assert.deepEqual((await third.call(`copilot/job/${jobId}/status`))['status'], 'Paused');
    assert.deepEqual(await third.call(`copilot/job/${jobId}/continue`), { jobId });
    const begun = await third.call(`copilot/job/${jobId}/live`);
    assert.deepEqual([begun['callback'], begun['workId']], ['workStarted', 1]);
    const skipped = await third.call(`copilot/job/${jobId}/skip`, '{"step":"1#0"}');
    assert.deepEqual(skipped, { jobId });
    await third.stop('SIGKILL');
    const fourth = await start(...args);
    const { status, steps } = (await fourth.call(`copilot/job/${jobId}/status`)) as unknown as JobStatus;
    assert.deepEqual([steps[2]?.status, steps[2]?.skipped?.was], ['Succeeded', 'Executing'], status);
  });

  it('lets nothing run without asking in a session whose task was killed', async () => {
    const unasked = { ...task('run sleep 60'), approve: ['everything'] };
    const jobs = { sleep: { work: { kind: 'Ref', taskId: 'unasked' } } };
    const args = ['--entry', put('entry.json', JSON.stringify({ ...entry, tasks: { unasked }, jobs }))];
    const first = await start(...args);
    const { jobId } = await first.call('copilot/job/start/sleep', folder);
    const { taskId } = await first.call(`copilot/job/${jobId}/live`);
    let told: Json = {};
    while (!/approve \["everything"\]/.test(String(told['reason']))) told = await first.call(`copilot/task/${taskId}/live`);
    await first.stop('SIGKILL');
    const { said } = await start(...args);
    const user = await V1Client.connect({ url: said.host.url, token: said.host.token });
    const [{ resource } = assert.fail()] = (await user.request('listSessions', {})).items;
    const session = user.subscribeSession(resource);
    await until('the setting is taken back', session.onDidChange, () => session.state?.config?.values['approvals'] === 'ask');
    user.close();
  });

  it(`has on disk whatever it told of, at whatever moment it is killed (${KILLS} times)`, async function () {
    this.timeout(30_000 + KILLS * 5_000);
    const steps = Array.from({ length: 6 }, () => ({ kind: 'Ref', taskId: 'quick' }));
    const args = ['--entry', put('entry.json', JSON.stringify({ ...entry, jobs: { long: { work: { kind: 'Seq', works: steps } } } }))];
    const told = new Map<string, string[]>();
    const done = new Set<number>();
    let jobId: unknown;
    let decisions = 0;
    for (let kill = 0; ; kill++) {
      const portal = await start(...args);
      if (jobId === undefined) ({ jobId } = await portal.call('copilot/job/start/long', folder));
      else {
        const status = (await portal.call(`copilot/job/${jobId}/status`)) as unknown as JobStatus;
        for (const [taskId, reasons] of told) {
          const kept = status.steps.find((step) => step.taskId === taskId)?.task?.decisions.map(({ reason }) => reason) ?? [];
          assert.deepEqual(kept.slice(0, reasons.length), reasons);
          decisions += reasons.length;
        }
        const succeeded = status.steps.filter((step) => step.status === 'Succeeded').map(({ workId }) => workId);
        for (const workId of done) assert.equal(succeeded.filter((one) => one === workId).length, 1, 'a step that succeeded runs once');
        assert.ok(['Interrupted', 'Succeeded'].includes(status.status), status.status);
        if (status.status === 'Interrupted') assert.deepEqual(await portal.call(`copilot/job/${jobId}/continue`), { jobId });
        else {
          // What was kept and not told any more does not run again either.
          assert.deepEqual(succeeded.sort(), [0, 1, 2, 3, 4, 5]);
          if (kill > KILLS) break;
          told.clear();
          done.clear();
          ({ jobId } = await portal.call('copilot/job/start/long', folder));
        }
      }
      const followed = follow(portal.call, `job/${jobId}`);
      if (kill < KILLS) setTimeout(() => void portal.stop('SIGKILL'), Math.random() * 500);
      await followed;
      await portal.stop('SIGKILL');
    }
    assert.ok(decisions > 0);

    /** Until the end of the queue, or of the process. */
    async function follow(call: (path: string) => Promise<Json>, path: string): Promise<void> {
      const inner: Promise<void>[] = [];
      for (;;) {
        const response = await call(`copilot/${path}/live`).catch(() => ({ error: 'killed' }) as Json);
        const { callback, error, taskId, workId, reason } = response;
        if (callback === undefined && error !== 'HttpRequestTimeout') break;
        if (callback === 'workStarted') inner.push(follow(call, `task/${taskId}`));
        if (callback === 'workStopped') done.add(workId as number);
        if (callback === 'taskDecision') told.set(path.slice(5), [...(told.get(path.slice(5)) ?? []), String(reason)]);
      }
      await Promise.all(inner);
    }
  });
});
