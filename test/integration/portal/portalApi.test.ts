import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GivenEntry } from '../../../src/portal/entry/entry.ts';
import { MAX_BODY_BYTES } from '../../../src/portal/http/portalServer.ts';
import { gate } from '../host/hostHarness.ts';
import { askPage, callbacks, callTools, type Json, pageHeaders, rawRequest, TestPortal } from './portalHarness.ts';

const ref = (taskId: string) => ({ kind: 'Ref' as const, taskId });
const model = { category: 'driving' };
const retry = (retryTimes: number) => ({ failureAction: { retryTimes, additionalPrompt: ['again'] } });
const entry: GivenEntry = {
  models: { driving: 'one' },
  promptVariables: {},
  tasks: {
    'say it': { model, prompt: ['say $user-input'], requireUserInput: true },
    yes: { model, prompt: ['job_boolean_true'], requireUserInput: false, criteria: { toolExecuted: ['job_boolean_true'], ...retry(0) } },
    never: { model, prompt: ['nothing'], requireUserInput: false, criteria: { toolExecuted: ['job_boolean_true'], ...retry(1) } },
    hangs: { model, prompt: ['hang'], requireUserInput: false },
  },
  jobs: {
    both: { work: { kind: 'Seq', works: [ref('say it'), ref('yes')] } },
    fails: { work: { kind: 'Par', works: [ref('yes'), ref('never')] } },
    hangs: { work: ref('hangs') },
  },
  grid: [{ keyword: 'k', jobs: [{ name: 'n', jobName: 'both' }, null] }],
};

for (const dialect of ['v1', 'channels'] as const)
  describe(`the HTTP interface of the portal, over ${dialect}`, function () {
    this.timeout(60_000);
    let test: TestPortal;

    before(async () => {
      test = await TestPortal.start({ dialects: [dialect] });
      test.agent.onTurn = async (turn, host) => {
        const { text } = turn.message;
        if (/^hang/.test(text)) await new Promise((_, reject) => turn.signal.addEventListener('abort', () => reject(turn.signal.reason)));
        if (/^fail/.test(text)) throw new Error('on purpose');
        turn.reasoning('thinking');
        await callTools(turn, host.lenders[0]?.clientId, /^job_\w+/.test(text) ? ['job_boolean_true because'] : []);
        turn.markdown(`re: ${text}`);
      };
      const file = join(test.folder, 'entry.json');
      writeFileSync(file, JSON.stringify(entry));
      assert.deepEqual(await test.call('copilot/test/installJobsEntry', file), { result: 'OK' });
    });
    after(() => test.close());

    describe('in general', () => {
      it('says where the repository is, that it works, and what models there are', async () => {
        assert.deepEqual(await test.call('config'), { repoRoot: '/repo' });
        assert.deepEqual(await test.call('test'), { message: 'Hello, world!' });
        assert.deepEqual(await test.call('copilot/models'), {
          models: [
            { name: 'one', id: 'one', multiplier: 1 },
            { name: 'two', id: 'two', multiplier: 1 },
          ],
        });
        assert.match(String((await test.call('token'))['token']), /^[0-9a-f-]{36}$/);
      });

      it('answers errors of requests by name, with a status', async () => {
        const answer = async (path: string, init: RequestInit = {}) => {
          const response = await test.request(path, init);
          return [response.status, ((await response.json()) as { error: string }).error];
        };
        assert.deepEqual(await answer('/api/nothing'), [404, 'NotFound']);
        assert.deepEqual(await answer('/api'), [404, 'NotFound']);
        assert.deepEqual(await answer('/../package.json'), [404, 'NotFound']);
        assert.deepEqual(await answer('/..%2fpackage.json'), [404, 'NotFound']);
        assert.deepEqual(await answer('/api/test', { method: 'PUT' }), [405, 'MethodNotAllowed']);
        assert.deepEqual(await answer('/api/test', { method: 'OPTIONS' }), [405, 'MethodNotAllowed']);
        assert.deepEqual(await answer('/api/test?x=1'), [400, 'BadRequest']);
        const long = 'x'.repeat(MAX_BODY_BYTES + 1);
        assert.deepEqual(await answer('/api/copilot/session/start/one', { method: 'POST', body: long }), [413, 'BodyTooLarge']);
        assert.deepEqual(await answer('/api/copilot/session/x/query', { method: 'POST', body: ' ' }), [400, 'BadRequest']);
        assert.deepEqual(await answer('/api/copilot/session/start/one', { method: 'POST', body: '/a\0b' }), [400, 'BadRequest']);
        assert.deepEqual(await answer('/api/copilot/job/x/continue', { method: 'POST', body: '{"loopCap":0}' }), [400, 'BadRequest']);
        assert.deepEqual(await answer('/api/copilot/job/x/continue', { method: 'POST', body: '{' }), [400, 'BadRequest']);
      });

      it('serves its page, which loads nothing from elsewhere', async () => {
        for (const path of ['/', '/index.html']) {
          const response = await test.fetch(path);
          assert.equal(response.status, 200);
          assert.match(await response.text(), /<title>Tapline portal/);
          const policy = response.headers.get('content-security-policy') ?? '';
          assert.match(policy, /default-src 'none'; script-src 'self'/);
          assert.doesNotMatch(policy, /unsafe/);
        }
      });
    });

    describe('an entry for tests', () => {
      it('is read from the test folder only, by its real path, and must be valid', async () => {
        const install = (path: string) => test.call('copilot/test/installJobsEntry', path);
        const put = (name: string, text: string) => (writeFileSync(join(test.folder, name), text), join(test.folder, name));
        symlinkSync('/etc/hostname', join(test.folder, 'link.json'));
        for (const path of [
          'entry.json',
          '/etc/hostname',
          join(test.folder, 'no.json'),
          `${test.folder}/../x`,
          test.folder,
          join(test.folder, 'link.json'),
          '',
        ])
          assert.equal((await install(path))['result'], 'InvalidatePath', path);
        assert.equal((await install(put('text.json', 'no JSON')))['result'], 'InvalidateEntry');
        const wrong = put('wrong.json', JSON.stringify({ ...entry, models: {} }));
        assert.deepEqual(await install(wrong), { result: 'InvalidateEntry', error: String((await install(wrong))['error']) });
        assert.match(String((await install(wrong))['error']), /^entry\.models\.driving/);
        mkdirSync(join(test.folder, 'deep'));
        assert.equal((await install(put('deep/entry.json', JSON.stringify(entry))))['result'], 'OK');
        const id = await test.startSession();
        assert.equal((await install(join(test.folder, 'entry.json')))['result'], 'Rejected');
        await test.call(`copilot/session/${id}/stop`);
      });
    });

    describe('a session', () => {
      it('is refused by name', async () => {
        const start = (modelId: string, body: string) => test.call(`copilot/session/start/${modelId}`, body);
        assert.deepEqual(await start('three', test.folder), { error: 'ModelIdNotFound' });
        assert.deepEqual(await start('one', 'relative'), { error: 'WorkingDirectoryNotAbsolutePath' });
        assert.deepEqual(await start('one', ''), { error: 'WorkingDirectoryNotAbsolutePath' });
        assert.deepEqual(await start('one', join(test.folder, 'none')), { error: 'WorkingDirectoryNotExists' });
        assert.deepEqual(await start('one', join(test.folder, 'entry.json')), { error: 'WorkingDirectoryNotExists' });
        test.agent.onCreate = async () => {
          throw new Error('no engine');
        };
        assert.deepEqual(await start('one', test.folder), { error: 'SessionNotStarted', message: 'no engine' });
        test.agent.onCreate = async () => undefined;
        for (const route of ['stop', 'query', 'live'])
          assert.deepEqual(await test.call(`copilot/session/x/${route}`, 'q'), { error: 'SessionNotFound' });
        assert.deepEqual(await test.call('copilot/session/x/live/t'), {
          error: 'SessionNotFound',
          responses: [{ error: 'SessionNotFound' }],
        });
      });

      it('takes a model by its percent-decoded id', async () => {
        const { models } = test.agent.info;
        test.agent.setInfo({ models: [...models, { id: 'a/b %c', provider: 'scripted', name: 'odd' }] });
        while (((await test.call('copilot/models'))['models'] as unknown[]).length < 3) continue;
        await test.call(`copilot/session/${await test.startSession('a%2Fb%20%25c')}/stop`);
        test.agent.setInfo({ models });
        assert.deepEqual(await test.call('copilot/session/start/%zz', test.folder), { error: 'ModelIdNotFound' });
      });

      it('is not left behind when the program that starts it goes', async () => {
        const asked = gate();
        const never = gate();
        test.agent.onCreate = async () => (asked.open(), never.promise);
        const removed = new Promise<void>((resolve) =>
          test.client.onNotification(({ type }) => type === 'notify/sessionRemoved' && resolve()),
        );
        const gone = new AbortController();
        const init = { method: 'POST', body: test.folder, headers: test.authorized, signal: gone.signal };
        const starting = fetch(`${test.server.url}/api/copilot/session/start/one`, init);
        await asked.promise;
        gone.abort();
        await assert.rejects(starting);
        await removed;
        assert.equal(test.portal.sessions.size, 0);
        test.agent.onCreate = async () => undefined;
        never.open();
      });

      it('answers, and is followed to its end', async () => {
        const id = await test.startSession();
        assert.deepEqual(await test.call(`copilot/session/${id}/query`, 'hello'), {});
        const first = await test.follow(`session/${id}`, ({ callback }) => callback === 'onIdle');
        const texts = ['onStartMessage', 'onMessage', 'onEndMessage'];
        const thoughts = ['onStartReasoning', 'onReasoning', 'onEndReasoning'];
        assert.deepEqual([...new Set(callbacks(first))], ['onAgentStart', ...thoughts, ...texts, 'onAgentEnd', 'onIdle']);
        assert.equal(first.find(({ callback }) => callback === 'onEndMessage')?.['completeContent'], 're: hello');
        assert.deepEqual(await test.call(`copilot/session/${id}/query`, 'fail'), {});
        const second = await test.follow(`session/${id}`, ({ callback }) => callback === 'onIdle');
        assert.ok(second.some(({ sessionError }) => sessionError === 'on purpose'));
        assert.deepEqual(await test.call(`copilot/session/${id}/query`, 'hang'), {});
        assert.deepEqual(await test.call(`copilot/session/${id}/query`, 'never begins'), {});
        assert.deepEqual(await test.call(`copilot/session/${id}/stop`), { result: 'Closed' });
        assert.deepEqual(await test.call(`copilot/session/${id}/stop`), { error: 'SessionNotFound' });
        assert.deepEqual(callbacks(await test.follow(`session/${id}`)), ['onAgentStart', 'onAgentEnd', 'onIdle', 'SessionClosed']);
        assert.deepEqual(await test.call(`copilot/session/${id}/live`), { error: 'SessionNotFound' });
      });

      it('is followed by one call at a time, or by many readers with tokens of their own', async () => {
        const id = await test.startSession();
        const calls = [test.call(`copilot/session/${id}/live`), test.call(`copilot/session/${id}/live`)];
        assert.deepEqual(await Promise.race(calls), { error: 'ParallelCallNotSupported' });
        const tokens = await Promise.all([1, 2, 3].map(async () => String((await test.call('token'))['token'])));
        await test.call(`copilot/session/${id}/query`, 'hello');
        assert.deepEqual(callbacks(await Promise.all(calls)).sort(), ['ParallelCallNotSupported', 'onAgentStart']);
        await test.follow(`session/${id}`, ({ callback }) => callback === 'onIdle');
        const read = await Promise.all(tokens.map((token) => test.call(`copilot/session/${id}/live/${token}`)));
        for (const { responses } of read) assert.deepEqual(responses, read[0]?.['responses']);
        assert.deepEqual(callbacks(read[0]?.['responses'] as never).at(-1), 'onIdle');
        assert.deepEqual(await test.call(`copilot/session/${id}/live/unknown`), {
          error: 'TokenNotFound',
          responses: [{ error: 'TokenNotFound' }],
        });
        await test.call(`copilot/session/${id}/stop`);
      });

      it('loses nothing when a reader goes while it waits', async () => {
        const id = await test.startSession();
        const gone = new AbortController();
        const url = `${test.server.url}/api/copilot/session/${id}/live`;
        const calls = [1, 2].map(() => fetch(url, { headers: test.authorized, signal: gone.signal }));
        // One is refused, so the other waits.
        const refused = await Promise.race(calls);
        assert.deepEqual(await refused.json(), { error: 'ParallelCallNotSupported' });
        gone.abort();
        await assert.rejects(Promise.all(calls));
        const next = async () => {
          for (;;) {
            const response = await test.call(`copilot/session/${id}/live`);
            if (response['error'] === undefined) return response;
          }
        };
        await test.call(`copilot/session/${id}/query`, 'hello');
        assert.equal((await next())['callback'], 'onAgentStart');
        await test.call(`copilot/session/${id}/stop`);
      });
    });

    describe('a task', () => {
      it('is listed, and refused by name', async () => {
        assert.deepEqual(await test.call('copilot/task'), {
          tasks: Object.entries(entry.tasks).map(([name, { requireUserInput }]) => ({ name, requireUserInput })),
        });
        const id = await test.startSession();
        assert.deepEqual(await test.call('copilot/task/start/yes/session/x'), { error: 'SessionNotFound' });
        assert.deepEqual(await test.call(`copilot/task/start/constructor/session/${id}`), { error: 'TaskNotFound' });
        for (const route of ['stop', 'live', 'status'])
          assert.deepEqual(await test.call(`copilot/task/x/${route}`), { error: 'TaskNotFound' });
        await test.call(`copilot/session/${id}/stop`);
      });

      it('runs in a session that stays alive', async () => {
        const id = await test.startSession();
        const { taskId } = await test.call(`copilot/task/start/say%20it/session/${id}`, 'what the user wrote');
        assert.deepEqual(callbacks(await test.follow(`task/${taskId}`)), ['taskDecision', 'taskSucceeded', 'TaskClosed']);
        assert.deepEqual(await test.call(`copilot/task/${taskId}/live`), { error: 'TaskNotFound' });
        assert.equal((await test.call(`copilot/task/${taskId}/status`))['status'], 'Succeeded');
        const [prompt] = await test.follow(`session/${id}`, () => true);
        assert.deepEqual(prompt, { callback: 'onGeneratedUserPrompt', prompt: 'say what the user wrote' });
        assert.deepEqual(await test.call(`copilot/session/${id}/query`, 'and on'), {});
        await test.call(`copilot/session/${id}/stop`);
      });

      it('is retried while its criteria fail, within its budget', async () => {
        const id = await test.startSession();
        const { taskId } = await test.call(`copilot/task/start/never/session/${id}`);
        const told = await test.follow(`task/${taskId}`);
        assert.deepEqual(callbacks(told).slice(-2), ['taskFailed', 'TaskClosed']);
        assert.equal(told.filter(({ reason }) => /Retry 1 of 1/.test(String(reason))).length, 1);
        const yes = await test.call(`copilot/task/start/yes/session/${id}`);
        assert.deepEqual(callbacks(await test.follow(`task/${yes['taskId']}`)).slice(-2), ['taskSucceeded', 'TaskClosed']);
        await test.call(`copilot/session/${id}/stop`);
      });

      it('has its session for itself, and fails when the session is stopped', async () => {
        const id = await test.startSession();
        const { taskId } = await test.call(`copilot/task/start/hangs/session/${id}`);
        assert.deepEqual(await test.call(`copilot/session/${id}/query`, 'hello'), { error: 'SessionBusy' });
        assert.deepEqual(await test.call(`copilot/task/start/yes/session/${id}`), { error: 'SessionBusy' });
        assert.deepEqual(await test.call(`copilot/task/${taskId}/stop`), { error: 'TaskCannotClose' });
        await test.call(`copilot/session/${id}/stop`);
        assert.deepEqual(callbacks(await test.follow(`task/${taskId}`)).slice(-2), ['taskFailed', 'TaskClosed']);
      });
    });

    describe('a job', () => {
      it('is listed with its chart, and refused by name', async () => {
        const { grid, jobs, chart } = await test.call('copilot/job');
        assert.deepEqual(grid, entry.grid);
        assert.deepEqual(Object.keys(jobs as object), ['both', 'fails', 'hangs']);
        assert.equal((chart as { both: { nodes: unknown[] } }).both.nodes.length, 2);
        assert.deepEqual(await test.call('copilot/job/start/none', test.folder), { error: 'JobNotFound' });
        assert.deepEqual(await test.call('copilot/job/start/both', 'relative\nx'), { error: 'WorkingDirectoryNotAbsolutePath' });
        assert.deepEqual(await test.call('copilot/job/start/both', '/no/such/folder'), { error: 'WorkingDirectoryNotExists' });
        for (const route of ['stop', 'live', 'status', 'continue'])
          assert.deepEqual(await test.call(`copilot/job/x/${route}`), { error: 'JobNotFound' });
      });

      it('runs to its end, with the sessions of its tasks', async () => {
        const { jobId } = await test.call('copilot/job/start/both', `${test.folder}\nline one\nline two`);
        const told = await test.follow(`job/${jobId}`);
        assert.deepEqual(callbacks(told), ['workStarted', 'workStopped', 'workStarted', 'workStopped', 'jobSucceeded', 'JobsClosed']);
        const task = await test.follow(`task/${told[0]?.['taskId']}`);
        const { sessionId, isDriving } = task[0] ?? {};
        assert.equal(isDriving, true);
        const session = await test.follow(`session/${sessionId}`);
        assert.deepEqual(session[0], { callback: 'onGeneratedUserPrompt', prompt: 'say line one\nline two' });
        const status = await test.call(`copilot/job/${jobId}/status`);
        assert.deepEqual([status['status'], status['jobName'], status['runningWorkIds']], ['Succeeded', 'both', []]);
        const { chart } = (await test.call('copilot/job')) as { chart: Record<string, unknown> };
        assert.deepEqual(status['chart'], chart['both']);
        assert.deepEqual(await test.call(`copilot/job/${jobId}/continue`, ''), { error: 'JobCannotContinue' });
      });

      it('starts as it was listed, or not at all', async () => {
        const listed = async () => ((await test.call('copilot/job'))['jobs'] as { both: { revision: string } }).both.revision;
        const start = async (ifMatch: string) => {
          const headers = { ...test.authorized, 'If-Match': ifMatch };
          const response = await test.fetch('/api/copilot/job/start/both', `${test.folder}\nx`, headers);
          return [response.status, (await response.json()) as Json] as const;
        };
        const before = await listed();
        assert.equal(await listed(), before);
        const changed = { ...entry, tasks: { ...entry.tasks, 'say it': { ...entry.tasks['say it'], approve: ['job-tools'] } } };
        assert.deepEqual(await test.install(changed), { result: 'OK' });
        const { runs } = (await test.call('copilot/job/runs')) as { runs: unknown[] };
        assert.deepEqual(await start(`"${before}"`), [200, { error: 'JobChanged' }]);
        assert.equal((await start('x'))[0], 400);
        assert.equal(((await test.call('copilot/job/runs'))['runs'] as unknown[]).length, runs.length, 'nothing has started');
        for (const ifMatch of [`"${await listed()}"`, '*']) {
          const [, { jobId }] = await start(ifMatch);
          assert.deepEqual(callbacks(await test.follow(`job/${String(jobId)}`)).slice(-2), ['jobSucceeded', 'JobsClosed']);
        }
        assert.deepEqual(await test.install(entry), { result: 'OK' });
        assert.equal(await listed(), before);
      });

      it('fails with its tasks, and goes on from what failed', async () => {
        const { jobId } = await test.call('copilot/job/start/fails', test.folder);
        assert.deepEqual(callbacks(await test.follow(`job/${jobId}`)).slice(-2), ['jobFailed', 'JobsClosed']);
        assert.deepEqual(await test.call(`copilot/job/${jobId}/continue`, '{"loopCap":5}'), { jobId });
        const again = await test.follow(`job/${jobId}`);
        assert.deepEqual(callbacks(again), ['workStarted', 'workStopped', 'jobFailed', 'JobsClosed']);
        assert.equal((await test.call(`copilot/job/${jobId}/status`))['attempt'], 2);
      });

      it('is stopped with all that it runs, or by the stop of its task', async () => {
        const { jobId } = await test.call('copilot/job/start/hangs', test.folder);
        const [work] = await test.follow(`job/${jobId}`, () => true);
        const [started] = await test.follow(`task/${work?.['taskId']}`, () => true);
        await test.follow(`session/${started?.['sessionId']}`, ({ callback }) => callback === 'onAgentStart');
        const { runs } = (await test.call('copilot/job/runs')) as { runs: { jobId: string; status: string; runningWorkIds: number[] }[] };
        assert.deepEqual(runs.find((run) => run.jobId === jobId)?.runningWorkIds, [0]);
        assert.deepEqual(await test.call(`copilot/job/${jobId}/stop`), { result: 'Closed' });
        assert.deepEqual(await test.call(`copilot/job/${jobId}/stop`), { error: 'JobNotFound' });
        assert.deepEqual(callbacks(await test.follow(`session/${started?.['sessionId']}`)).slice(-3), [
          'onAgentEnd',
          'onIdle',
          'SessionClosed',
        ]);
        const other = await test.call('copilot/job/start/hangs', test.folder);
        const [second] = await test.follow(`job/${other['jobId']}`, () => true);
        assert.deepEqual(await test.call(`copilot/task/${second?.['taskId']}/stop`), { result: 'Closed' });
        assert.deepEqual(callbacks(await test.follow(`job/${other['jobId']}`)).slice(-2), ['jobFailed', 'JobsClosed']);
      });

      it('is followed by ten readers without a lost or doubled event', async () => {
        const begin = gate();
        const before = test.agent.onTurn;
        test.agent.onTurn = async (turn, host) => begin.promise.then(() => before(turn, host));
        const { jobId } = await test.call('copilot/job/start/both', `${test.folder}\nx`);
        const readers = Array.from({ length: 10 }, async () => {
          const { token } = await test.call('token');
          const told: unknown[] = [];
          while (!callbacks(told as never).includes('JobsClosed')) {
            const { responses } = (await test.call(`copilot/job/${jobId}/live/${token}`)) as { responses: { error?: string }[] };
            told.push(...responses.filter(({ error }) => error !== 'HttpRequestTimeout'));
          }
          return callbacks(told as never);
        });
        begin.open();
        test.agent.onTurn = before;
        for (const told of await Promise.all(readers))
          assert.deepEqual(told, ['workStarted', 'workStopped', 'workStarted', 'workStopped', 'jobSucceeded', 'JobsClosed']);
      });
    });
  });

describe('access to the portal', function () {
  this.timeout(60_000);
  let test: TestPortal;
  before(async () => (test = await TestPortal.start({ withoutTests: true })));
  after(() => test.close());
  const status = async (path: string, headers: Record<string, string | string[]>, method = 'GET') =>
    (await rawRequest(test.server.port, path, { Host: `localhost:${test.server.port}`, ...headers }, method)).status;

  it('needs the token, but not for the files of pages, which show nothing without', async () => {
    for (const path of ['/', '/index.html', '/pages/session']) assert.equal(await status(path, {}), 200);
    for (const path of ['/nothing', '/api/test', '/api/stop', '/api/nothing']) {
      assert.equal(await status(path, {}), 401);
      assert.equal(await status(path, { Authorization: 'Bearer wrong' }), 401);
    }
    assert.equal(await status('/?token=wrong', {}), 401);
    assert.equal(await status(`/api/test?token=${test.server.token}`, {}), 401);
    assert.equal(await status('/api/test', test.authorized), 200);
    assert.equal(test.stops, 0);
  });

  it('gives the page that is opened with the token a key for sessions, and no cookie', async () => {
    const { url, token = '' } = test.server;
    const response = await test.fetch(`/?token=${token}`, undefined, {});
    assert.equal(response.status, 303);
    assert.match(response.headers.get('location') ?? '', /^\/\?opening=[\w-]{43}$/);
    assert.equal(response.headers.get('set-cookie'), null);
    const opening = (response.headers.get('location') ?? '').slice('/?opening='.length);
    assert.equal((await askPage(url, '/page-key', { opening }, {})).status, 403, 'a program');
    assert.equal((await askPage(url, '/page-key', { opening }, { Origin: 'http://127.0.0.1:1' })).status, 403, 'another page');
    assert.equal((await askPage(url, '/page-key', {})).status, 400);
    const answer = await askPage(url, '/page-key', { opening });
    const { key } = (await answer.json()) as { key: string };
    assert.equal((await askPage(url, '/page-key', { opening })).status, 401, 'it is good once');
    assert.ok(!key.includes(token) && answer.headers.get('set-cookie') === null);
    const headers = await pageHeaders(url, token, key);
    assert.ok(!headers['Authorization']?.includes(token) && !headers['Authorization']?.includes(key));
    assert.equal(await status('/api/test', headers), 401, 'at another name of this computer');
    assert.equal(await status('/api/test', { ...headers, Host: `127.0.0.1:${test.server.port}` }), 200);
    assert.equal(await status('/api/test', { Authorization: `Bearer ${key}` }), 401);
    assert.equal(await status('/api/test', { Authorization: headers['Authorization']?.replace('Tapline-Page', 'Bearer') ?? '' }), 401);
    assert.equal(await status('/api/test', { Authorization: `Tapline-Page ${token}` }), 401);
    assert.equal(await status('/api/test', { Cookie: `tapline-portal-${test.server.port}=${token}` }), 401);
  });

  it('is refused under other names, and to pages of other origins', async () => {
    const own = test.authorized;
    for (const host of ['evil.example', `evil.example:${test.server.port}`, `localhost.evil.example:${test.server.port}`])
      assert.equal(await status('/api/test', { ...own, Host: host }), 403, host);
    for (const origin of ['https://evil.example', 'null', `http://localhost:${test.server.port + 1}`])
      assert.equal(await status('/api/test', { ...own, Origin: origin }, 'POST'), 403, origin);
    assert.equal(await status('/api/test', { ...own, Origin: `http://localhost:${test.server.port}` }, 'POST'), 200);
    assert.equal(
      await status('/api/test', { ...own, Host: 'localhost:9000', Origin: 'http://localhost:9000' }, 'POST'),
      200,
      'a forwarded port',
    );
    for (const site of ['cross-site', 'same-site']) {
      assert.equal(await status('/api/stop', { ...own, 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'no-cors' }), 403);
      assert.equal(await status('/api/stop', { ...own, 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' }), 403);
      assert.equal(await status('/', { ...own, 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate' }), 200);
    }
    assert.equal(await status('/api/test', { ...own, 'Sec-Fetch-Site': 'same-origin' }), 200);
    assert.equal(test.stops, 0);
  });

  it('gives no page of another origin leave to read', async () => {
    const response = await test.fetch('/api/test');
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  });

  it('takes entries of tests only where it was started for tests', async () => {
    assert.equal((await test.fetch('/api/copilot/test/installJobsEntry', '/x')).status, 404);
  });

  it('without a token is still refused to pages of others', async () => {
    const open = await TestPortal.start({ withoutToken: true });
    try {
      const get = (headers: Record<string, string>) => open.fetch('/api/test', undefined, headers);
      assert.equal((await get({})).status, 200);
      assert.equal((await get({ Origin: 'https://evil.example' })).status, 403);
      assert.equal((await get({ 'Sec-Fetch-Site': 'cross-site' })).status, 403);
    } finally {
      await open.close();
    }
  });

  it('stops everything, and then itself', async () => {
    const id = await test.startSession();
    const [uri] = [...(await test.client.listSessions())].filter(({ resource }) => resource.endsWith(id));
    assert.ok(uri);
    assert.deepEqual(await test.call('stop'), {});
    assert.deepEqual(await test.call(`copilot/session/${id}/live`), { error: 'SessionClosed' });
    assert.equal(test.stops, 1);
  });
});
