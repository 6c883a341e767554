/** Tools of a provider in a session of an agent: announced, called after approval, with progress, results and errors. */
import assert from 'node:assert/strict';
import type { ToolResultContent } from '../../../src/ahp/v1/toolCall.ts';
import { ToolError } from '../../../src/tap/provider/providerErrors.ts';
import { eventually } from '../../fakes/eventually.ts';
import { announced, BridgeTest, untilAnnounced } from './bridgeHarness.ts';
import { callsOf, textOf } from '../host/demoHarness.ts';
import { gate } from '../host/hostHarness.ts';

const shout = {
  name: 'shout',
  description: 'Says it louder',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

describe('the bridge', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  beforeEach(async () => {
    test = new BridgeTest();
    await test.start();
  });
  afterEach(() => test.stop());

  it('announces what a provider offers, and only what changes', async () => {
    const chat = await test.session();
    const told: { type: string; names: string }[] = [];
    chat.subscription.onDidChange((action) => {
      if (action && /activeClient/.test(action.type)) told.push({ type: action.type, names: announced(chat).join() });
    });
    const provider = test.provider('loud', { tools: [shout], onToolCall: () => 'x' });
    await untilAnnounced(chat, 'shout');
    const [tool] = chat.state.activeClient?.tools.filter(({ name }) => name === 'shout') ?? [];
    assert.deepEqual(tool, {
      name: 'shout',
      description: 'Says it louder',
      inputSchema: shout.parameters,
      _meta: { 'tapline.provider': 'loud', 'tapline.trust': 'project' },
    });
    // The same again, and a change that is taken back at once: nothing to say, unless it takes longer on a crowded machine.
    await provider.updateTools([shout]);
    await provider.updateTools([shout, { ...shout, name: 'whisper' }]);
    await provider.updateTools([shout]);
    await provider.updateTools([{ ...shout, name: 'whisper' }], ['shout']);
    await untilAnnounced(chat, 'whisper');
    provider.close();
    await untilAnnounced(chat);
    assert.deepEqual(new Set(told.map(({ type }) => type)), new Set(['session/activeClientToolsChanged']));
    // The tools of the gateway itself may come later than the session.
    const [first] = told.filter(({ names }) => names !== '');
    assert.deepEqual([first?.names, told.at(-1)?.names], ['shout', '']);
    const isNews = told.every(({ names }, at) => names !== told[at - 1]?.names);
    assert.ok(isNews, JSON.stringify(told));
  });

  it('calls a tool once the user has approved, shows its progress and hands over the result', async () => {
    const chat = await test.session();
    const calls: unknown[] = [];
    const hold = gate();
    test.provider('loud', {
      tools: [shout],
      async onToolCall({ args, progress }) {
        calls.push(args);
        progress('breathing in');
        await hold.promise;
        return String(args.text).toUpperCase();
      },
    });
    await untilAnnounced(chat, 'shout');
    const turn = await chat.send('client shout {"text":"hello"}');
    await chat.call('pending-confirmation');
    assert.deepEqual(calls, [], 'nothing is called before the user says so');
    await chat.confirm({ approved: true });
    const shown = await chat.until('the progress', ({ activeTurn }) => {
      const [call] = callsOf(activeTurn?.responseParts);
      return call?.status === 'running' && call.content;
    });
    assert.deepEqual(shown, [{ type: 'text', text: 'breathing in' }]);
    hold.open();
    const ended = await chat.ended(turn);
    const [call] = callsOf(ended.responseParts);
    assert.ok(call?.status === 'completed' && call.success);
    assert.deepEqual(call.content, [{ type: 'text', text: 'HELLO' }]);
    assert.match(textOf(ended), /HELLO/);
    assert.deepEqual(calls, [{ text: 'hello' }]);
    assert.deepEqual(
      test.window.session(chat.uri).timeline.rows.map(({ kind, provider, text }) => [kind, provider, text]),
      [['progress', 'loud', 'breathing in']],
    );
  });

  it('hands over JSON as text and images as resources', async () => {
    const chat = await test.session({ config: { approvals: 'auto' } });
    const image = 'data:image/png;base64,iVBORw0KGgo=';
    test.provider('loud', { tools: [shout], onToolCall: ({ args }) => (args.text === 'image' ? { image } : { said: args.text }) });
    await untilAnnounced(chat, 'shout');
    const contentOf = async (text: string): Promise<ToolResultContent[] | undefined> => {
      const [call] = callsOf((await chat.say(`client shout {"text":"${text}"}`)).responseParts);
      assert.ok(call?.status === 'completed' && call.success);
      return call.content;
    };
    assert.deepEqual(await contentOf('x'), [{ type: 'text', text: '{\n "said": "x"\n}' }]);
    assert.deepEqual(await contentOf('image'), [{ type: 'embeddedResource', contentType: 'image/png', data: 'iVBORw0KGgo=' }]);
  });

  it('tells the model what went wrong: an error, wrong arguments, a timeout, a provider that goes', async () => {
    const chat = await test.session({ config: { approvals: 'auto' } });
    const provider = test.provider('loud', {
      tools: [{ ...shout, timeout: 1000 }],
      onToolCall: ({ args }) => {
        if (args.text === 'go') provider.close();
        if (args.text === 'go' || args.text === 'wait') return new Promise(() => undefined);
        throw new ToolError('NOT_FOUND', 'nobody is listening');
      },
    });
    await untilAnnounced(chat, 'shout');
    const errorOf = async (input: string) => {
      const [call] = callsOf((await chat.say(`client shout ${input}`)).responseParts);
      assert.ok(call?.status === 'completed' && !call.success);
      return call.error;
    };
    assert.deepEqual(await errorOf('{"text":"fail"}'), { message: 'nobody is listening', code: 'NOT_FOUND' });
    assert.equal((await errorOf('{"txt":"x"}'))?.code, 'INVALID_ARGUMENTS');
    assert.equal((await errorOf('["x"]'))?.code, 'INVALID_ARGUMENTS');
    assert.equal((await errorOf('{"text":"wait"}'))?.code, 'TIMEOUT');
    assert.equal((await errorOf('{"text":"go"}'))?.code, 'DISCONNECTED');
  });

  it('cancels at the provider what the session does not wait for any more', async () => {
    const chat = await test.session({ config: { approvals: 'auto' } });
    const cancelled: unknown[] = [];
    let called = 0;
    test.provider('loud', {
      tools: [shout],
      onToolCall: ({ signal }) =>
        new Promise((_, reject) => {
          called++;
          signal.addEventListener('abort', () => {
            cancelled.push(signal.reason);
            reject(new Error('aborted'));
          });
        }),
    });
    await untilAnnounced(chat, 'shout');
    const turnId = await chat.send('client shout {"text":"x"}');
    await eventually(() => called === 1, 'the call');
    await chat.dispatch({ type: 'session/turnCancelled', turnId });
    await eventually(() => cancelled.length === 1, 'the end at the provider');
    await chat.send('client shout {"text":"y"}');
    await eventually(() => called === 2, 'the second call');
    await test.user.request('disposeSession', { session: chat.uri });
    await eventually(() => cancelled.length === 2, 'the end at the provider');
  });

  it('leaves out a tool whose name the agent has itself, and says so', async () => {
    const chat = await test.session();
    test.provider('loud', { tools: [{ ...shout, name: 'read_file' }, shout], onToolCall: () => 'x' });
    await untilAnnounced(chat, 'shout');
    const { selection, timeline } = test.window.session(chat.uri);
    assert.deepEqual(
      selection.leftOut.map(({ tool, why }) => [tool.name, why]),
      [['read_file', 'taken']],
    );
    assert.match(timeline.rows.map(({ text }) => text).join(), /read_file of loud is left out: the agent has a tool of that name/);
  });

  it('withdraws everything at once when it is switched off, and a call that runs ends with the reason', async () => {
    const chat = await test.session({ config: { approvals: 'auto' } });
    let called = false;
    test.provider('loud', {
      tools: [shout],
      onToolCall: () => {
        called = true;
        return new Promise(() => undefined);
      },
    });
    await untilAnnounced(chat, 'shout');
    const turn = await chat.send('client shout {"text":"x"}');
    await eventually(() => called, 'the call');
    test.window.bridge.setOn(false, 'The user has switched the gateway off.');
    const [call] = callsOf((await chat.ended(turn)).responseParts);
    assert.ok(call?.status === 'completed' && !call.success);
    assert.deepEqual(call.error, { message: 'The user has switched the gateway off.', code: 'CANCELLED' });
    await eventually(() => !chat.state.activeClient, 'nobody lends tools');
    assert.deepEqual(announced(chat), []);
    test.window.bridge.setOn(true, '');
    test.window.look(chat.uri);
    await untilAnnounced(chat, 'shout');
  });
});
