import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { PortalAddress, PortalDaemon } from './portalDaemon.ts';
import { PortalJobs } from './portalJobs.ts';

const run = { jobId: 'j-1', jobName: 'Fix', status: 'Executing', attempt: 1, startedAt: 1, workingDirectory: '/w' };
const status = { ...run, userInput: '', steps: [], chart: { nodes: [{ id: 0, hint: ['TaskNode', 0], label: 'fix' }] } };

describe('the jobs of the portal', () => {
  let server: Server;
  let jobs: PortalJobs;
  const requests: { path: string; body: string }[] = [];
  const answers: Record<string, object> = {};
  const changed = new Emitter<PortalAddress | undefined>();
  let address: PortalAddress | undefined;

  before(async () => {
    server = createServer(async (request, response) => {
      const path = (request.url ?? '').replace(/^\/api\/(?:copilot\/)?/, '');
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      requests.push({ path, body: Buffer.concat(parts).toString() });
      response.end(JSON.stringify(answers[path] ?? { error: 'NotFound' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());
  beforeEach(() => {
    requests.splice(0);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    address = { url, token: '', page: url, host: { url: 'ws://127.0.0.1:1', token: '' } };
    Object.assign(answers, { 'job/runs': { runs: [run] }, session: { sessions: [] }, 'job/j-1/status': status });
    answers['job'] = { grid: [], jobs: {}, chart: {} };
    const daemon: Pick<PortalDaemon, 'find' | 'onDidChange'> = { find: async () => address, onDidChange: changed.event };
    jobs = new PortalJobs(daemon as PortalDaemon);
  });
  afterEach(() => jobs.dispose());
  const paths = () => requests.map(({ path }) => path).sort();
  const answer = () => new Promise<void>((resolve) => jobs.onDidChange(() => resolve()));

  it('are asked for once a portal runs, without what nobody looks at', async () => {
    assert.deepEqual(paths(), []);
    const answered = answer();
    changed.fire(address);
    await answered;
    assert.deepEqual(paths(), ['job/runs', 'session']);
    assert.deepEqual([jobs.state.portal?.runs.length, jobs.state.jobs.size], [1, 0]);
  });

  it('are read in full where somebody looks at them, and only those that there are', async () => {
    const answered = answer();
    jobs.look({}, { offer: true, jobs: ['j-1', 'gone'] });
    await answered;
    assert.deepEqual(paths(), ['job', 'job/j-1/status', 'job/runs', 'session']);
    assert.deepEqual([...jobs.state.jobs.keys()], ['j-1']);
    assert.ok(jobs.state.portal?.offer);
  });

  it('stay as they were known while the portal cannot say, which is told', async () => {
    await jobs.ask();
    answers['job/runs'] = { error: 'Broken' };
    await jobs.ask();
    assert.equal(jobs.state.portal?.runs.length, 1);
    assert.ok(jobs.state.problem);
    answers['job/runs'] = { runs: [] };
    await jobs.ask();
    assert.deepEqual([jobs.state.portal?.runs.length, jobs.state.problem], [0, undefined]);
  });

  it('have a timeline, for people and for programs', async () => {
    answers['job/j-1/timeline/markdown'] = { fileName: 'Fix-j-1.md', markdown: '# Fix' };
    answers['job/j-1/timeline'] = { jobName: 'Fix it', entries: [{ at: 1, kind: 'run', text: 'began' }] };
    assert.deepEqual(await jobs.timeline('j-1', 'md'), { fileName: 'Fix-j-1.md', text: '# Fix' });
    const { fileName, text } = await jobs.timeline('j-1', 'json');
    assert.deepEqual([fileName, JSON.parse(text)], ['Fix-it-j-1.json', answers['job/j-1/timeline']]);
  });

  it('are deleted, but not where portals share them', async () => {
    answers['config'] = { repoRoot: '/w' };
    assert.equal(await jobs.canDelete(), true);
    answers['config'] = { repoRoot: '/w', sharesRuns: true };
    assert.equal(await jobs.canDelete(), false);
    answers['job/j-1/delete'] = { result: 'Deleted' };
    answers['job/runs'] = { runs: [] };
    await jobs.delete('j-1');
    assert.deepEqual(jobs.state.portal?.runs, []);
  });

  it('are none where no portal runs, and then nothing can be done with them', async () => {
    await jobs.ask();
    address = undefined;
    await jobs.ask();
    assert.equal(jobs.state.portal, undefined);
    await assert.rejects(jobs.change('j-1', { kind: 'stop' }), /does not run any more/);
  });

  it('do not let an older answer replace a newer one', async () => {
    const older = jobs.ask();
    await jobs.ask();
    let changes = 0;
    jobs.onDidChange(() => changes++);
    await older;
    assert.equal(changes, 0);
  });

  it('are started with what the user has seen, and only a name becomes a part of a path', async () => {
    answers['job/start/a%2Fb'] = { jobId: 'j-2' };
    answers['job/start/odd'] = { jobId: '../stop' };
    const start = { folder: '/w', userInput: 'x', revision: 'r1' };
    assert.equal(await jobs.start({ ...start, jobName: 'a/b' }), 'j-2');
    assert.deepEqual(requests, [{ path: 'job/start/a%2Fb', body: '/w\nx' }]);
    await assert.rejects(jobs.start({ ...start, jobName: 'odd' }), /did not answer as a portal does/);
  });

  it('are changed in the words of the portal’s interface', async () => {
    answers['job/j-1/continue'] = {};
    await jobs.change('j-1', { kind: 'continue', loopCap: 7 });
    assert.deepEqual(requests[0], { path: 'job/j-1/continue', body: '{"loopCap":7}' });
    answers['job/j-1/skip'] = { error: 'StepCannotSkip' };
    await assert.rejects(jobs.change('j-1', { kind: 'skip', step: '1#0' }), UserError);
  });

  it('say what a step gets when it runs the next time', async () => {
    answers['job/j-1/step/4'] = { workId: 4, taskName: 'fix', userInput: 'in', prompt: 'fix $user-input' };
    assert.deepEqual(await jobs.stepInput('j-1', 4), { userInput: 'in', prompt: 'fix $user-input' });
    answers['job/j-1/step/4'] = { prompt: 5 };
    await assert.rejects(jobs.stepInput('j-1', 4), /another version/);
  });

  it('are asked what they have changed, and looked at again once something was done', async () => {
    answers['job/j-1/result'] = { steps: [] };
    assert.deepEqual(await jobs.askResult('j-1', 'result', {}), { steps: [] });
    assert.deepEqual(requests, [{ path: 'job/j-1/result', body: '' }]);
    answers['job/j-1/result/commit'] = { result: 'Committed', folder: '/w', branch: 'b', commit: 'c' };
    const body = { branch: 'b', message: 'm', revision: 'r' };
    const again = answer();
    await jobs.askResult('j-1', 'commit', body);
    assert.deepEqual(requests[1], { path: 'job/j-1/result/commit', body: JSON.stringify(body) });
    await again;
    answers['job/j-1/result/diff'] = { before: '' };
    await assert.rejects(jobs.askResult('j-1', 'diff', { sessionId: 's', file: 'f' }), /another version/);
    await assert.rejects(jobs.askResult('j-1', 'result', {}, AbortSignal.abort()), /aborted/);
  });

  it('know the sessions of their steps, also those that are over', async () => {
    const live = { sessionId: 's-1', uri: 'demo:/other', title: '', isWorking: true, waiting: 1 };
    answers['session'] = { sessions: [live, { ...live, sessionId: 's-2', host: 'build', uri: 'far:/s-2' }] };
    answers['session/kept'] = { agent: 'demo', sessions: [], isComplete: true };
    await jobs.ask();
    assert.equal(await jobs.sessionUri('s-1'), 'demo:/other');
    assert.equal(await jobs.sessionUri('s-2', 'build'), 'far:/s-2');
    assert.equal(await jobs.sessionUri('s-0'), 'demo:/s-0');
  });
});
