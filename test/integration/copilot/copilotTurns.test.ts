/** Special turns of the Copilot agent: messages into a running turn, plans, and conversations that grow too large. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { contextUseIn } from '../../../src/ahp/contextUse.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { engineSessionId } from '../../../src/host/agents/copilot/engine/conversation.ts';
import { chatUri } from '../../../src/host/state/chatUris.ts';
import { lastUserText } from '../../fixtures/modelServer.ts';
import { untilGone } from '../../support/processes.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { CopilotHost, gate, type CopilotConversation } from './copilotHarness.ts';
import { textOf } from '../host/demoHarness.ts';

describe('a message into a turn of the Copilot agent', () => {
  const host = new CopilotHost();
  let client: V1Client;
  let talk: CopilotConversation;
  let turnId: string;
  before(async () => {
    client = await host.start();
  });
  after(() => host.stop());

  /** A turn in which a tool of the client runs, and a message that the engine was handed meanwhile. */
  beforeEach(async () => {
    const tools = [{ name: 'slow', description: 'Takes its time', inputSchema: { type: 'object' as const, properties: {} } }];
    talk = await host.session(client, { config: { approvals: 'all' }, activeClient: { clientId: client.clientId, tools } });
    host.model.reply([{ tool: 'slow', args: {} }]);
    turnId = await talk.send('Work');
    await talk.callTo('slow', 'running');
    await steer('use tabs');
  });
  afterEach(() => {
    assert.equal(host.model.clear(), 0, 'the engine asked the model less often than the test expects');
  });
  const steer = (text: string, id = 's1') =>
    talk.dispatch({ type: 'session/pendingMessageSet', kind: 'steering', id, userMessage: { text } });
  const finishTool = async () => {
    const { toolCallId } = await talk.callTo('slow', 'running');
    await talk.dispatch({
      type: 'session/toolCallComplete',
      turnId,
      toolCallId,
      result: { success: true, pastTenseMessage: 'Done', content: [{ type: 'text', text: 'slow result' }] },
    });
  };
  const queued = () => talk.state.queuedMessages?.map(({ userMessage }) => userMessage.text);
  const told = () => JSON.stringify(host.model.requests.at(-1)?.messages).split('use tabs').length - 1;

  it('is heard with the result of the tool', async () => {
    host.model.reply([{ text: 'Tabs.' }], [{ text: 'Next.' }]);
    await finishTool();
    const turn = await talk.ended(turnId);
    assert.match(textOf(turn), /\*\*You:\*\* use tabs\s+Tabs\.$/);
    assert.equal(textOf(await talk.say('And now?')), 'Next.');
    assert.equal(talk.state.turns.length, 2);
    assert.equal(talk.state.steeringMessage, undefined);
    assert.equal(queued(), undefined);
    assert.equal(talk.state._meta, undefined);
    assert.equal(told(), 1);
  });

  it('is not lost when the turn is cancelled before the model heard it, and not heard twice after', async () => {
    await talk.cancel(turnId);
    await talk.until('the message in the queue', () => queued()?.length === 1);
    assert.equal(talk.state.steeringMessage, undefined);
    host.model.reply([{ text: 'Tabs.' }]);
    await talk.dispatch({ type: 'session/queuedMessagesReordered', order: ['s1'] });
    const turns = await talk.until('its turn', (state) => state.turns.length === 2 && state.turns);
    assert.deepEqual([turns[1]?.userMessage.text, textOf(turns[1]!)], ['use tabs', 'Tabs.']);
    assert.equal(told(), 1);
  });

  it('is not lost when the engine dies before the model heard it', async () => {
    const pid = host.agent.enginePid!;
    process.kill(pid, 'SIGKILL');
    assert.equal((await talk.ended(turnId)).error?.errorType, 'EngineDied');
    await talk.until('the message in the queue', () => queued()?.length === 1);
    await untilGone(pid);
  });

  it('is not lost when the host ends before the model heard it', async () => {
    await host.stopHost();
    client = await host.start();
    const again = await host.reopened(client, talk.uri);
    assert.deepEqual(
      again.state.queuedMessages?.map(({ userMessage }) => userMessage.text),
      ['use tabs'],
    );
    await client.request('disposeSession', { session: talk.uri });
  });

  it('may be followed by another one, and both are heard in order', async () => {
    host.model.reply([{ text: 'Both.' }]);
    await steer('and be brief', 's2');
    await finishTool();
    const turn = await talk.ended(turnId);
    assert.match(textOf(turn), /You:\*\* use tabs[^]*You:\*\* and be brief\s+Both\.$/);
    assert.equal(talk.state.steeringMessage, undefined);
    assert.equal(queued(), undefined);
  });
});

describe('a plan of the Copilot agent', () => {
  const host = new CopilotHost();
  let client: V1Client;
  before(async () => {
    client = await host.start();
  });
  after(() => host.stop());

  const answered = async (talk: CopilotConversation, answer: { value: string; freeformValues?: string[] } | 'decline') => {
    const request = await talk.until('the question', ({ inputRequests }) => inputRequests?.[0]);
    const id = request.questions?.[0]?.id ?? '';
    await talk.dispatch({
      type: 'session/inputCompleted',
      requestId: request.id,
      ...(answer === 'decline'
        ? { response: 'decline' }
        : { response: 'accept', answers: { [id]: { state: 'submitted', value: { kind: 'selected', ...answer } } } }),
    });
  };
  const planned = async () => {
    const talk = await host.session(client, { config: { mode: 'plan', approvals: 'edits' } });
    host.model.reply([{ tool: 'exit_plan_mode', args: { summary: 'First this, then that.' } }], [{ text: 'Well.' }]);
    return { talk, turnId: await talk.send('Do it') };
  };

  for (const action of ['interactive', 'exit_only'])
    it(`that is agreed to (${action}) ends the planning, for the next turns too`, async () => {
      const { talk, turnId } = await planned();
      await answered(talk, { value: action });
      assert.equal((await talk.ended(turnId)).state, 'complete');
      assert.deepEqual(talk.state.config?.values, { mode: 'interactive', approvals: 'edits', autoApproveReads: true });
      host.model.clear();
    });

  it('that is carried out without stopping is the only thing that is', async () => {
    const { talk, turnId } = await planned();
    host.model.reply(
      [{ tool: 'bash', args: { command: 'echo', description: 'x' } }],
      [{ tool: 'task_complete', args: { summary: 'Done.' } }],
    );
    await answered(talk, { value: 'autopilot' });
    // The permissions are the user's all the same.
    await talk.decide('bash', 'once');
    const turn = await talk.ended(turnId);
    assert.equal(turn.state, 'complete', turn.error?.message);
    assert.ok(!textOf(turn).includes('**You:**'), textOf(turn));
    assert.equal(talk.state.config?.values.mode, 'interactive');
    host.model.clear();
    const asked = host.model.requests.length;
    host.model.reply([{ text: 'Hello.' }]);
    assert.equal(textOf(await talk.say('Hello')), 'Hello.');
    assert.equal(host.model.requests.length, asked + 1, 'nothing tells the model to go on');
  });

  it('is what the model is told to make, and shows in no title', async () => {
    const { talk, turnId } = await planned();
    await answered(talk, 'decline');
    await talk.ended(turnId);
    assert.match(lastUserText(host.model.requests.at(-1)!.messages), /\[\[PLAN\]\] Do it/);
    assert.equal(talk.state.summary.title, 'Do it');
    assert.equal(talk.state.turns[0]?.userMessage.text, 'Do it');
    host.model.clear();
  });

  it('that is to be changed keeps the session planning', async () => {
    const { talk, turnId } = await planned();
    await answered(talk, { value: '', freeformValues: ['smaller steps'] });
    await talk.ended(turnId);
    assert.equal(talk.state.config?.values.mode, 'plan');
    assert.match(JSON.stringify(host.model.requests.at(-1)?.messages.at(-1)), /smaller steps/);
  });

  it('that is declined keeps the session planning', async () => {
    const { talk, turnId } = await planned();
    await answered(talk, 'decline');
    await talk.ended(turnId);
    assert.equal(talk.state.config?.values.mode, 'plan');
    host.model.clear();
  });

  it('does not undo what the user has chosen meanwhile', async () => {
    const { talk, turnId } = await planned();
    await talk.until('the question', ({ inputRequests }) => inputRequests?.[0]);
    await talk.dispatch({ type: 'session/configChanged', config: { mode: 'interactive' } });
    await talk.dispatch({ type: 'session/configChanged', config: { mode: 'plan' } });
    await answered(talk, 'decline');
    await talk.ended(turnId);
    assert.equal(talk.state.config?.values.mode, 'plan');
    host.model.clear();
  });
});

describe('a conversation that grows too large for its model', () => {
  it('is compacted, which is said also when it happens after the turn', async () => {
    const host = new CopilotHost();
    try {
      const client = await host.start({ endpoints: [] });
      host.agent.setEndpoints([host.endpoint({ contextWindow: 20_000 })]);
      const talk = await host.session(client);
      const summary = gate();
      let compacting = false;
      host.model.script = ({ messages }) => {
        if (!lastUserText(messages).includes('create a detailed summary')) return [{ text: 'Read.' }];
        compacting = true;
        return [{ wait: summary.promise }, { text: 'A summary.' }];
      };
      const text = 'word '.repeat(1_000);
      // The engine asks for a summary after a turn in which the window became nearly full.
      for (let turns = 0; !compacting; turns++) {
        assert.ok(turns < 20, 'it is never compacted');
        await talk.say(text);
      }
      summary.open();
      // The engine tells nobody but its own session: its folder is the only sign.
      const checkpoints = join(
        host.home,
        'session-state',
        engineSessionId({ session: talk.uri, chat: chatUri(talk.uri), isDefault: true }),
        'checkpoints',
      );
      const compacted = async () => {
        while (!existsSync(checkpoints) || readdirSync(checkpoints).every((name) => name === 'index.md')) await delay(20);
      };
      await withTimeout(compacted(), 10_000, 'the compaction');
      assert.match(textOf(await talk.say(text)), /^\s*\*The conversation was compacted[^]*Read\.$/);
      const said = talk.state.turns.length;
      await talk.say(text.repeat(6));
      // What is larger than the window before it can be summed up is cut by the engine.
      await talk.say(text.repeat(6));
      const rest = talk.state.turns.slice(said).map((turn) => textOf(turn));
      assert.match(rest.join(''), /too large for the model: its (oldest message was|\d+ oldest messages were) left out/);
    } finally {
      await host.stop();
    }
  });

  it('says how full the window is, and is compacted by /compact, with what the user wants kept', async () => {
    const host = new CopilotHost();
    try {
      const client = await host.start({ endpoints: [] });
      host.agent.setEndpoints([host.endpoint({ contextWindow: 50_000 })]);
      const talk = await host.session(client);
      // The engine keeps the user’s own words, and sums up the rest.
      const words = 'word '.repeat(2_000);
      let asked = '';
      host.model.script = ({ messages }) => {
        const text = lastUserText(messages);
        if (!text.includes('create a detailed summary')) return [{ text: words }];
        asked = text;
        return [{ text: 'A summary.' }];
      };
      for (let turns = 0; turns < 3; turns++) await talk.say('Read it');
      const before = contextUseIn(talk.state.turns.at(-1)?.usage);
      assert.equal(before?.compact, '/compact');
      assert.ok(before.used > 6_000 && before.used < before.limit && before.limit <= 50_000, JSON.stringify(before));
      assert.ok(before.conversation! > 4_000, JSON.stringify(before));
      const turn = await talk.say('/compact the names of files');
      assert.match(textOf(turn), /The conversation was compacted/);
      assert.ok(asked.includes('the names of files'), asked.slice(-500));
      const after = contextUseIn(turn.usage);
      assert.ok(after && after.used < before.used, JSON.stringify([before, after]));
      assert.equal(textOf(await talk.say('Go on')).trim(), words.trim());
      // Stop ends it at once.
      const summing = gate();
      const asking = gate();
      host.model.script = ({ messages }) => {
        if (!lastUserText(messages).includes('create a detailed summary')) return [{ text: words }];
        asking.open();
        return [{ wait: summing.promise }, { text: 'A summary.' }];
      };
      const turnId = await talk.send('/compact');
      await asking.promise;
      await talk.dispatch({ type: 'session/turnCancelled', turnId });
      assert.equal((await talk.ended(turnId)).state, 'cancelled');
      assert.equal(textOf(await talk.say('Go on')).trim(), words.trim());
      summing.open();
    } finally {
      await host.stop();
    }
  });
});
