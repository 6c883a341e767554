/** What providers bring into a session besides tools: events, context, rules about calls. And what they hear of it. */
import assert from 'node:assert/strict';
import { splitContext } from '../../../src/base/text/contextBlock.ts';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import { createProvider } from '../../../src/tap/provider/providerNode.ts';
import { eventually } from '../../fakes/eventually.ts';
import { BridgeTest, untilAnnounced, WAIT_MS } from './bridgeHarness.ts';
import { callsOf, textOf, type DemoConversation } from '../host/demoHarness.ts';
import { reached } from '../gateway/gatewayHarness.ts';

const work = { name: 'work', description: 'Works', parameters: { type: 'object' } };

describe('the bridge, beside tools', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  let chat: DemoConversation;
  beforeEach(async () => {
    test = new BridgeTest();
    // As at any host; `bridgeHooks` has what is otherwise at our own.
    await test.start({ isAskedFirst: false });
    chat = await test.session();
  });
  afterEach(() => test.stop());

  const bound = async (options: Parameters<typeof createProvider>[1]): Promise<ProviderHandle> => {
    const provider = test.provider('ci', options ?? {});
    await reached(provider, 'bound');
    // Gates, transforms and context of a program that has only the common token need the user's word.
    test.window.bridge.owner?.onEvent(({ event, params }) => {
      if (event === 'consent/asked') void test.window.bridge.owner?.request('consent/answer', { provider: params.provider, allow: true });
    });
    await test.window.bridge.owner?.request('consent/answer', { provider: 'ci', allow: true });
    return provider;
  };
  const prepare = (text: string) => test.window.session(chat.uri).preparePrompt(text);

  it('says of a provider that floods the session that its events are lost', async () => {
    const provider = await bound({});
    for (let at = 0; at < 40; at++) provider.push({ event: `event ${at}`, level: 'surface' });
    const { timeline } = test.window.session(chat.uri);
    await eventually(() => timeline.rows.some(({ kind }) => kind === 'dropped'), 'it is said');
    const dropped = timeline.rows.filter(({ kind }) => kind === 'dropped');
    assert.deepEqual(
      dropped.map(({ provider: from, text }) => [from, text]),
      [['ci', 'sends more events than the gateway takes. Some are lost.']],
    );
    assert.ok(timeline.rows.filter(({ kind }) => kind === 'push').length < 40);
  });

  it('shows what is surfaced, starts a turn with what is injected, and lets that wait while a turn runs', async () => {
    const provider = await bound({});
    provider.push({ event: 'build started', level: 'surface' });
    provider.push({ event: 'kept to itself', level: 'keep' });
    provider.push({ event: 'build failed', level: 'inject' });
    const first = await chat.until('the turn of the event', ({ turns }) => turns[0]);
    assert.deepEqual(splitContext(first.userMessage.text), {
      parts: [{ kind: 'push', provider: 'ci', name: 'ci', content: 'build failed' }],
      words: '',
    });
    const { timeline } = test.window.session(chat.uri);
    assert.deepEqual(
      timeline.rows.map(({ kind, provider: from, text, injects }) => [kind, from, text, injects]),
      [
        ['push', 'ci', 'build started', undefined],
        ['push', 'ci', 'build failed', true],
      ],
    );

    const busy = await chat.send('wait');
    provider.push({ prompt: 'help', event: 'look at this', level: 'inject' });
    await eventually(() => timeline.rows.length === 3, 'it has come');
    assert.equal(chat.state.activeTurn?.id, busy);
    assert.equal(chat.state.queuedMessages, undefined, 'it waits at the gateway');
    await chat.dispatch({ type: 'session/turnCancelled', turnId: busy });
    const prompted = await chat.until('the turn of the prompt', ({ turns }) => turns[2]);
    assert.equal(splitContext(prompted.userMessage.text).words, 'help');
    assert.match(textOf(prompted), /demo agent/);
  });

  it('says where in the session an event came, and that a provider that starts too many turns is paused until the user speaks', async () => {
    const provider = await bound({});
    const { timeline } = test.window.session(chat.uri);
    // The window says of an event where it came by what it has heard itself, which the host holds back from a window that does not show it.
    const seen = test.window.client.chat(chat.uri);
    const turnCount = async (count: number) => {
      const isThere = ({ turns, activeTurn }: { turns: readonly object[]; activeTurn?: object | undefined }) =>
        turns.length === count && !activeTurn;
      await chat.until(`${count} turns`, isThere);
      await eventually(() => seen.confirmed && isThere(seen.confirmed), `${count} turns in the window`, WAIT_MS);
    };
    for (let sent = 1; sent <= 3; sent++) {
      provider.push({ event: `event ${sent}`, level: 'inject' });
      await turnCount(sent);
    }
    provider.push({ event: 'one too many', level: 'inject' });
    await eventually(() => timeline.rows.length === 4, 'it has come');
    const [first, second, , last] = timeline.rows;
    assert.deepEqual(
      [first?.after, second?.after?.turnId, last?.after?.turnId],
      [undefined, chat.state.turns[0]?.id, chat.state.turns[2]?.id],
    );
    assert.deepEqual(
      timeline.rows.map(({ paused }) => paused === true),
      [false, false, false, true],
    );
    assert.equal(chat.state.turns.length, 3);
    await chat.say('help');
    provider.push({ event: 'after the user', level: 'inject' });
    await turnCount(5);
    assert.equal(timeline.rows.at(-1)?.paused, undefined);
  });

  it('denies a call by a rule with its reason, and leaves one that is allowed to the user', async () => {
    const asked: unknown[] = [];
    await bound({
      hooks: { onPreToolUse: [{ match: { tool: 'run_command' }, action: 'gate', gateId: 'push' }] },
      onGate: ({ args }) => {
        asked.push(args);
        return /git push/.test(JSON.stringify(args)) ? { decision: 'deny', reason: 'nothing is pushed on Fridays' } : { decision: 'allow' };
      },
    });
    const denied = await chat.say('run git push');
    const [call] = callsOf(denied.responseParts);
    assert.ok(call?.status === 'cancelled');
    assert.deepEqual([call.reason, call.reasonMessage], ['denied', 'Denied by the provider ci: nothing is pushed on Fridays']);
    assert.match(textOf(denied), /did not run/);
    const { timeline } = test.window.session(chat.uri);
    await eventually(
      () => timeline.rows.some(({ text }) => text?.includes('Denied run_command. nothing is pushed')),
      'it is shown',
      WAIT_MS,
    );

    const turnId = await chat.send('run true');
    await chat.call('pending-confirmation');
    await eventually(() => asked.length === 2, 'the gate has allowed it');
    assert.deepEqual(asked[1], { input: 'true' });
    await chat.confirm({ approved: false });
    await chat.ended(turnId);
  });

  it('puts context in front of the user’s next message, once what is said once', async () => {
    let asked = 0;
    const match = { tool: 'run_command' };
    await bound({
      context: 'main is red',
      startup_context: 'CI is at ci.example.com',
      hooks: {
        transforms: { custom_instructions: { action: 'append', content: 'be brief' } },
        onPreToolUse: [
          { match, action: 'context', content: 'commands are logged' },
          { match, action: 'gate', gateId: 'asked' },
        ],
      },
      onGate: () => {
        asked++;
        return { decision: 'allow' };
      },
    });
    const partsOf = async (text: string) => {
      const { parts, words } = splitContext(await prepare(text));
      assert.equal(words, text);
      return parts.map(({ kind, provider, content }) => `${kind} ${provider}: ${content}`);
    };
    assert.deepEqual(await partsOf('hello'), ['startup ci: CI is at ci.example.com', 'section ci: be brief', 'context ci: main is red']);
    const turnId = await chat.send('run true');
    await chat.call('pending-confirmation');
    // The window asks the rules once it sees the call, and about none that is over by then.
    await eventually(() => asked > 0, 'the rules were asked');
    await chat.confirm({ approved: false });
    await chat.ended(turnId);
    // The rule's answer may still be on its way.
    let parts = await partsOf('again');
    while (parts.length === 2) parts = await partsOf('again');
    assert.deepEqual(parts, ['hook ci: commands are logged', 'section ci: be brief', 'context ci: main is red']);
    assert.deepEqual(await partsOf('again'), ['section ci: be brief', 'context ci: main is red']);
  });

  it('tells providers what happens in the session', async () => {
    const heard: string[] = [];
    const lifecycle: string[] = [];
    await bound({
      tools: [work],
      subscribe: ['user.message', 'assistant.message', 'tool.execution_complete'],
      onToolCall: () => 'worked',
      onLifecycle: (_, state) => void lifecycle.push(state),
      onSessionEvent: ({ event, data }) =>
        void heard.push(`${event} ${JSON.stringify(data).replace(/"durationMs":\d+/, '"durationMs":0')}`),
    });
    await untilAnnounced(chat, 'work');
    const turnId = await chat.send('client work {"a":1}');
    await chat.confirm({ approved: true });
    await chat.ended(turnId);
    await eventually(() => heard.length === 3, heard.join('\n'), WAIT_MS);
    assert.deepEqual(heard.slice(0, 2), [
      'user.message {"content":"client work {\\"a\\":1}"}',
      'tool.execution_complete {"tool":"work","provider":"ci","args":{"a":1},"result":{"type":"success","output":"worked"},"durationMs":0}',
    ]);
    assert.match(heard[2] ?? '', /^assistant\.message .*succeeded and returned/);
    await eventually(() => lifecycle.at(-1) === 'idle', lifecycle.join());
    assert.equal(lifecycle[0], 'started');
  });
});
