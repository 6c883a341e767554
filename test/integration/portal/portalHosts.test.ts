/** Tasks at other agent hosts, which are processes of their own: where they run, and what happens when a host goes. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AgentHostClient, whenLive } from '../../../src/ahp/index.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { startHostServer } from '../../../src/host/server/hostServer.ts';
import { HOST_WAIT_MS } from '../../../src/portal/hostSessions/hostSessions.ts';
import { SESSION_CRASH_PREFIX } from '../../../src/portal/tasks/taskSessions.ts';
import { until } from '../../support/until.ts';
import { gate, ScriptedAgent } from '../host/hostHarness.ts';
import { OtherHost, type Watched } from './otherHost.ts';
import { type Json, TestPortal, type TestPortalOptions } from './portalHarness.ts';

const task = (prompt: string, host?: string, approve?: string[]) => ({
  ...{ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false },
  ...(host !== undefined && { host }),
  ...(approve && { approve }),
});
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const entryOf = (tasks: Record<string, object>, hosts: object = {}, driving = 'demo-fast') => ({
  ...{ models: { driving }, promptVariables: {}, grid: [], tasks, hosts },
  jobs: {
    ...Object.fromEntries(Object.keys(tasks).map((name) => [name, { work: ref(name) }])),
    all: { work: { kind: 'Par', works: Object.keys(tasks).map(ref) } },
  },
});

/** Where the test knows that a host does not come back, nobody waits for it. */
class ImpatientClock implements Clock {
  isGivenUp = false;
  readonly now = () => Date.now();

  setTimer(callback: () => void, delayMs: number) {
    return systemClock.setTimer(callback, this.isGivenUp && delayMs === HOST_WAIT_MS ? 100 : delayMs);
  }
}

interface JobStatus {
  status: string;
  reason?: string;
  steps: {
    taskName: string;
    crashError?: string;
    task?: { host?: string; folder?: string; decisions: { reason: string }[]; sessions: { sessionId: string }[] };
  }[];
}

for (const dialect of ['v1', 'channels'] as const)
  describe(`tasks at other agent hosts, over ${dialect}`, function () {
    this.timeout(90_000);
    let near: OtherHost;
    let far: OtherHost;
    let test: TestPortal;
    let clock: ImpatientClock;

    beforeEach(async () => {
      clock = new ImpatientClock();
      [near, far] = await Promise.all([OtherHost.start('near', [dialect]), OtherHost.start('far', [dialect])]);
    });
    afterEach(async () => {
      await test.close();
      await Promise.all([near.close(), far.close()]);
    });

    async function start(options: TestPortalOptions = {}): Promise<void> {
      const hosts = new Map([near, far].map((host, at) => [['near', 'far'][at] ?? '', host.client]));
      test = await TestPortal.start({ provider: 'demo', hosts, clock, ...options });
    }
    const startJob = async (name: string) => String((await test.call(`copilot/job/start/${name}`, test.folder))['jobId']);
    const status = async (jobId: string) => (await test.call(`copilot/job/${jobId}/status`)) as unknown as JobStatus;
    const ended = async (jobId: string) => (await test.follow(`job/${jobId}`), status(jobId));
    const decisions = ({ steps }: JobStatus) => steps.flatMap(({ task: one }) => one?.decisions ?? []).map(({ reason }) => reason);
    const folders = () => ({ near: { folder: near.folder }, far: { folder: far.folder } });
    const waitingCall = ({ chat: { confirmed } }: Watched) => {
      const { activeTurn } = confirmed ?? {};
      for (const part of activeTurn?.responseParts ?? [])
        if (part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation')
          return { turnId: activeTurn?.id ?? '', toolCallId: part.toolCall.toolCallId };
      return undefined;
    };
    const quiet = ({ chat }: Watched) =>
      until('the end of the turn', chat.onDidChange, () => !chat.confirmed?.activeTurn && chat.confirmed);

    it('run where they say, in the folder there', async () => {
      await start();
      const tasks = {
        here: task('run pwd > made.txt', undefined, ['everything']),
        near: task('run pwd > made.txt', 'near', ['everything']),
        far: task('run pwd > made.txt', 'far', ['everything']),
      };
      assert.deepEqual(await test.install(entryOf(tasks, folders())), { result: 'OK' });
      const listed = (await test.call('copilot/task'))['tasks'] as Json[];
      assert.deepEqual(
        listed.map(({ host }) => host),
        [undefined, 'near', 'far'],
      );
      const { jobs } = (await test.call('copilot/job')) as { jobs: Record<string, Json> };
      assert.deepEqual([jobs['all']?.['hosts'], jobs['here']?.['hosts']], [{ near: 'near', far: 'far' }, undefined]);
      assert.match(String((jobs['far']?.['withoutAsking'] as Json)['far']), /without asking, at the agent host “far”$/);
      const job = await ended(await startJob('all'));
      assert.equal(job.status, 'Succeeded', JSON.stringify(job));
      for (const folder of [test.folder, near.folder, far.folder])
        assert.equal(realpathSync(readFileSync(join(folder, 'made.txt'), 'utf8').trim()), folder);
      const places = new Map(job.steps.map(({ taskName, task: one }) => [taskName, [one?.host, one?.folder]]));
      assert.deepEqual(Object.fromEntries(places), { here: [undefined, undefined], near: ['near', near.folder], far: ['far', far.folder] });
      assert.match(decisions(job).join('\n'), /approve \["everything"\] of the entry/);
    });

    it('name hosts of the list, or the entry is refused', async () => {
      await start();
      for (const [entry, error] of [
        [entryOf({ go: task('help', 'nowhere') }), 'entry.tasks["go"].host: the portal has no agent host "nowhere": it has "near", "far"'],
        [entryOf({ go: task('help') }, { constructor: {} }), 'entry.hosts["constructor"]: the portal has no agent host "constructor"'],
      ] as const) {
        const answer = await test.install(entry);
        assert.deepEqual([answer['result'], String(answer['error']).startsWith(error)], ['InvalidateEntry', true], String(answer['error']));
      }
      const alone = await TestPortal.start();
      try {
        const answer = await alone.install(entryOf({ go: task('help', 'near') }));
        assert.equal(answer['error'], 'entry.tasks["go"].host: the portal has no agent host "near"');
      } finally {
        await alone.close();
      }
    });

    it('ask at their host, and are answered there', async () => {
      await start();
      await test.install(entryOf({ go: task('run touch made.txt', 'far') }, folders()));
      const jobId = await startJob('go');
      const { attention } = test.portal;
      const item = await until('the question', attention.onDidChange, () => attention.list().items.find(({ kind }) => kind === 'call'));
      assert.deepEqual([item.host, attention.list().isComplete], ['far', true]);
      const { sessions } = (await test.call('copilot/session')) as { sessions: Json[] };
      assert.deepEqual([sessions[0]?.['host'], sessions[0]?.['uri']], ['far', item.session]);
      const answered = await test.fetch(`/api/attention/${item.id}`, JSON.stringify({ revision: item.revision, decision: 'approve' }), {
        ...test.authorized,
        'Content-Type': 'application/json',
      });
      assert.deepEqual(await answered.json(), { result: 'Answered' });
      assert.equal((await ended(jobId)).status, 'Succeeded');
      assert.ok(existsSync(join(far.folder, 'made.txt')));
      assert.deepEqual((await test.call('attention'))['items'], []);
    });

    it('are not run elsewhere by tapline', async () => {
      await start();
      await test.install(entryOf({ go: task('help', 'far') }, folders()));
      const env = { ...process.env, TAPLINE_PORTAL_URL: test.server.url, TAPLINE_PORTAL_TOKEN: test.server.token };
      const script = join(import.meta.dirname, '../../../dist/tapline.cjs');
      const run = promisify(execFile)(process.execPath, [script, 'run', 'go'], { env, timeout: 30_000 });
      await assert.rejects(run, ({ code, stderr }) => code === 3 && /runs at the agent host far: start a job/.test(stderr));
      assert.deepEqual((await test.call('copilot/session'))['sessions'], []);
    });

    it('are stopped at every host with their job', async () => {
      await start();
      await test.install(entryOf({ near: task('wait 3000', 'near'), far: task('wait 3000', 'far') }, folders()));
      const jobId = await startJob('all');
      const working = await Promise.all([near.working('wait 3000'), far.working('wait 3000')]);
      assert.deepEqual(await test.call(`copilot/job/${jobId}/stop`), { result: 'Closed' });
      for (const watched of working) {
        const { turns } = await quiet(watched);
        assert.equal(turns[0]?.state, 'cancelled');
        const { session } = watched;
        await until('the tools', session.onDidChange, () => session.confirmed?.activeClients.length === 0);
      }
    });

    it('are done again when their host was killed and is back', async () => {
      await start();
      await test.install(entryOf({ near: task('help', 'near'), far: task('wait 3000', 'far') }, folders()));
      const jobId = await startJob('all');
      await far.working('wait 3000');
      await far.kill();
      await far.startAgain();
      const job = await ended(jobId);
      assert.equal(job.status, 'Succeeded', JSON.stringify(job));
      const step = job.steps.find(({ taskName }) => taskName === 'far');
      assert.equal(step?.task?.sessions.length, 2, 'each try has a session of its own');
      assert.match(decisions(job).join('\n'), /\[SESSION CRASHED\] Try 1 of 5: the agent host “far”: /);
      const again = far.watcher.sessions.summaries.map(({ resource }) => far.watch(resource).chat);
      for (const chat of again) await until('its state', chat.onDidChange, () => chat.status.kind === 'live');
      assert.ok(again.some(({ confirmed }) => confirmed?.turns[0]?.message.text.startsWith(SESSION_CRASH_PREFIX)));
    });

    it('fail when their host does not come back, and nothing runs elsewhere instead', async () => {
      await start();
      await test.install(entryOf({ go: task('wait 3000', 'far'), near: task('help', 'near') }, folders()));
      const jobId = await startJob('go');
      await far.working('wait 3000');
      clock.isGivenUp = true;
      await far.kill();
      const job = await ended(jobId);
      clock.isGivenUp = false;
      assert.equal(job.status, 'Failed');
      const told = decisions(job);
      assert.match(told[0] ?? '', /^\[SESSION CRASHED\] Try 1 of 5: the agent host “far”: the connection was lost/);
      for (const at of [2, 3, 4, 5])
        assert.match(
          told[at - 1] ?? '',
          new RegExp(`^\\[SESSION CRASHED\\] Try ${at} of 5: the agent host “far”: it could not be reached`),
        );
      assert.match(told.at(-1) ?? '', /^\[TASK FAILED\] the agent host “far”: it could not be reached within 15 s/);
      assert.match(job.reason ?? '', /“far”/);
      assert.equal(near.watcher.sessions.summaries.length, 0);
      assert.equal((await test.connect().then((client) => client.listSessions().finally(() => client.close()))).length, 0);
      // The rest of the portal goes on.
      assert.equal((await ended(await startJob('near'))).status, 'Succeeded');
    });

    it('fail when their host cannot be reached at the start, and go on from there once it can', async () => {
      await far.kill();
      await start();
      clock.isGivenUp = true;
      await test.install(entryOf({ go: task('help', 'far') }, folders()));
      const jobId = await startJob('go');
      const job = await ended(jobId);
      clock.isGivenUp = false;
      assert.deepEqual([job.status, decisions(job).length], ['Failed', 6]);
      assert.match(decisions(job)[0] ?? '', /Try 1 of 5: the agent host “far”: it could not be reached within 15 s: /);
      await far.startAgain();
      await until('the host', far.client.onDidChangeState, () => (far.client.reconnectNow(), far.client.state.kind === 'connected'));
      await test.call(`copilot/job/${jobId}/continue`);
      assert.equal((await ended(jobId)).status, 'Succeeded');
    });

    it('do not run without their model', async () => {
      await start();
      await test.install(entryOf({ go: { ...task('help', 'far'), model: { id: 'other' } } }, folders()));
      const job = await ended(await startJob('go'));
      assert.match(job.reason ?? '', /the agent host “far”: the agent “demo” has no model “other” there/);
      assert.equal(far.watcher.sessions.summaries.length, 0);
    });

    it('go on without another try when their host was away for a moment', async () => {
      await start();
      await test.install(entryOf({ go: task('run touch made.txt', 'far') }, folders()));
      const jobId = await startJob('go');
      const watched = await far.working('run touch made.txt');
      const call = await until('the question', watched.chat.onDidChange, () => waitingCall(watched));
      far.goAway();
      assert.equal((await test.call('attention'))['isComplete'], false, 'what waits there is not known');
      assert.equal((await watched.chat.approve(call).settled).kind, 'confirmed');
      await quiet(watched);
      far.comeBack();
      const job = await ended(jobId);
      const answer = '[OPERATION] another client of the agent host approved a call: run_command ran, with "touch made.txt".';
      assert.deepEqual([job.status, decisions(job)], ['Succeeded', [answer, '[TASK SUCCEEDED]']]);
    });

    it('are stopped at a host that was away, as soon as it is back', async () => {
      await start();
      await test.install(entryOf({ go: task('wait 3000', 'far', ['everything']) }, folders()));
      for (const isStopped of [true, false]) {
        const jobId = await startJob('go');
        const watched = await far.working('wait 3000');
        const { session, chat } = watched;
        clock.isGivenUp = !isStopped;
        far.goAway();
        if (isStopped) await test.call(`copilot/job/${jobId}/stop`);
        const { status: how } = await ended(jobId);
        assert.equal(how, isStopped ? 'Stopped' : 'Failed');
        clock.isGivenUp = false;
        assert.ok(chat.confirmed?.activeTurn);
        far.comeBack();
        await quiet(watched);
        await until('its setting', session.onDidChange, () => session.confirmed?.config?.values['approvals'] === 'ask');
        assert.equal(chat.confirmed?.turns.length, 1);
      }
    });

    it('leave nothing running, wherever the line to their host is cut', async () => {
      await start();
      const file = join(far.folder, 'elsewhere.json');
      for (let frame = 0; ; frame += 3) {
        const { client, line } = far.cutBefore(frame, 'far');
        const portal = await TestPortal.start({ provider: 'demo', hosts: new Map([['far', client]]), elsewhereFile: file });
        try {
          const entry = entryOf({ go: task('run echo a >> made.txt', 'far', ['everything']) }, { far: { folder: far.folder } });
          assert.deepEqual(await portal.install(entry), { result: 'OK' });
          const { jobId } = await portal.call('copilot/job/start/go', portal.folder);
          const told = await portal.follow(`job/${jobId}`);
          const job = (await portal.call(`copilot/job/${jobId}/status`)) as unknown as JobStatus;
          assert.equal(job.status, 'Succeeded', `frame ${frame}: ${JSON.stringify(told)} ${JSON.stringify(job)}`);
          while (readFileSync(file, 'utf8') !== '[]') await new Promise((resolve) => setTimeout(resolve, 20));
          for (const { resource } of await far.watcher.listSessions()) {
            const { session, chat } = far.watch(resource);
            const { config } = await whenLive(session);
            assert.deepEqual([chat.state?.activeTurn, config?.values['approvals']], [undefined, 'ask'], `frame ${frame}`);
            for (const model of [session, chat]) model.dispose();
          }
          if (!line.isCut) return;
        } finally {
          await portal.close();
          client.close();
        }
      }
    });

    it('are not sent a prompt again by a host that comes back after they were given up', async () => {
      await start();
      await test.install(entryOf({ go: task('wait 3000', 'far', ['everything']) }, folders()));
      const jobId = await startJob('go');
      const { session, chat } = await far.working('wait 3000');
      clock.isGivenUp = true;
      await far.kill();
      assert.equal((await ended(jobId)).status, 'Failed');
      clock.isGivenUp = false;
      await far.startAgain();
      for (const client of [far.client, far.watcher]) client.reconnectNow();
      // It was not there to be told.
      const config = await until('what was held', session.onDidChange, () => {
        const {
          confirmed,
          status: { kind },
        } = session;
        return kind === 'live' && confirmed?.config?.values['approvals'] === 'ask' && confirmed.config;
      });
      assert.deepEqual([config.values['approvals'], chat.state?.turns.length, chat.state?.activeTurn], ['ask', 1, undefined]);
    });

    it('may do only what the agent of their host has a setting for', async () => {
      const agent = new ScriptedAgent();
      const host = await startHostServer({ agents: [agent], logger: nullLogger });
      const mayConnect = gate();
      const client = AgentHostClient.create({
        ...{ url: host.url, token: host.token },
        transport: async (url, signal) => (await mayConnect.promise, connectNodeTransport()(url, signal)),
      });
      const schema = { type: 'object' as const, properties: { approvals: { type: 'string' as const, title: 'A', enum: ['ask', 'all'] } } };
      const config = { schema, values: { approvals: 'ask' } };
      test = await TestPortal.start({ config, hosts: new Map([['far', client]]) });
      try {
        const turns: string[] = [];
        agent.onTurn = async (turn) => void turns.push(turn.message.text);
        const entry = entryOf({ here: task('a', undefined, ['everything']), go: task('b', 'far', ['everything']) }, {}, 'one');
        // What the other host can is not known yet.
        assert.deepEqual(await test.install(entry), { result: 'OK' });
        mayConnect.open();
        const job = await ended(await startJob('go'));
        assert.match(job.reason ?? '', /the agent host “far”: the agent “scripted” has no setting for everything/);
        assert.deepEqual([turns, (await client.listSessions()).length], [[], 0]);
        assert.deepEqual(await test.install(entry), {
          result: 'InvalidateEntry',
          error: 'entry.tasks["go"].approve: the agent host “far”: the agent “scripted” has no setting for everything',
        });
        agent.config = config;
        assert.equal((await ended(await startJob('go'))).status, 'Succeeded', 'the host has another agent now');
        assert.deepEqual(turns, ['b']);
      } finally {
        client.close();
        await host.close();
      }
    });
  });
