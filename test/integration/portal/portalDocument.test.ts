/** The OpenAPI document of the portal, against the server. Every answer of the other tests is compared with it too. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openApiDocument } from '../../../src/portal/api/openApiDocument.ts';
import { MAX_STREAMS } from '../../../src/portal/http/attentionHandlers.ts';
import { MAX_BODY_BYTES } from '../../../src/portal/http/portalServer.ts';
import { LIVE_WAIT_MS } from '../../../src/portal/live/liveCursor.ts';
import { liveQueueLimits } from '../../../src/portal/live/liveQueue.ts';
import type { LiveQueues } from '../../../src/portal/live/liveQueues.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { until } from '../../support/until.ts';
import { callTools, type Json, TestPortal } from './portalHarness.ts';
import { ask, ranWork, resultOf, startResultPortal } from './resultHarness.ts';

/** A reader that would have to wait gets its time-out at once, where the test says so. */
class ReaderClock extends FakeClock {
  isOver = false;

  override setTimer(callback: () => void, delayMs: number) {
    const timer = super.setTimer(callback, delayMs);
    if (this.isOver && delayMs === LIVE_WAIT_MS) queueMicrotask(() => this.advance(LIVE_WAIT_MS));
    return timer;
  }
}

const model = { category: 'driving' };
const task = (prompt: string, more = {}) => ({ model, prompt: [prompt], requireUserInput: false, ...more });
const entry = {
  models: { driving: 'one' },
  promptVariables: {},
  tasks: {
    quick: task('quick'),
    hangs: task('hang'),
    says: task('say $user-input', { requireUserInput: true }),
    report: task('job_boolean_true', { criteria: { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } } }),
    fails: task('fail', { availability: { previousTasks: ['quick'] } }),
  },
  jobs: {
    quick: { work: { kind: 'Ref', taskId: 'report' } },
    hangs: { work: { kind: 'Ref', taskId: 'hangs' } },
    says: { work: { kind: 'Ref', taskId: 'says' } },
    apart: { work: { kind: 'Ref', taskId: 'quick' }, worktree: 'run' },
    fails: {
      work: {
        kind: 'Loop',
        preCondition: [true, { kind: 'Alt', condition: { kind: 'Ref', taskId: 'quick' } }],
        body: {
          kind: 'Par',
          works: [
            { kind: 'Ref', taskId: 'quick' },
            { kind: 'Seq', works: [{ kind: 'Ref', taskId: 'fails' }] },
          ],
        },
      },
    },
  },
  grid: [{ keyword: 'k', jobs: [{ name: 'n', jobName: 'quick' }, null] }],
};

/** What only portals answer that share their runs, and about runs in a repository: `portalStore.test.ts` and `portalWorktrees.test.ts` have it. */
const ofOtherTests = new Set(['JobCannotDelete', 'WorktreeNotCommitted']);

describe('the OpenAPI document of the portal', function () {
  this.timeout(60_000);
  let test: TestPortal;
  before(async () => (test = await TestPortal.start()));
  after(() => test.close());

  it('is one', async () => {
    for (const withTests of [true, false]) {
      const { valid, errors } = await new Validator().validate(openApiDocument(withTests));
      assert.ok(valid, JSON.stringify(errors));
    }
  });

  it('is served', async () => {
    assert.deepEqual(await test.call('openapi.json'), JSON.parse(JSON.stringify(openApiDocument(true))));
  });

  it('would not take another answer', () => {
    const check = (answer: unknown) => () => test.answers.checkAnswer('GET', '/api/copilot/session/x/stop', 200, answer);
    check({ result: 'Closed' })();
    check({ error: 'SessionNotFound' })();
    for (const answer of [{}, { result: 'Open' }, { error: 'TaskNotFound' }, { result: 'Closed', more: 1 }])
      assert.throws(check(answer), /is not as documented/);
    assert.throws(() => test.answers.checkAnswer('GET', '/api/none', 200, {}), /no such path/);
    assert.throws(() => test.answers.checkAnswer('GET', '/api/test', 404, {}), /no status 404/);
  });

  it('has every answer that every route gives', async () => {
    const clock = new ReaderClock();
    const portal = await TestPortal.start({ clock });
    const results = await startResultPortal({ work: ['write a.txt A', 'write b.txt B', 'write raw a\0b', 'report a.txt', 'report gone'] });
    try {
      await driveEveryRoute(portal, clock);
      // What waits is looked at by a clock that goes on.
      await driveAttention(test);
      await driveResults(results);
      for (const path of Object.keys(portal.answers.document.paths)) {
        const missing = portal.answers
          .documentedAnswers(path)
          .filter((name) => !ofOtherTests.has(name))
          .filter((name) => ![portal, test, results].some(({ answers }) => answers.seen.get(path)?.has(name)));
        assert.deepEqual(missing, [], path);
      }
    } finally {
      await results.close();
      await portal.close();
    }
  });
});

/** The same for what runs bring about. */
async function driveResults(test: TestPortal): Promise<void> {
  const jobId = await ranWork(test, test.folder);
  const [step] = (await resultOf(test, jobId)).steps;
  const { sessionId = '', files = [] } = step?.changes[0] ?? {};
  const [a, b, raw] = files;
  assert.ok(step && a && b && raw);
  const about = (what: string, body: object) => ask(test, jobId, what, body);
  for (const file of [a.id, raw.id, 'none']) await about('diff', { sessionId, file });
  for (const document of ['a.txt', 'gone', 'none']) await about('document', { step: step.step, document });
  await about('commit/plan', {});
  const git = (...args: string[]) => execFileSync('git', ['-C', test.folder, ...args]);
  git('init', '--quiet');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.org');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  const { revision } = await about('commit/plan', {});
  await about('pullRequest/plan', {});
  for (const branch of ['night', '-']) await about('commit', { branch, message: 'x', revision });
  git('init', '--quiet', '--bare', '.remote.git');
  git('remote', 'add', 'origin', '.remote.git');
  const pushed = { branch: 'night', remote: 'origin' };
  const { revision: seen } = await about('pullRequest/plan', {});
  for (const one of [seen, 'x']) await about('pullRequest', { ...pushed, revision: one });
  await about('discard', { sessionId, file: a.id, revision: a.revision });
  await about('discard', { sessionId, file: a.id, revision: a.revision });
  await about('discard', { sessionId, file: b.id, revision: a.revision });
  writeFileSync(join(test.folder, 'b.txt'), 'mine');
  await about('discard', { sessionId, file: b.id, revision: b.revision });
  const gone = '00000000-0000-4000-8000-000000000000';
  await test.call(`copilot/job/${gone}/result`);
  await ask(test, gone, 'diff', { sessionId, file: a.id });
  await ask(test, gone, 'document', { step: step.step, document: 'a.txt' });
  await ask(test, gone, 'discard', { sessionId, revision: a.revision });
  await ask(test, gone, 'commit/plan', {});
  await ask(test, gone, 'commit', { branch: 'x', message: 'x', revision: a.revision });
  await ask(test, gone, 'pullRequest/plan', {});
  await ask(test, gone, 'pullRequest', { ...pushed, revision: 'x' });
}

/** Each route with success and with each of its errors. */
async function driveEveryRoute(test: TestPortal, clock: ReaderClock): Promise<void> {
  const call = (path: string, body?: string) => test.call(`copilot/${path}`, body);
  const { folder } = test;
  test.agent.onTurn = async (turn, host) => {
    const { text } = turn.message;
    if (text === 'hang') await new Promise((_, reject) => turn.signal.addEventListener('abort', () => reject(turn.signal.reason)));
    if (text.endsWith('fail')) throw new Error('on purpose');
    if (text.startsWith('job_')) await callTools(turn, host.lenders[0]?.clientId, ['job_boolean_true because']);
    turn.reasoning('thinking');
    turn.markdown('text');
  };
  for (const path of ['config', 'test', 'openapi.json', 'copilot/models']) await test.call(path);
  const { token } = await test.call('token');

  const put = (name: string, text: string) => (writeFileSync(join(folder, name), text), join(folder, name));
  await call('test/installJobsEntry', '/none');
  await call('test/installJobsEntry', put('wrong.json', '{}'));
  await call('test/installJobsEntry', put('entry.json', JSON.stringify(entry)));

  await call('session/start/none', folder);
  await call('session/start/one', 'relative');
  await call('session/start/one', join(folder, 'none'));
  test.agent.onCreate = () => Promise.reject(new Error('on purpose'));
  await call('session/start/one', folder);
  test.agent.onCreate = async () => undefined;
  const start = async () => String((await call('session/start/one', folder))['sessionId']);
  const id = await start();
  await call('session');
  await call('test/installJobsEntry', join(folder, 'entry.json'));

  for (const route of ['query', 'stop']) await call(`session/none/${route}`, 'x');
  const session = test.portal.sessions.get(id) ?? assert.fail();
  const { query } = session;
  // The host refuses when the session has changed at that moment, which cannot be timed.
  session.query = async () => 'on purpose';
  await call(`session/${id}/query`, 'x');
  session.query = query;
  await call(`session/${id}/query`, 'job_boolean_true');
  await test.follow(`session/${id}`, ({ callback }) => callback === 'onIdle');

  await call('task');
  await call('task/start/quick/session/none');
  await call(`task/start/none/session/${id}`);
  await call(`task/start/says/session/${id}`);
  const { taskId } = await call(`task/start/hangs/session/${id}`);
  await call(`task/start/hangs/session/${id}`);
  await call(`session/${id}/query`, 'x');
  await call(`task/${taskId}/stop`);
  for (const route of ['stop', 'status']) await call(`task/none/${route}`);
  await call(`task/${taskId}/status`);

  await call('job');
  await call('job/start/none', folder);
  await call('job/start/quick', 'relative');
  await call('job/start/says', folder);
  await call('job/start/apart', folder);
  await call('job/start/quick', join(folder, 'none'));
  await test.fetch('/api/copilot/job/start/quick', folder, { ...test.authorized, 'If-Match': '"another"' });
  for (const route of ['stop', 'status', 'pause', 'continue', 'delete', 'timeline', 'timeline/markdown', 'step/0'])
    await call(`job/none/${route}`);
  const job = async (name: string) => String((await call(`job/start/${name}`, folder))['jobId']);
  const [quick, fails, hangs] = [await job('quick'), await job('fails'), await job('hangs')];
  const [work] = await test.follow(`job/${hangs}`, () => true);
  await call(`task/${work?.['taskId']}/stop`);
  for (const jobId of [quick, fails, hangs]) await test.follow(`job/${jobId}`);
  const another = await job('hangs');
  await call(`job/${another}/delete`);
  await call(`job/${another}/stop`);
  for (const jobId of [quick, fails]) await call(`job/${jobId}/status`);
  for (const route of ['timeline', 'timeline/markdown']) await call(`job/${quick}/${route}`);
  await call(`job/${quick}/continue`);
  await call(`job/${quick}/retry`, '{"from":"9#0"}');
  await call(`job/${fails}/continue`, '{"loopCap":5}');
  await test.follow(`job/${fails}`);
  const running = await job('hangs');
  await driveChanges(test, call, { running, failed: fails });
  await call(`job/${running}/stop`);
  await call('job/runs');
  await call(`job/${quick}/delete`);

  await call(`session/${id}/stop`);
  for (const of of ['session', 'task', 'job'] as const) await driveLive(test, clock, of, String(token));

  const status = async (path: string, init?: RequestInit) => (await test.request(path, init)).status;
  assert.equal(await status('/api/test', { headers: {} }), 401);
  assert.equal(await status('/api/test', { headers: { ...test.authorized, Origin: 'https://evil.example' } }), 403);
  assert.equal(await status('/api/test?x=1'), 400);
  const long = 'x'.repeat(MAX_BODY_BYTES + 1);
  assert.equal(await status('/api/copilot/session/x/query', { method: 'POST', body: long }), 413);
  test.portal.runs.listTasks = () => assert.fail('on purpose');
  assert.equal(await status('/api/copilot/task'), 500);
  await test.call('stop');
}

/** What a person does to runs in the middle. */
async function driveChanges(
  test: TestPortal,
  call: (path: string, body?: string) => Promise<Json>,
  { running, failed }: { running: string; failed: string },
): Promise<void> {
  const step = '0#0';
  const text = 'x';
  for (const [route, body] of [
    ['retry', { from: step }],
    ['skip', { step }],
    ['steer', { step, text }],
  ] as const) {
    await call(`job/none/${route}`, JSON.stringify(body));
    if (route !== 'retry') await call(`job/${running}/${route}`, JSON.stringify({ ...body, step: '9#0' }));
  }
  await call(`job/${failed}/retry`, JSON.stringify({ from: '2#0', edit: { step: '2#0', userInput: text, prompt: 'fail' } }));
  await test.follow(`job/${failed}`);
  await call(`job/${failed}/status`);
  await call(`job/${failed}/pause`);
  await call(`job/${failed}/steer`, JSON.stringify({ step, text }));
  await call(`job/${failed}/step/0`);
  await call(`job/${failed}/step/9`);
  await call(`job/${failed}/skip`, JSON.stringify({ step: '2#0' }));
  await test.follow(`job/${failed}`);
  await call(`job/${failed}/skip`, JSON.stringify({ step }));
  await call(`job/${running}/retry`, JSON.stringify({ from: step }));
  await call(`job/${running}/pause`);
  await call(`job/${running}/status`);
  const started = await until(
    'its turn',
    test.portal.runs.onDidPublish,
    () => test.portal.runs.jobState(running)?.steps[0]?.task?.sessions[0],
  );
  const session = test.portal.sessions.get(started.sessionId) ?? assert.fail();
  const { steer } = session;
  // The turn may end in that moment, which cannot be timed.
  for (const refusal of ['on purpose', undefined]) {
    session.steer = async () => refusal;
    await call(`job/${running}/steer`, JSON.stringify({ step, text }));
  }
  session.steer = steer;
}

async function driveAttention(test: TestPortal): Promise<void> {
  test.agent.onTurn = async (turn) =>
    void (await turn.ask({ questions: [{ kind: 'text', id: 'name', message: 'Name?', required: true }] }));
  await test.call('copilot/session/kept');
  const id = String((await test.call(`copilot/session/start/one`, test.folder))['sessionId']);
  await test.call(`copilot/session/${id}/query`, 'x');
  const { attention } = test.portal;
  const question = await until('a question', attention.onDidChange, () => attention.list().items.find(({ kind }) => kind === 'question'));
  await test.call('attention');
  const answer = (at: string, more: Json) =>
    test.fetch(`/api/attention/${at}`, JSON.stringify({ revision: question.revision, decision: 'accept', ...more }), {
      ...test.authorized,
      'Content-Type': 'application/json',
    });
  await answer('none', {});
  await answer(question.id, { revision: 'another' });
  await answer(question.id, { decision: 'approve' });
  await answer(question.id, { answers: {} });
  // What the host says of an answer depends on what happens there in that moment, which cannot be timed.
  const real = attention.answer;
  for (const error of ['AnswerRefused', 'OutcomeUnknown'] as const) {
    attention.answer = async () => ({ error, message: 'on purpose' });
    await answer(question.id, { answers: { name: 'x' } });
  }
  attention.answer = real;
  await answer(question.id, { answers: { name: 'x' } });
  await answer(question.id, { decision: 'cancel' });

  const gone = new AbortController();
  // A response that nobody holds may be collected, and its stream with it.
  const opened: Response[] = [];
  while (opened.length <= MAX_STREAMS) opened.push(await test.request('/api/attention/events', { signal: gone.signal }));
  gone.abort();
  assert.equal(opened.at(-1)?.status, 200);
}

/** All that a reader can get. The queue is filled here, so that what comes when is certain. */
async function driveLive(test: TestPortal, clock: ReaderClock, of: 'session' | 'task' | 'job', token: string): Promise<void> {
  // What fits which queue, the compiler cannot follow through an index.
  const queues = test.portal.live[of] as LiveQueues<unknown>;
  const event = { session: { callback: 'onIdle' }, task: { callback: 'taskSucceeded' }, job: { callback: 'jobSucceeded' } }[of];
  for (const reader of ['', `/${token}`]) {
    const id = `${of}${reader ? 2 : 1}`;
    const read = (): Promise<Json> => test.call(`copilot/${of}/${id}/live${reader}`);
    await read();
    queues.open(id);
    clock.isOver = true;
    await read();
    clock.isOver = false;
    const two = [read(), read()];
    await Promise.race(two);
    queues.push(id, event);
    await Promise.all(two);
    for (let sent = 0; sent <= liveQueueLimits.events; sent++) queues.push(id, event);
    await read();
    // One event a call would be thousands of requests.
    const { responses } = await queues.unread(id, test.portal.tokens.issue());
    const kept = responses.filter((one) => !('error' in (one as object))).length;
    for (let taken = 0; !reader && taken < kept; taken++) await queues.next(id);
    queues.close(id);
    if (reader) await test.call(`copilot/${of}/${id}/live/none`);
    // The rest, the end, and nothing any more.
    for (let reads = 0; reads < 3; reads++) await read();
  }
}
