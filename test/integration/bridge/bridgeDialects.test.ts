/** The bridge at hosts of both dialects: the same calls, and what only hosts of many chats and clients have. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StateAction } from '../../../src/ahp/channels/actions.ts';
import type { ChannelStates } from '../../../src/ahp/channels/channelReducers.ts';
import type { ChatState } from '../../../src/ahp/channels/chat/state.ts';
import type { SessionState } from '../../../src/ahp/channels/session/state.ts';
import type { ToolCallState } from '../../../src/ahp/channels/shapes/toolCall.ts';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { ResourceModel } from '../../../src/ahp/client/model/resourceModel.ts';
import type { SessionModel } from '../../../src/ahp/client/model/sessionModel.ts';
import type { DialectName, ResourceKind } from '../../../src/ahp/dialects/dialect.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { eventually } from '../../fakes/eventually.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';
import { reached } from '../gateway/gatewayHarness.ts';
import { gate } from '../host/hostHarness.ts';
import { BridgeTest, TestWindow, WAIT_MS } from './bridgeHarness.ts';

const shout = {
  name: 'shout',
  description: 'Says it louder',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

/** The first state in which `find` finds something. */
async function until<K extends ResourceKind, T>(
  model: ResourceModel<K>,
  what: string,
  find: (state: ChannelStates[K]) => T | undefined | false | null,
): Promise<T> {
  let found: T | undefined | false | null;
  await eventually(() => (found = model.confirmed && find(model.confirmed)), what, WAIT_MS);
  return found as T;
}

const callsOf = ({ turns, activeTurn }: ChatState): ToolCallState[] =>
  [...turns, ...(activeTurn ? [activeTurn] : [])]
    .flatMap(({ responseParts }) => responseParts)
    .flatMap((part) => (part.kind === 'toolCall' && 'toolCall' in part ? [part.toolCall] : []));
const lastCall = (state: ChatState) => callsOf(state).at(-1);
const lentBy = (state: SessionState, clientId: string) => {
  const entry = state.activeClients.find((client) => client.clientId === clientId);
  return entry?.tools.map(({ name }) => name).filter((name) => !name.startsWith('tap_'));
};

/** A provider whose rules deny all calls. */
async function strict(test: BridgeTest, { bridge }: TestWindow): Promise<void> {
  const provider = test.provider('strict', {
    hooks: { onPreToolUse: [{ match: {}, action: 'gate', gateId: 'all' }] },
    onGate: () => ({ decision: 'deny', reason: 'not today' }),
  });
  await reached(provider, 'bound');
  await bridge.owner?.request('consent/answer', { provider: 'strict', allow: true });
}

for (const dialect of ['v1', 'channels'] satisfies DialectName[]) {
  describe(`the bridge at our host (${dialect})`, function () {
    this.timeout(60_000);
    let test: BridgeTest;
    let session: SessionModel;
    let chat: ChatModel;
    const uri = 'demo:/of-a-dialect';
    beforeEach(async () => {
      test = new BridgeTest();
      await test.start({ dialects: [dialect] });
      const { client } = test.window;
      assert.equal(client.dialect?.name, dialect);
      const workingDirectories = [pathToFileURL(test.folder).href];
      await client.command('createSession', { channel: uri, provider: 'demo', workingDirectories, config: {} });
      session = client.session(uri);
      chat = client.chat(await until(session, 'the session', ({ lifecycle, defaultChat }) => lifecycle === 'ready' && defaultChat));
      test.window.look(uri);
      await test.window.lending(uri, 'lending');
    });
    afterEach(() => test.stop());

    const announced = (...names: string[]) =>
      until(
        session,
        `${names.join() || 'no tools'} announced`,
        (state) => lentBy(state, test.window.client.clientId)?.join() === names.join(),
      );
    async function approve(): Promise<void> {
      const { toolCallId, turnId } = await until(chat, 'a call that waits', (state) => {
        const call = lastCall(state);
        return call?.status === 'pending-confirmation' && { toolCallId: call.toolCallId, turnId: state.activeTurn?.id ?? '' };
      });
      assert.deepEqual(await chat.approve({ turnId, toolCallId }).settled, { kind: 'confirmed' });
    }
    const ended = () => until(chat, 'the end', (state) => !state.activeTurn && state.turns.length > 0 && lastCall(state));

    it('lends what a provider offers, and carries an approved call, its progress and its result', async () => {
      const calls: unknown[] = [];
      const hold = gate();
      const provider = test.provider('loud', {
        tools: [shout],
        async onToolCall({ args, progress }) {
          calls.push(args);
          progress('breathing in');
          await hold.promise;
          return String(args.text).toUpperCase();
        },
      });
      await announced('shout');
      await provider.updateTools([{ ...shout, name: 'whisper' }], ['shout']);
      await announced('whisper');
      await provider.updateTools([shout], ['whisper']);
      await announced('shout');
      const bridged = test.window.session(uri);
      const told: string[] = [];
      bridged.onDidChange(() => told.push('all'));
      bridged.onDidChangeCallProviders(() => told.push('who shows calls'));
      await chat.send('client shout {"text":"hello"}').settled;
      await approve();
      await until(chat, 'the progress', (state) => {
        const call = lastCall(state);
        return call?.status === 'running' && JSON.stringify(call.content) === '[{"type":"text","text":"breathing in"}]';
      });
      hold.open();
      const call = await ended();
      assert.ok(call.status === 'completed' && call.success);
      assert.deepEqual([call.content, calls], [[{ type: 'text', text: 'HELLO' }], [{ text: 'hello' }]]);
      const inChat = dialect === 'v1' ? undefined : chat.uri;
      assert.deepEqual(
        bridged.callProviders.map(({ chat: where, provider: name }) => [where, name]),
        [[inChat, 'loud']],
      );
      assert.deepEqual(told, ['who shows calls']);
    });

    it('stays where another client wants to lend, and leaves a place where there is one for each', async () => {
      const second = await test.openWindow(undefined, undefined, [dialect]);
      const theirs = second.client.session(uri);
      await until(theirs, 'the session', () => true);
      const settled = await theirs.lend({ displayName: 'Some Editor', tools: [] }).settled;
      const refused = { kind: 'rejected', reason: 'another client is active; unset it first' };
      assert.deepEqual(settled, dialect === 'v1' ? refused : { kind: 'confirmed' });
      const clients = dialect === 'v1' ? [test.window.client] : [test.window.client, second.client];
      const state = await until(session, 'all of them', (known) => known.activeClients.length === clients.length && known);
      assert.deepEqual(
        clients.map(({ clientId }) => lentBy(state, clientId)),
        clients.map(() => []),
      );
      assert.equal(test.window.session(uri).lending.kind, 'lending');
    });

    it('answers a host that asks the rules of providers before a call', async () => {
      await strict(test, test.window);
      await chat.send('run touch ran').settled;
      const call = await ended();
      assert.ok(call.status === 'cancelled' && call.reason === 'denied');
      assert.equal(call.reasonMessage, 'Denied by the provider strict: not today');
      assert.equal(existsSync(join(test.folder, 'ran')), false);
    });

    it('lends again when the connection was lost, and leaves nothing behind when it is closed', async () => {
      test.provider('loud', { tools: [shout], onToolCall: ({ args }) => String(args.text).toUpperCase() });
      await announced('shout');
      const lost = new Promise<void>((resolve) => test.window.client.onDidChangeState(({ kind }) => kind === 'reconnecting' && resolve()));
      test.window.cutHost();
      await lost;
      await eventually(() => session.status.kind === 'live', 'the connection', WAIT_MS);
      await announced('shout');
      await chat.send('client shout {"text":"back"}').settled;
      await approve();
      const call = await ended();
      assert.ok(call.status === 'completed' && call.success, JSON.stringify(call));
      test.window.bridge.setOn(false, 'off');
      await until(session, 'the end', ({ activeClients }) => activeClients.length === 0);
    });
  });
}

/** A host of many clients and chats in memory; gateway and provider are real. */
describe('the bridge at a host of several chats and clients', function () {
  this.timeout(60_000);
  const [uri, first, side] = ['copilotcli:/1', 'ahp-chat://default/1', 'ahp-chat://side/1'];
  let test: BridgeTest;
  let host: FakeChannelHost;
  let window: TestWindow;
  let calls: { text: unknown; signal: AbortSignal; end(value: string): void }[];
  beforeEach(async () => {
    test = new BridgeTest();
    test.startWithoutHost();
    host = new FakeChannelHost('1.0.0');
    const session = channelSession(first);
    const [summary] = session.chats;
    host.put(uri, { ...session, chats: summary ? [summary, { ...summary, resource: side }] : [] });
    for (const chat of [first, side]) host.put(chat, channelChat(chat));
    window = TestWindow.over(await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport }), test.daemon);
    window.look(uri);
    await window.lending(uri, 'lending');
    calls = [];
    test.provider('loud', {
      tools: [shout],
      onToolCall: ({ args, signal }) => new Promise((end) => calls.push({ text: args.text, signal, end })),
    });
    await eventually(() => lentBy(state(), window.client.clientId)?.join() === 'shout', 'the tools', WAIT_MS);
  });
  afterEach(async () => {
    window.close();
    await test.stop();
  });

  const state = () => host.stateOf(uri) as SessionState;
  const callIn = (chat: string) => callsOf(host.stateOf(chat) as ChatState)[0];
  /** The model of the host calls the tool, always by the same ids. */
  function call(chat: string, text: string): void {
    const message = { text: 'go', origin: { kind: 'user' as const } };
    const ids = { turnId: 'turn', toolCallId: 'call' };
    const contributor = { kind: 'client' as const, clientId: window.client.clientId };
    const made = { toolName: 'shout', displayName: 'Shout', contributor };
    const ready = { invocationMessage: 'Shouts', toolInput: JSON.stringify({ text }), confirmed: 'user-action' as const };
    host.act(chat, { type: 'chat/turnStarted', turnId: 'turn', startedAt: '2026-01-01T00:00:00Z', message });
    host.act(chat, { type: 'chat/toolCallStart', ...ids, ...made });
    host.act(chat, { type: 'chat/toolCallReady', ...ids, ...ready });
    const toolCall = { toolCallId: 'call', ...made, ...ready, status: 'running' as const };
    const request = { kind: 'toolClientExecution', id: chat, chat, turnId: 'turn', clientId: contributor.clientId, toolCall };
    host.act(uri, { type: 'session/inputNeededSet', request } as StateAction);
  }

  it('lends beside another client, whose tools and calls stay its own', async () => {
    const other = { clientId: 'other', displayName: 'Some Editor', tools: [{ name: 'theirs' }] };
    host.act(uri, { type: 'session/activeClientSet', activeClient: other });
    call(first, 'hello');
    await eventually(() => calls.length, 'the call', WAIT_MS);
    assert.equal(window.session(uri).lending.kind, 'lending');
    calls[0]?.end('HELLO');
    await eventually(() => callIn(first)?.status === 'completed', 'the result', WAIT_MS);
    window.bridge.setOn(false, 'off');
    await eventually(() => state().activeClients.length === 1, 'the end of ours', WAIT_MS);
    assert.deepEqual(state().activeClients, [other]);
  });

  it('is that of one window at a time, also where each could lend: both have the same tools', async () => {
    const client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
    const second = TestWindow.over(client, test.daemon);
    try {
      second.look(uri);
      await eventually(() => second.bridge.owner?.state.kind === 'connected', 'the gateway', WAIT_MS);
      call(first, 'hello');
      await eventually(() => calls.length, 'the call', WAIT_MS);
      calls[0]?.end('HELLO');
      await eventually(() => callIn(first)?.status === 'completed', 'the result', WAIT_MS);
      assert.deepEqual([lentBy(state(), client.clientId), calls.length], [undefined, 1]);
      window.bridge.setOn(false, 'off');
      await second.lending(uri, 'lending');
      await eventually(() => lentBy(state(), client.clientId)?.join() === 'shout', 'the tools', WAIT_MS);
    } finally {
      second.close();
    }
  });

  it('runs calls of any chat, each once and each in its chat', async () => {
    call(side, 'aside');
    await eventually(() => calls.length === 1, 'the call of the side chat', WAIT_MS);
    call(first, 'hello');
    await eventually(() => calls.length === 2, 'the call of the first chat', WAIT_MS);
    assert.deepEqual(
      calls.map(({ text }) => text),
      ['aside', 'hello'],
    );
    calls[1]?.end('HELLO');
    await eventually(() => callIn(first)?.status === 'completed', 'its result', WAIT_MS);
    assert.equal(callIn(side)?.status, 'running');
    calls[0]?.end('ASIDE');
    await eventually(() => callIn(side)?.status === 'completed', 'the other result', WAIT_MS);
    assert.match(JSON.stringify(callIn(side)), /"ASIDE"/);
    assert.deepEqual(window.warnings, []);
  });

  it('takes up a call of another chat after the window was loaded again, and ends it once', async () => {
    call(side, 'aside');
    await eventually(() => calls.length === 1, 'the call', WAIT_MS);
    window.reload();
    window.look(uri);
    await window.lending(uri, 'lending');
    await eventually(() => callIn(side)?.status === 'completed', 'its end', WAIT_MS);
    assert.equal(calls.length, 1, 'it is not made again');
  });

  it('cancels at the provider what a chat does not wait for any more', async () => {
    call(side, 'aside');
    await eventually(() => calls.length === 1, 'the call', WAIT_MS);
    host.act(side, { type: 'chat/turnCancelled', turnId: 'turn', duration: 1 });
    host.act(uri, { type: 'session/inputNeededRemoved', id: side });
    await eventually(() => calls[0]?.signal.aborted, 'the end at the provider', WAIT_MS);
    assert.equal(callIn(side)?.status, 'cancelled');
    await eventually(() => !host.connection.subscriptions.has(side), 'nobody reads the chat', WAIT_MS);
  });

  it('asks the rules of providers about what waits in any chat', async () => {
    await strict(test, window);
    const message = { text: 'go', origin: { kind: 'user' as const } };
    const toolCall = { toolCallId: 'c', toolName: 'bash', displayName: 'Bash', invocationMessage: 'Runs', toolInput: 'rm -rf /' };
    host.act(side, { type: 'chat/turnStarted', turnId: 'turn', startedAt: '2026-01-01T00:00:00Z', message });
    host.act(side, { type: 'chat/toolCallStart', turnId: 'turn', ...toolCall });
    host.act(side, { type: 'chat/toolCallReady', turnId: 'turn', ...toolCall });
    const request = {
      kind: 'toolConfirmation',
      id: side,
      chat: side,
      turnId: 'turn',
      toolCall: { ...toolCall, status: 'pending-confirmation' },
    };
    host.act(uri, { type: 'session/inputNeededSet', request } as StateAction);
    await eventually(() => callIn(side)?.status === 'cancelled', 'the denial', WAIT_MS);
    assert.match(JSON.stringify(callIn(side)), /Denied by the provider strict: not today/);
  });
});
