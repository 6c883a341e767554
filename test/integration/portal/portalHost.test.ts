/** A portal session is a session of the host, which other clients see and decide about. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whenLive } from '../../../src/ahp/index.ts';
import type { SessionState } from '../../../src/ahp/v1/session.ts';
import { waitingOf } from '../../../src/views/session/waiting/waiting.ts';
import { until } from '../../support/until.ts';
import type { V1Client, V1Resource } from '../../support/v1Client.ts';
import { gate } from '../host/hostHarness.ts';
import { callbacks, TestPortal } from './portalHarness.ts';

const model = { category: 'driving' };
const entry = {
  models: { driving: 'demo-fast' },
  promptVariables: {},
  tasks: {
    report: {
      ...{ model, prompt: ['client job_boolean_true {"argument":"it works"}'], requireUserInput: false },
      criteria: { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } },
    },
    run: { model, prompt: ['run echo hello'], requireUserInput: false },
  },
  jobs: { run: { work: { kind: 'Ref', taskId: 'run' } } },
  grid: [],
};

for (const dialect of ['v1', 'channels'] as const)
  describe(`a session of the portal at the host, over ${dialect}`, function () {
    this.timeout(60_000);
    let test: TestPortal;
    let other: V1Client;

    beforeEach(async () => {
      test = await TestPortal.start({ provider: 'demo', dialects: [dialect] });
      other = await test.v1Client();
      writeFileSync(join(test.folder, 'entry.json'), JSON.stringify(entry));
      assert.deepEqual(await test.call('copilot/test/installJobsEntry', join(test.folder, 'entry.json')), { result: 'OK' });
    });
    afterEach(async () => {
      other.close();
      await test.close();
    });

    /** As the other client sees it. */
    async function seen(sessionId: unknown): Promise<V1Resource<SessionState>> {
      const summary = (await other.request('listSessions', {})).items.find(({ resource }) => resource === `demo:/${sessionId}`);
      assert.ok(summary, 'it is in the list of the host');
      const subscription = other.subscribeSession(summary.resource);
      await whenLive(subscription);
      return subscription;
    }
    const waitingCall = (session: V1Resource<SessionState>) =>
      until('a call that waits', session.onDidChange, () => {
        const { activeTurn } = session.state ?? {};
        const part = activeTurn?.responseParts.find((one) => one.kind === 'toolCall' && one.toolCall.status === 'pending-confirmation');
        return (
          part && activeTurn && { turnId: activeTurn.id, toolCallId: (part as { toolCall: { toolCallId: string } }).toolCall.toolCallId }
        );
      });
    const decide = async (session: V1Resource<SessionState>, approved: boolean) => {
      const decision = approved ? { approved, confirmed: 'user-action' as const } : { approved, reason: 'denied' as const };
      const action = { type: 'session/toolCallConfirmed' as const, session: session.uri, ...(await waitingCall(session)), ...decision };
      assert.deepEqual(await other.dispatch(session.uri, action).settled, { kind: 'confirmed' });
    };

    it('runs a task to its end, with the approval that another client gives', async () => {
      const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
      const session = await seen(sessionId);
      // AHP v1 shows who lends over AHP v1.
      assert.equal(session.state?.activeClient?.displayName, dialect === 'v1' ? 'Tapline portal' : undefined);
      const { taskId } = await test.call(`copilot/task/start/report/session/${sessionId}`);
      await waitingCall(session);
      const { sessions } = (await test.call('copilot/session')) as { sessions: Record<string, unknown>[] };
      assert.deepEqual(
        sessions.map((one) => [one['sessionId'], one['uri'], one['isWorking'], one['waiting']]),
        [[sessionId, session.uri, true, 1]],
      );
      assert.equal((await test.call(`copilot/task/${taskId}/status`))['status'], 'Executing');
      await decide(session, true);
      const told = await test.follow(`task/${taskId}`);
      assert.deepEqual(callbacks(told).slice(-2), ['taskSucceeded', 'TaskClosed']);
      assert.equal(session.state?.turns[0]?.userMessage.text, entry.tasks.report.prompt[0]);
      const calls = await test.follow(`session/${sessionId}`, ({ callback }) => callback === 'onIdle');
      const call = calls.find(({ callback }) => callback === 'onStartToolExecution');
      assert.deepEqual([call?.['toolName'], call?.['toolArguments']], ['job_boolean_true', '{"argument":"it works"}']);
      assert.deepEqual(calls.find(({ callback }) => callback === 'onEndToolExecution')?.['result'], { content: 'it works' });
    });

    it('asks nobody about the job tools where the user has said so, but about all others', async () => {
      const allowing = await TestPortal.start({ provider: 'demo', allowJobTools: true, dialects: [dialect] });
      try {
        writeFileSync(join(allowing.folder, 'entry.json'), JSON.stringify(entry));
        await allowing.call('copilot/test/installJobsEntry', join(allowing.folder, 'entry.json'));
        const { sessionId } = await allowing.call('copilot/session/start/demo-fast', allowing.folder);
        const { taskId } = await allowing.call(`copilot/task/start/report/session/${sessionId}`);
        assert.deepEqual(callbacks(await allowing.follow(`task/${taskId}`)).slice(-2), ['taskSucceeded', 'TaskClosed']);
        const told = await allowing.follow(`session/${sessionId}`, ({ callback }) => callback === 'onIdle');
        assert.equal(callbacks(told).filter((name) => name === 'onStartToolExecution').length, 1);
        await allowing.call(`copilot/session/${sessionId}/query`, 'run echo hello');
        const { uri } = allowing.portal.sessions.get(String(sessionId)) ?? assert.fail();
        const { defaultChat } = await whenLive(allowing.client.session(uri));
        const chat = allowing.client.chat(defaultChat ?? assert.fail());
        await until('a call that waits', chat.onDidChange, () => chat.confirmed && waitingOf(chat.confirmed).length > 0);
      } finally {
        await allowing.close();
      }
    });

    it('completes a job tool in each turn, also when the model numbers its calls anew', async () => {
      const scripted = await TestPortal.start({ allowJobTools: true, dialects: [dialect] });
      try {
        const results: unknown[] = [];
        scripted.agent.onTurn = async (turn, host) => {
          const tool = { toolName: 'job_boolean_true', displayName: 'Report', toolClientId: host.lenders[0]?.clientId ?? '' };
          const call = turn.toolCall({ toolCallId: 'call_0', ...tool });
          const ready = { invocationMessage: 'Report', toolInput: `{"argument":"${turn.message.text}"}` };
          await call.check(ready);
          call.run(ready, 'not-needed');
          results.push((await call.waitForClient()).content);
        };
        const sessionId = await scripted.startSession();
        for (const text of ['first', 'second']) {
          await scripted.call(`copilot/session/${sessionId}/query`, text);
          await scripted.follow(`session/${sessionId}`, ({ callback }) => callback === 'onIdle');
        }
        assert.deepEqual(results, [[{ type: 'text', text: 'first' }], [{ type: 'text', text: 'second' }]]);
      } finally {
        await scripted.close();
      }
    });

    if (dialect === 'channels')
      it('sends its first prompt to a session that is being created, as hosts may wait for that', async () => {
        const scripted = await TestPortal.start({ dialects: [dialect] });
        try {
          const creation = gate();
          scripted.agent.onCreate = () => creation.promise;
          const sessionId = await scripted.startSession();
          const answer = scripted.call(`copilot/session/${sessionId}/query`, 'hello');
          creation.open();
          assert.deepEqual(await answer, {});
          const told = await scripted.follow(`session/${sessionId}`, ({ callback }) => callback === 'onIdle');
          assert.ok(callbacks(told).includes('onAgentEnd'));
        } finally {
          await scripted.close();
        }
      });

    it('fails the task when the user denies the call', async () => {
      const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
      const { taskId } = await test.call(`copilot/task/start/report/session/${sessionId}`);
      await decide(await seen(sessionId), false);
      assert.deepEqual(callbacks(await test.follow(`task/${taskId}`)).slice(-2), ['taskFailed', 'TaskClosed']);
      const told = await test.follow(`session/${sessionId}`, ({ callback }) => callback === 'onIdle');
      assert.ok(!callbacks(told).includes('onStartToolExecution'), 'it never ran');
      assert.equal((told.find(({ callback }) => callback === 'onEndToolExecution')?.['error'] as { code: string }).code, 'denied');
    });

    it('stays in the list as the record of the job, with nothing running, after it was stopped', async () => {
      const { jobId } = await test.call('copilot/job/start/run', test.folder);
      const [work] = await test.follow(`job/${jobId}`, () => true);
      const [started] = await test.follow(`task/${work?.['taskId']}`, () => true);
      const session = await seen(started?.['sessionId']);
      await waitingCall(session);
      await test.call(`copilot/job/${jobId}/stop`);
      await until('the end of the turn', session.onDidChange, () => !session.state?.activeTurn && !session.state?.activeClient);
      assert.equal(session.state?.turns[0]?.state, 'cancelled');
    });

    it('ends its job, without another try, when the user stops the turn or deletes the session', async () => {
      for (const how of ['stop', 'delete'] as const) {
        const { jobId } = await test.call('copilot/job/start/run', test.folder);
        const [work] = await test.follow(`job/${jobId}`, () => true);
        const [started] = await test.follow(`task/${work?.['taskId']}`, () => true);
        const session = await seen(started?.['sessionId']);
        const { turnId } = await waitingCall(session);
        const { uri } = session;
        if (how === 'delete') await other.request('disposeSession', { session: uri });
        else await other.dispatch(uri, { type: 'session/turnCancelled', session: uri, turnId }).settled;
        assert.deepEqual(callbacks(await test.follow(`job/${jobId}`)), ['workStopped', 'jobError', 'jobFailed', 'JobsClosed']);
        const { steps } = (await test.call(`copilot/job/${jobId}/status`)) as {
          steps: { crashError: string; task: { sessions: unknown[] } }[];
        };
        assert.equal(steps[0]?.task.sessions.length, 1);
        assert.match(steps[0]?.crashError ?? '', how === 'stop' ? /stopped by the user/ : /deleted/);
      }
    });

    it('waits for the turn of the user before it begins a task', async () => {
      const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
      const session = await seen(sessionId);
      const { uri } = session;
      await other.dispatch(uri, { type: 'session/turnStarted', session: uri, turnId: 'mine', userMessage: { text: 'run echo mine' } })
        .settled;
      const { taskId } = await test.call(`copilot/task/start/run/session/${sessionId}`);
      await decide(session, true);
      await until('the next turn', session.onDidChange, () => session.state?.turns.some(({ id }) => id === 'mine'));
      await decide(session, true);
      assert.deepEqual(callbacks(await test.follow(`task/${taskId}`)).slice(-2), ['taskSucceeded', 'TaskClosed']);
    });

    it('does not take the place of another client that lends its tools, where there is one place', async () => {
      const { sessionId } = await test.call('copilot/session/start/demo-fast', test.folder);
      const session = await seen(sessionId);
      const { uri } = session;
      for (const activeClient of [null, { clientId: other.clientId, displayName: 'An editor', tools: [] }])
        await other.dispatch(uri, { type: 'session/activeClientChanged', session: uri, activeClient }).settled;
      const { taskId } = await test.call(`copilot/task/start/report/session/${sessionId}`);
      if (dialect === 'channels') await decide(session, true);
      const told = await test.follow(`task/${taskId}`);
      if (dialect === 'v1') assert.match(JSON.stringify(told), /An editor lends its tools/);
      assert.deepEqual(callbacks(told).slice(-2), [dialect === 'v1' ? 'taskFailed' : 'taskSucceeded', 'TaskClosed']);
      assert.equal(session.state?.activeClient?.displayName, 'An editor');
    });
  });
