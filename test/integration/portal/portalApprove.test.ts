/** What a task does without asking, because its entry says so, and nothing besides. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { whenLive } from '../../../src/ahp/index.ts';
import type { SessionState } from '../../../src/ahp/v1/session.ts';
import { keepGrant } from '../../../src/ahp/grants.ts';
import type { ToolResultContent } from '../../../src/ahp/v1/toolCall.ts';
import { until } from '../../support/until.ts';
import { callbacks, type Json, TestPortal } from './portalHarness.ts';
import { grantsIn } from '../../../src/host/agents/grantsIn.ts';
import type { V1Client, V1Resource } from '../../support/v1Client.ts';

const work = (taskId: string) => ({ work: { kind: 'Ref', taskId } });
const task = (prompt: string, approve?: string[]) => ({
  ...{ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false },
  ...(approve && { approve }),
});
const entryOf = (tasks: Record<string, object>, driving = 'demo-fast') => ({
  ...{ models: { driving }, promptVariables: {}, grid: [], tasks },
  jobs: Object.fromEntries(Object.keys(tasks).map((name) => [name, work(name)])),
});
const RUN = 'run echo hello > made.txt';
const REPORT = 'client job_boolean_true {"argument":"it works"}';

interface JobStatus {
  status: string;
  withoutAsking?: Record<string, string>;
  steps: { task?: { approve?: string[]; decisions: { reason: string }[]; sessions: { sessionId: string }[] } }[];
}

for (const dialect of ['v1', 'channels'] as const)
  describe(`what an entry approves, over ${dialect}`, function () {
    this.timeout(60_000);
    let test: TestPortal;
    let other: V1Client;

    async function start(options: Parameters<typeof TestPortal.start>[0] = { provider: 'demo' }): Promise<void> {
      test = await TestPortal.start({ ...options, dialects: [dialect] });
      other = await test.v1Client();
    }
    afterEach(async () => {
      other.close();
      await test.close();
    });

    const startJob = async (name: string) => String((await test.call(`copilot/job/start/${name}`, test.folder))['jobId']);
    const status = async (jobId: string) => (await test.call(`copilot/job/${jobId}/status`)) as unknown as JobStatus;
    const unasked = ({ steps }: JobStatus) =>
      steps.flatMap(({ task: one }) => one?.decisions ?? []).flatMap(({ reason }) => (/ran without a question/.test(reason) ? reason : []));

    /** As another client sees the session of the task that runs. */
    async function sessionOf(jobId: string): Promise<V1Resource<SessionState>> {
      const [{ taskId } = {} as Json] = await test.follow(`job/${jobId}`, () => true);
      const [{ sessionId } = {} as Json] = await test.follow(`task/${taskId}`, ({ callback }) => callback === 'taskSessionStarted');
      return seen(String(sessionId));
    }
    async function seen(sessionId: string): Promise<V1Resource<SessionState>> {
      const summary = (await other.request('listSessions', {})).items.find(({ resource }) => resource.endsWith(sessionId)) ?? assert.fail();
      const session = other.subscribeSession(summary.resource);
      await whenLive(session);
      return session;
    }
    const waiting = (session: V1Resource<SessionState>) =>
      until('a call that waits', session.onDidChange, () =>
        session.state?.activeTurn?.responseParts.find((one) => one.kind === 'toolCall' && one.toolCall.status === 'pending-confirmation'),
      );

    it('runs without a question, is said before and recorded after, and ends with the session', async () => {
      await start();
      assert.deepEqual(await test.install(entryOf({ go: task(RUN, ['everything']), asks: task(RUN) })), { result: 'OK' });
      const { tasks } = (await test.call('copilot/task')) as { tasks: Json[] };
      const words = tasks.map(({ withoutAsking }) => withoutAsking);
      assert.match(String(words[0]), /^runs commands, which can do whatever you can, .* without asking$/);
      assert.equal(words[1], undefined);
      const { jobs } = (await test.call('copilot/job')) as { jobs: Record<string, Json> };
      assert.deepEqual([jobs['go']?.['withoutAsking'], jobs['asks']?.['withoutAsking']], [{ go: words[0] }, undefined]);

      const jobId = await startJob('go');
      assert.deepEqual(callbacks(await test.follow(`job/${jobId}`)).slice(-2), ['jobSucceeded', 'JobsClosed']);
      assert.ok(existsSync(join(test.folder, 'made.txt')));
      const ended = await status(jobId);
      assert.deepEqual(unasked(ended), [
        `[OPERATION] approve ["everything"] of the entry: run_command ran without a question, with "${RUN.slice(4)}".`,
      ]);
      assert.deepEqual(ended.withoutAsking, { go: words[0] });
      assert.deepEqual(ended.steps[0]?.task?.approve, ['everything']);
      const session = await seen(ended.steps[0]?.task?.sessions[0]?.sessionId ?? '');
      await until('the setting is taken back', session.onDidChange, () => session.state?.config?.values['approvals'] === 'ask');
    });

    it('holds for no other task, session or tool', async () => {
      await start();
      await test.install(
        entryOf({
          hold: task('run sleep 60', ['everything']),
          asks: task(RUN),
          edit: task('edit notes.md a line', ['everything']),
          report: task(REPORT, ['job-tools']),
          run: task(RUN, ['job-tools']),
        }),
      );
      const held = await sessionOf(await startJob('hold'));
      assert.equal(held.state?.config?.values['approvals'], 'auto');
      // While that session may do all, these ask: a task that does not say so, a session of the user, a tool that the agent always asks about.
      await waiting(await sessionOf(await startJob('asks')));
      const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
      await test.call(`copilot/session/${sessionId}/query`, RUN);
      await waiting(await seen(String(sessionId)));
      await waiting(await sessionOf(await startJob('edit')));
      // A task that may call the job tools runs no command.
      const reported = await startJob('report');
      assert.deepEqual(callbacks(await test.follow(`job/${reported}`)).slice(-2), ['jobSucceeded', 'JobsClosed']);
      assert.match(unasked(await status(reported)).join('\n'), /^\[OPERATION\] approve \["job-tools"\] of the entry: job_boolean_true ran/);
      await waiting(await sessionOf(await startJob('run')));
      assert.ok(!existsSync(join(test.folder, 'made.txt')));
    });

    it('does not hold in a session that the task borrows', async () => {
      await start();
      await test.install(entryOf({ go: task(RUN, ['everything']), report: task(REPORT, ['job-tools']) }));
      for (const name of ['go', 'report']) {
        const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
        const { taskId } = await test.call(`copilot/task/start/${name}/session/${sessionId}`);
        await waiting(await seen(String(sessionId)));
        assert.equal((await test.call(`copilot/task/${taskId}/status`))['approve'], undefined);
      }
    });

    it('ends when a user says so in the session', async () => {
      await start();
      const criteria = { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 1 } };
      await test.install(entryOf({ go: { ...task('run cat pipe', ['everything']), criteria } }));
      const pipe = join(test.folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const jobId = await startJob('go');
      const session = await sessionOf(jobId);
      const { uri } = session;
      await until('the command', session.onDidChange, () =>
        session.state?.activeTurn?.responseParts.some((one) => one.kind === 'toolCall' && one.toolCall.status === 'running'),
      );
      await other.dispatch(uri, { type: 'session/configChanged', session: uri, config: { approvals: 'ask' } }).settled;
      // The command ends, and the task tries again in the same session.
      await writeFile(pipe, 'x');
      await waiting(session);
      const after = await status(jobId);
      assert.equal(unasked(after).length, 1);
      const changes = after.steps
        .flatMap((one) => one.task?.decisions ?? [])
        .filter(({ reason }) => /without asking from now on/.test(reason));
      assert.deepEqual(
        changes.map(({ reason }) => reason),
        ['[OPERATION] somebody changed what the session does without asking from now on: the setting “approvals” is “ask”.'],
      );
      await test.call(`copilot/job/${jobId}/stop`);
    });

    it('must be known, and something that the agent has a setting for', async () => {
      await start();
      const answer = (approve: unknown) => test.install(entryOf({ go: { ...task('help'), approve } }));
      for (const approve of [['shell'], [], ['everything', 'everything'], 'everything', ['constructor']]) {
        const { result, error } = await answer(approve);
        assert.deepEqual([result, /^entry\.tasks\["go"\]\.approve/.test(String(error))], ['InvalidateEntry', true], String(error));
      }
      assert.deepEqual(await answer(['edits']), {
        result: 'InvalidateEntry',
        error: 'entry.tasks["go"].approve: the agent “demo” has no setting for edits',
      });
    });

    it('is recorded for each call of each turn and subagent, also when the model numbers its calls anew', async () => {
      const schema = {
        type: 'object' as const,
        properties: { approvals: { type: 'string' as const, title: 'Approvals', enum: ['ask', 'all'] } },
      };
      await start({ config: { schema, values: { approvals: 'ask' } } });
      let turns = 0;
      test.agent.onTurn = async (turn, host) => {
        const count = ++turns;
        const one = async (toolCallId: string, toolInput: string, on = turn) => {
          const call = on.toolCall({ toolCallId, toolName: 'shell', displayName: 'Shell' });
          const ready = { invocationMessage: 'Shell', toolInput };
          await call.check(ready);
          call.run(ready, 'setting');
          return call;
        };
        const done = (content?: ToolResultContent[]) => ({ success: true, pastTenseMessage: 'Done', ...(content && { content }) });
        (await one('call_0', `outer ${count}`)).complete(done());
        const calling = await one('call_1', `calls ${count}`);
        const subagent = host.startSubagent({ toolCallId: calling.id, title: 'Subagent', prompt: 'go' });
        const link: ToolResultContent = { type: 'subagent', resource: subagent.chat, title: 'Subagent' };
        calling.setContent([link]);
        (await one('call_0', `inner ${count}`, subagent)).complete(done());
        subagent.complete();
        calling.complete(done([link]));
      };
      const criteria = { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 1 } };
      await test.install(entryOf({ go: { ...task('go', ['everything']), criteria } }, 'one'));
      const jobId = await startJob('go');
      await test.follow(`job/${jobId}`);
      const told = unasked(await status(jobId)).map((reason) => /with "(.*)"/.exec(reason)?.[1]);
      const expected = [1, 2].flatMap((count) => [`outer ${count}`, `calls ${count}`, `inner ${count}`]);
      assert.deepEqual([...told].sort(), [...expected].sort());
    });

    it('is not said to be the reason when a user has allowed something in the session', async () => {
      const schema = {
        type: 'object' as const,
        properties: { approvals: { type: 'string' as const, title: 'Approvals', enum: ['ask', 'all'] } },
      };
      await start({ config: { schema, values: { approvals: 'ask' } } });
      test.agent.onTurn = async (turn, host) => {
        const one = async (input: string, on = turn) => {
          const call = on.toolCall({ toolName: 'shell', displayName: 'Shell' });
          const ready = { invocationMessage: 'Shell', toolInput: input };
          await call.check(ready);
          call.run(ready, 'setting');
          return call;
        };
        (await one('first')).complete({ success: true, pastTenseMessage: 'Done' });
        const outer = await one('outer');
        const subagent = host.startSubagent({ toolCallId: outer.id, title: 'Subagent', prompt: 'go' });
        const link: ToolResultContent = { type: 'subagent', resource: subagent.chat, title: 'Subagent' };
        outer.setContent([link]);
        (await one('inner', subagent)).complete({ success: true, pastTenseMessage: 'Done' });
        subagent.complete();
        outer.complete({ success: true, pastTenseMessage: 'Done', content: [link] });
        keepGrant(grantsIn(host), { kind: 'tool', name: 'shell' });
        (await one('last')).complete({ success: true, pastTenseMessage: 'Done' });
      };
      await test.install(entryOf({ go: task('go', ['everything']) }, 'one'));
      const jobId = await startJob('go');
      await test.follow(`job/${jobId}`);
      const told = unasked(await status(jobId));
      const of = (input: string) => told.filter((reason) => reason.includes(`"${input}"`));
      for (const input of ['first', 'outer', 'inner', 'last']) assert.equal(of(input).length, 1, `${input}: ${told.join('\n')}`);
      assert.match(of('last')[0] ?? '', /^\[OPERATION\] a setting that was changed in the session/);
    });
  });
