/** Turns over real sockets: streaming, queue and steering, cancelling, confirmations, questions, the active client, subagents. */
import assert from 'node:assert/strict';
import type { ConfirmationResult, InputResponse } from '../../../src/host/agents/agent.ts';
import { SessionStatus, type Turn } from '../../../src/ahp/v1/session.ts';
import type { ToolCallResult } from '../../../src/ahp/v1/toolCall.ts';
import { gate, TestHost, type RawClient } from './hostHarness.ts';
import { nameOfChat } from '../../../src/host/state/chatUris.ts';

const message = (text: string) => ({ text });
const start = (session: string, turnId: string, text = turnId) => ({
  type: 'session/turnStarted',
  session,
  turnId,
  userMessage: message(text),
});
const activity = (status: number): number => status & 31;

describe('turns of the embedded host', () => {
  let host: TestHost;
  let client: RawClient;
  let session: string;

  beforeEach(async () => {
    host = new TestHost();
    await host.start({ clientReturnMs: 50 });
    client = await host.connect();
    session = await host.session(client);
  });
  afterEach(() => host.stop());

  const turnsOf = async (): Promise<Turn[]> => (await client.sessionState(session)).turns;

  it('streams an answer and completes', async () => {
    host.agent.onTurn = async (turn) => {
      turn.reasoning('think');
      turn.reasoning('ing');
      turn.markdown('Hello');
      turn.markdown(' world');
      turn.usage({ inputTokens: 1, outputTokens: 2 });
    };
    const echo = await client.dispatch(start(session, 't1', '\n  Say hello  \nplease'));
    assert.equal(echo.rejectionReason, undefined);
    await client.action('session/turnComplete');
    const state = await client.sessionState(session);
    assert.deepEqual(
      state.turns.map(({ id, state: outcome, usage }) => ({ id, outcome, usage })),
      [{ id: 't1', outcome: 'complete', usage: { inputTokens: 1, outputTokens: 2 } }],
    );
    assert.deepEqual(
      state.turns[0]?.responseParts.map((part) => part.kind + ' ' + ('content' in part ? String(part.content) : '')),
      ['reasoning thinking', 'markdown Hello world'],
    );
    assert.equal(state.summary.title, 'Say hello');
    assert.equal(activity(state.summary.status), SessionStatus.Idle);
  });

  it('ends a turn as an error with the message of the agent, without a stack', async () => {
    host.agent.onTurn = async () => {
      throw new RangeError('the engine broke');
    };
    await client.dispatch(start(session, 't1'));
    const { error } = await client.action('session/error');
    assert.deepEqual(error, { errorType: 'RangeError', message: 'the engine broke' });
    assert.equal(activity((await client.sessionState(session)).summary.status), SessionStatus.Error);
  });

  it('refuses a second turn while one runs, and counts active sessions', async () => {
    const end = gate();
    host.agent.onTurn = () => end.promise;
    await client.dispatch(start(session, 't1'));
    assert.match((await client.dispatch(start(session, 't2'))).rejectionReason ?? '', /in progress/);
    assert.deepEqual((await client.action('root/activeSessionsChanged')).activeSessions, 1);
    assert.equal(host.server.isBusy, true);
    end.open();
    assert.deepEqual((await client.action('root/activeSessionsChanged', 2)).activeSessions, 0);
    assert.equal(host.server.isBusy, false);
  });

  it('cancels: the agent is told, the turn is closed, what comes late is dropped', async () => {
    const told = gate<unknown>();
    const late = gate();
    host.agent.onTurn = async (turn) => {
      turn.markdown('partial');
      const call = turn.toolCall({ toolName: 'x', displayName: 'X' });
      call.run({ invocationMessage: 'running' }, 'not-needed');
      await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
      told.open(turn.signal.reason);
      await assert.rejects(call.waitForClient(), /cancelled/);
      await assert.rejects(turn.ask({}), /cancelled/);
      turn.markdown('late');
      call.complete({ success: true, pastTenseMessage: 'late' });
      late.open();
    };
    await client.dispatch(start(session, 't1'));
    await client.action('session/toolCallReady');
    assert.match(
      (await client.dispatch({ type: 'session/turnCancelled', session, turnId: 'other' })).rejectionReason ?? '',
      /not in progress/,
    );
    assert.equal((await client.dispatch({ type: 'session/turnCancelled', session, turnId: 't1' })).rejectionReason, undefined);
    assert.match(String(await told.promise), /cancelled/);
    await late.promise;
    const [turn] = await turnsOf();
    assert.equal(turn?.state, 'cancelled');
    const [text, call] = turn?.responseParts ?? [];
    assert.ok(text?.kind === 'markdown' && text.content === 'partial');
    assert.ok(call?.kind === 'toolCall' && call.toolCall.status === 'cancelled' && call.toolCall.reason === 'skipped');
    assert.equal(client.actions('session/turnComplete').length, 0);
    assert.equal(client.actions('session/toolCallComplete').length, 0);
  });

  it('survives an agent that leaves a wait behind when the turn is cancelled', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      host.agent.onTurn = async (turn) => {
        void turn.ask({ message: 'Nobody waits for this' });
        await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
      };
      await client.dispatch(start(session, 't1'));
      await client.dispatch({ type: 'session/turnCancelled', session, turnId: 't1' });
      await client.settled();
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('never runs two turns of a session at once, also when a cancelled one lingers', async () => {
    const linger = gate();
    let running = 0;
    let most = 0;
    host.agent.onTurn = async (turn) => {
      most = Math.max(most, ++running);
      if (turn.id === 't1') await linger.promise;
      running--;
    };
    await client.dispatch(start(session, 't1'));
    await client.dispatch({ type: 'session/turnCancelled', session, turnId: 't1' });
    await client.dispatch(start(session, 't2'));
    await client.settled();
    assert.equal(client.actions('session/turnComplete').length, 0, 't2 waits');
    linger.open();
    assert.equal((await client.action('session/turnComplete')).turnId, 't2');
    assert.equal(most, 1);
  });

  describe('messages that wait', () => {
    const queue = (id: string, text = id) => ({
      type: 'session/pendingMessageSet',
      session,
      kind: 'queued',
      id,
      userMessage: message(text),
    });

    it('start turns by themselves, in order, named by queuedMessageId', async () => {
      const first = gate();
      host.agent.onTurn = (turn) => (turn.id === 't1' ? first.promise : Promise.resolve());
      await client.dispatch(start(session, 't1'));
      for (const id of ['a', 'b', 'c']) await client.dispatch(queue(id));
      await client.dispatch({ type: 'session/queuedMessagesReordered', session, order: ['c'] });
      await client.dispatch({ type: 'session/pendingMessageRemoved', session, kind: 'queued', id: 'b' });
      assert.match(
        (await client.dispatch({ type: 'session/pendingMessageRemoved', session, kind: 'queued', id: 'b' })).rejectionReason ?? '',
        /no pending/,
      );
      assert.deepEqual(
        (await client.sessionState(session)).queuedMessages?.map(({ id }) => id),
        ['c', 'a'],
      );
      first.open();
      await client.action('session/turnComplete', 3);
      assert.deepEqual(
        client.actions('session/turnStarted').map(({ queuedMessageId }) => queuedMessageId),
        [undefined, 'c', 'a'],
      );
      const state = await client.sessionState(session);
      assert.deepEqual(
        state.turns.map(({ userMessage }) => userMessage.text),
        ['t1', 'c', 'a'],
      );
      assert.equal(state.queuedMessages, undefined);
    });

    it('start at once when the session is idle', async () => {
      await client.dispatch(queue('a'));
      assert.equal((await client.action('session/turnStarted')).queuedMessageId, 'a');
      await client.action('session/turnComplete');
    });

    it('survive a cancel and an error, held until the user sends or reorders', async () => {
      let fail = true;
      host.agent.onTurn = async (turn) => {
        if (turn.id === 't1') await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        if (turn.message.text === 'a' && fail) throw new Error('no');
      };
      await client.dispatch(start(session, 't1'));
      await client.dispatch(queue('a'));
      await client.dispatch(queue('b'));
      await client.dispatch({ type: 'session/turnCancelled', session, turnId: 't1' });
      await client.dispatch(queue('b', 'b, edited'));
      await client.settled();
      let state = await client.sessionState(session);
      assert.equal(state.activeTurn, undefined, 'the queue is held');
      assert.deepEqual(
        state.queuedMessages?.map(({ id, userMessage }) => [id, userMessage.text]),
        [
          ['a', 'a'],
          ['b', 'b, edited'],
        ],
      );

      await client.dispatch({ type: 'session/queuedMessagesReordered', session, order: ['a', 'b'] });
      await client.action('session/error');
      state = await client.sessionState(session);
      assert.deepEqual(
        state.queuedMessages?.map(({ id }) => id),
        ['b'],
        'held again after the error',
      );

      fail = false;
      await client.dispatch(queue('c'));
      await client.action('session/turnComplete', 2);
      assert.deepEqual(
        (await turnsOf()).map(({ userMessage }) => userMessage.text),
        ['t1', 'a', 'b, edited', 'c'],
      );
    });

    it('steering is taken by the turn', async () => {
      const taken = gate<string | undefined>();
      host.agent.onTurn = async (turn) => {
        if (turn.id !== 't1') return;
        await new Promise<void>((resolve) => turn.onDidReceiveSteering(() => resolve()));
        const message = turn.takeSteeringMessage();
        message?.heard();
        taken.open(message?.message.text);
        assert.equal(turn.takeSteeringMessage(), undefined);
      };
      await client.dispatch(start(session, 't1'));
      await client.dispatch({ type: 'session/pendingMessageSet', session, kind: 'steering', id: 's', userMessage: message('left') });
      assert.equal(await taken.promise, 'left');
      await client.action('session/turnComplete');
      assert.equal((await client.action('session/pendingMessageRemoved')).id, 's');
      assert.equal((await turnsOf()).length, 1);
    });

    for (const ending of ['cancelled', 'failed', 'completed'] as const) {
      it(`steering that was taken and not heard comes before the queue when its turn is ${ending}`, async () => {
        const notHeard = gate();
        const over = gate();
        let turns = 0;
        host.agent.onTurn = async (turn) => {
          if (turns++ > 0) return;
          for (const _ of ['first', 'second']) {
            await new Promise<void>((resolve) => turn.onDidReceiveSteering(() => resolve()));
            assert.ok(turn.takeSteeringMessage());
          }
          notHeard.open();
          turn.signal.addEventListener('abort', () => over.open());
          await over.promise;
          if (ending === 'failed') throw new Error('failed');
        };
        const steer = (id: string, text: string) =>
          client.dispatch({ type: 'session/pendingMessageSet', session, kind: 'steering', id, userMessage: message(text) });
        await client.dispatch(start(session, 't1'));
        await client.dispatch(queue('a'));
        await steer('s', 'first');
        await client.action('session/pendingMessageRemoved');
        await steer('s', 'second');
        await notHeard.promise;
        if (ending === 'cancelled') await client.dispatch({ type: 'session/turnCancelled', session, turnId: 't1' });
        else over.open();
        await client.action('session/queuedMessagesReordered');
        if (ending === 'completed') {
          await client.action('session/turnComplete', 4);
          assert.deepEqual(
            (await turnsOf()).map(({ userMessage }) => userMessage.text),
            ['t1', 'first', 'second', 'a'],
          );
          assert.equal((await client.sessionState(session))._meta, undefined);
          return;
        }
        const state = await client.sessionState(session);
        assert.deepEqual(
          state.queuedMessages?.map(({ userMessage }) => userMessage.text),
          ['first', 'second', 'a'],
        );
        assert.equal(new Set(state.queuedMessages?.map(({ id }) => id)).size, 3);
        assert.equal(state.steeringMessage, undefined);
        assert.equal(state._meta, undefined);
      });
    }

    it('steering that no turn took becomes the next turn, before the queue', async () => {
      const first = gate();
      host.agent.onTurn = (turn) => (turn.id === 't1' ? first.promise : Promise.resolve());
      await client.dispatch(start(session, 't1'));
      await client.dispatch(queue('a'));
      await client.dispatch({ type: 'session/pendingMessageSet', session, kind: 'steering', id: 's', userMessage: message('s') });
      first.open();
      await client.action('session/turnComplete', 3);
      assert.deepEqual(
        (await turnsOf()).map(({ userMessage }) => userMessage.text),
        ['t1', 's', 'a'],
      );
    });

    it('steering of a cancelled turn goes to the head of the held queue', async () => {
      host.agent.onTurn = (turn) => new Promise((resolve) => turn.signal.addEventListener('abort', () => resolve()));
      await client.dispatch(start(session, 't1'));
      await client.dispatch(queue('a'));
      await client.dispatch({ type: 'session/pendingMessageSet', session, kind: 'steering', id: 's', userMessage: message('s') });
      await client.dispatch({ type: 'session/turnCancelled', session, turnId: 't1' });
      const state = await client.sessionState(session);
      assert.equal(state.steeringMessage, undefined);
      assert.deepEqual(
        state.queuedMessages?.map(({ id }) => id),
        ['s', 'a'],
      );
    });
  });

  it('holds a change of the model back until the turn ends, the last one wins', async () => {
    const end = gate();
    const models: (string | undefined)[] = [];
    host.agent.onTurn = async (turn, agentHost) => {
      models.push(agentHost.model?.id);
      if (turn.id === 't1') await end.promise;
    };
    await client.dispatch(start(session, 't1'));
    assert.match(
      (await client.dispatch({ type: 'session/modelChanged', session, model: { id: 'none' } })).rejectionReason ?? '',
      /model none is not offered any more/,
    );
    const one = client.post({ type: 'session/modelChanged', session, model: { id: 'one' } });
    await client.settled();
    assert.equal(client.echo(one), undefined);
    const two = client.post({ type: 'session/modelChanged', session, model: { id: 'two' } });
    assert.match((await client.until('the first choice settled', () => client.echo(one))).rejectionReason ?? '', /another model/);
    await client.dispatch({ type: 'session/pendingMessageSet', session, kind: 'queued', id: 'a', userMessage: message('a') });
    assert.equal((await client.sessionState(session)).summary.model, undefined);
    end.open();
    assert.equal((await client.until('the second choice', () => client.echo(two))).rejectionReason, undefined);
    await client.action('session/turnComplete', 2);
    assert.deepEqual(models, [undefined, 'two'], 'the queued turn has the new model');
  });

  it('asks for a confirmation: options, edited input, denial', async () => {
    const decisions: ConfirmationResult[] = [];
    host.agent.onTurn = async (turn) => {
      for (const editable of [false, true, false]) {
        const call = turn.toolCall({ toolCallId: `c${decisions.length + 1}`, toolName: 'sh', displayName: 'Shell' });
        call.inputDelta('ls');
        const decision = await call.confirm({
          invocationMessage: 'Run',
          confirmationTitle: 'Run?',
          toolInput: 'ls',
          editable,
          options: [
            { id: 'yes', label: 'Yes', kind: 'approve' },
            { id: 'no', label: 'No', kind: 'deny' },
          ],
        });
        decisions.push(decision);
        if (decision.approved) call.complete({ success: true, pastTenseMessage: 'Ran' });
      }
    };
    await client.dispatch(start(session, 't1'));
    await client.action('session/toolCallReady');
    assert.equal(activity((await client.sessionState(session)).summary.status), SessionStatus.InputNeeded);
    const confirm = (toolCallId: string, rest: object) =>
      client.dispatch({ type: 'session/toolCallConfirmed', session, turnId: 't1', toolCallId, ...rest });
    const approved = { approved: true, confirmed: 'user-action' };
    const denied = { approved: false, reason: 'denied' };
    assert.match((await confirm('c1', { ...approved, selectedOptionId: 'maybe' })).rejectionReason ?? '', /not among the options/);
    assert.match((await confirm('c1', { ...approved, selectedOptionId: 'no' })).rejectionReason ?? '', /option is to deny/);
    assert.match((await confirm('c1', { ...denied, selectedOptionId: 'yes' })).rejectionReason ?? '', /option is to approve/);
    assert.match((await confirm('c1', { ...approved, editedToolInput: 'rm' })).rejectionReason ?? '', /may not be edited/);
    assert.match((await confirm('c9', approved)).rejectionReason ?? '', /no tool call c9/);
    assert.equal((await confirm('c1', { ...approved, selectedOptionId: 'yes' })).rejectionReason, undefined);
    await client.action('session/toolCallReady', 2);
    assert.equal((await confirm('c2', { ...approved, editedToolInput: 'ls -a' })).rejectionReason, undefined);
    await client.action('session/toolCallReady', 3);
    const suggestion = message('rather not');
    assert.equal(
      (await confirm('c3', { ...denied, selectedOptionId: 'no', reasonMessage: 'no', userSuggestion: suggestion })).rejectionReason,
      undefined,
    );
    await client.action('session/turnComplete');
    assert.match((await confirm('c3', approved)).rejectionReason ?? '', /not in progress/);
    assert.deepEqual(decisions, [
      { approved: true, toolInput: 'ls', option: { id: 'yes', label: 'Yes', kind: 'approve' } },
      { approved: true, toolInput: 'ls -a', option: undefined },
      {
        approved: false,
        reason: 'denied',
        message: 'no',
        suggestion: { ...suggestion, origin: { kind: 'user' } },
        option: { id: 'no', label: 'No', kind: 'deny' },
      },
    ]);
  });

  it('asks whether the model may have a result', async () => {
    const asked: { approved: boolean }[] = [];
    host.agent.onTurn = async (turn) => {
      const call = turn.toolCall({ toolCallId: 'c1', toolName: 'x', displayName: 'X' });
      call.run({ invocationMessage: 'x' }, 'setting');
      asked.push(await call.completeWithResultConfirmation({ success: true, pastTenseMessage: 'did x' }));
    };
    await client.dispatch(start(session, 't1'));
    await client.action('session/toolCallComplete');
    await client.dispatch({ type: 'session/toolCallResultConfirmed', session, turnId: 't1', toolCallId: 'c1', approved: false });
    await client.action('session/turnComplete');
    assert.deepEqual(asked, [{ approved: false }]);
  });

  it('asks questions: accepting needs every required answer, drafts are no answers', async () => {
    const responses: InputResponse[] = [];
    host.agent.onTurn = async (turn) => {
      const questions = [
        { kind: 'integer' as const, id: 'n', message: 'How many?', required: true, min: 1, max: 3 },
        { kind: 'single-select' as const, id: 's', message: 'Which?', options: [{ id: 'x', label: 'X' }] },
        { kind: 'text' as const, id: 't', message: 'Why?' },
      ];
      responses.push(await turn.ask({ message: 'Please', questions }));
      responses.push(await turn.ask({ message: 'Again' }));
    };
    await client.dispatch(start(session, 't1'));
    const { request } = (await client.action('session/inputRequested')) as { request: { id: string } };
    const answer = (questionId: string, value: object, state = 'submitted') =>
      client.dispatch({ type: 'session/inputAnswerChanged', session, requestId: request.id, questionId, answer: { state, value } });
    const complete = (response: string, answers?: object) =>
      client.dispatch({ type: 'session/inputCompleted', session, requestId: request.id, response, ...(answers && { answers }) });
    assert.match((await complete('accept')).rejectionReason ?? '', /“n” has no submitted answer/);
    assert.match((await answer('n', { kind: 'number', value: 4 })).rejectionReason ?? '', /at most 3/);
    assert.match((await answer('n', { kind: 'text', value: '2' })).rejectionReason ?? '', /kind "number"/);
    assert.match((await answer('z', { kind: 'text', value: '2' })).rejectionReason ?? '', /no question "z"/);
    assert.equal((await answer('n', { kind: 'number', value: 2 }, 'draft')).rejectionReason, undefined);
    assert.match((await complete('accept')).rejectionReason ?? '', /“n” has no submitted answer/);
    assert.equal((await answer('t', { kind: 'text', value: 'draft' }, 'draft')).rejectionReason, undefined);
    const n = { state: 'submitted', value: { kind: 'number', value: 2 } };
    assert.match(
      (await complete('accept', { n, s: { state: 'submitted', value: { kind: 'selected', value: 'y' } } })).rejectionReason ?? '',
      /not an option/,
    );
    assert.equal((await complete('accept', { n })).rejectionReason, undefined);
    const second = (await client.action('session/inputRequested', 2)) as { request: { id: string } };
    await client.dispatch({ type: 'session/inputCompleted', session, requestId: second.request.id, response: 'decline' });
    await client.action('session/turnComplete');
    assert.deepEqual(responses, [{ response: 'accept', answers: { n } }, { response: 'decline' }]);
  });

  describe('the active client', () => {
    const activate = (who: RawClient, clientId = who.clientId) =>
      who.dispatch({ type: 'session/activeClientChanged', session, activeClient: { clientId, tools: [{ name: 'look' }] } });

    it('is one at a time, and can only set itself', async () => {
      const other = await host.connect('client-b');
      assert.match((await activate(other, client.clientId)).rejectionReason ?? '', /own one/);
      assert.match(
        (await other.dispatch({ type: 'session/activeClientToolsChanged', session, tools: [] })).rejectionReason ?? '',
        /only the active client/,
      );
      assert.equal((await activate(client)).rejectionReason, undefined);
      assert.match((await activate(other)).rejectionReason ?? '', /another client is active/);
      assert.equal((await client.dispatch({ type: 'session/activeClientToolsChanged', session, tools: [] })).rejectionReason, undefined);
      assert.equal((await other.dispatch({ type: 'session/activeClientChanged', session, activeClient: null })).rejectionReason, undefined);
      assert.equal((await activate(other)).rejectionReason, undefined);
    });

    it('completes its own calls, nobody else does', async () => {
      const results: ToolCallResult[] = [];
      host.agent.onTurn = async (turn) => {
        const call = turn.toolCall({ toolCallId: 'c1', toolName: 'look', displayName: 'Look', toolClientId: client.clientId });
        call.run({ invocationMessage: 'Looking', toolInput: '{}' }, 'not-needed');
        results.push(await call.waitForClient());
      };
      const other = await host.connect('client-b');
      await activate(client);
      await client.dispatch(start(session, 't1'));
      await client.action('session/toolCallReady');
      const target = { session, turnId: 't1', toolCallId: 'c1' };
      const result = { success: true, pastTenseMessage: 'Looked', content: [{ type: 'text', text: 'a tree' }] };
      assert.match(
        (await other.dispatch({ type: 'session/toolCallComplete', ...target, result })).rejectionReason ?? '',
        /only the client/,
      );
      assert.match(
        (await other.dispatch({ type: 'session/toolCallContentChanged', ...target, content: [] })).rejectionReason ?? '',
        /only the client/,
      );
      assert.equal((await client.dispatch({ type: 'session/toolCallContentChanged', ...target, content: [] })).rejectionReason, undefined);
      assert.equal((await client.dispatch({ type: 'session/toolCallComplete', ...target, result })).rejectionReason, undefined);
      await client.action('session/turnComplete');
      assert.deepEqual(results, [result]);
    });

    it('is unset when its connection goes, and its open calls fail when it does not come back', async () => {
      const failures: string[] = [];
      host.agent.onTurn = async (turn) => {
        const running = turn.toolCall({ toolCallId: 'c1', toolName: 'look', displayName: 'Look', toolClientId: 'client-b' });
        running.run({ invocationMessage: 'Looking' }, 'not-needed');
        await running.waitForClient().catch((error: Error) => failures.push(error.message));
        const late = turn.toolCall({ toolCallId: 'c2', toolName: 'look', displayName: 'Look', toolClientId: 'client-b' });
        late.run({ invocationMessage: 'Looking' }, 'not-needed');
        await late.waitForClient().catch((error: Error) => failures.push(error.message));
      };
      const other = await host.connect('client-b', [session]);
      await activate(other);
      await client.dispatch(start(session, 't1'));
      await client.action('session/toolCallReady');
      other.socket.terminate();
      await client.action('session/turnComplete');
      const state = await client.sessionState(session);
      assert.equal(state.activeClient, undefined);
      assert.equal(failures.length, 2);
      for (const part of state.turns[0]?.responseParts ?? []) {
        assert.ok(part.kind === 'toolCall' && part.toolCall.status === 'completed' && !part.toolCall.success);
        assert.equal(part.toolCall.error?.code, 'client-gone');
      }
    });
  });

  it('truncates: turns, the active one and what the agent remembers', async () => {
    await client.dispatch(start(session, 't1'));
    await client.action('session/turnComplete');
    await client.dispatch(start(session, 't2'));
    await client.action('session/turnComplete', 2);
    const aborted = gate();
    host.agent.onTurn = (turn) => new Promise((resolve) => turn.signal.addEventListener('abort', () => (aborted.open(), resolve())));
    await client.dispatch(start(session, 't3'));
    assert.match((await client.dispatch({ type: 'session/truncated', session, turnId: 'none' })).rejectionReason ?? '', /no turn none/);
    assert.equal((await client.dispatch({ type: 'session/truncated', session, turnId: 't1' })).rejectionReason, undefined);
    await aborted.promise;
    host.agent.onTurn = async () => assert.deepEqual(host.agent.truncations, ['t1'], 'the agent has forgotten before the next turn');
    await client.dispatch(start(session, 't4'));
    await client.action('session/turnComplete', 3);
    const state = await client.sessionState(session);
    assert.deepEqual(
      state.turns.map(({ id }) => id),
      ['t1', 't4'],
    );
  });

  it('opens sessions for subagents, which end with the turn', async () => {
    const started = gate<string>();
    host.agent.onTurn = async (turn, agentHost) => {
      const done = agentHost.startSubagent({ toolCallId: 'call 1', title: 'Research', prompt: 'Find it' });
      done.markdown('found');
      done.complete();
      const stuck = agentHost.startSubagent({ toolCallId: 'call 2', title: 'More', prompt: 'Find more' });
      started.open(nameOfChat(stuck.chat) ?? '');
      await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve()));
      assert.equal(stuck.signal.aborted, true);
    };
    await client.dispatch(start(session, 't1'));
    const stuck = await started.promise;
    assert.equal(stuck, `${session}/subagent/call%202`);
    const first = await client.sessionState(`${session}/subagent/call%201`);
    assert.deepEqual(
      first.turns.map(({ state, userMessage }) => [state, userMessage.text]),
      [['complete', 'Find it']],
    );
    assert.match((await client.dispatch(start(stuck, 'mine'))).rejectionReason ?? '', /subagent/);
    await client.dispatch({ type: 'session/turnCancelled', session, turnId: 't1' });
    assert.deepEqual(
      (await client.sessionState(stuck)).turns.map(({ state }) => state),
      ['cancelled'],
    );
    assert.deepEqual(
      (await client.request('listSessions', {})).items.map(({ title }) => title),
      ['t1', 'Research', 'More'],
    );
    await client.request('disposeSession', { session });
    assert.deepEqual((await client.request('listSessions', {})).items, []);
  });
});
