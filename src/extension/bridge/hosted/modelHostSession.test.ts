import assert from 'node:assert/strict';
import { channelChat, channelSession, FakeChannelHost } from '../../../../test/fakes/fakeChannelHost.ts';
import { atRest, eventually } from '../../../../test/fakes/eventually.ts';
import { FakeHost, sessionState } from '../../../../test/fakes/fakeHost.ts';
import { memoryTransport } from '../../../../test/fakes/memoryTransport.ts';
import type { StateAction as ChannelAction } from '../../../ahp/channels/actions.ts';
import type { SessionState as ChannelSession } from '../../../ahp/channels/session/state.ts';
import type { ToolInput } from '../../../ahp/channels/shapes/toolCall.ts';
import { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import { ModelHostSession } from './modelHostSession.ts';
import type { HostedCall } from './hostedSession.ts';

const uri = 'demo:/1';
const chat = 'ahp-chat://default/1';
const side = 'ahp-chat://side/1';
const startedAt = '2026-01-01T00:00:00Z';
const result = { success: true, pastTenseMessage: 'Called work' };

interface Fixture {
  toolClientId?: string;
  isRunning?: boolean;
}

type V1Action = Parameters<FakeHost['emit']>[0];
type V1Session = ReturnType<typeof sessionState>;

/** What a host of one dialect does and shows. */
interface TestHost {
  readonly host: FakeHost;
  begin(turnId: string): void;
  say(turnId: string, partId: string, content: string): void;
  call(turnId: string, callId: string, more?: Fixture & { input?: string }): void;
  readonly lenders: readonly { clientId: string; displayName?: string | undefined; tools: readonly { name: string }[] }[];
  readonly results: number;
}

function v1(): TestHost {
  const host = new FakeHost();
  host.states.set(uri, sessionState(uri, 'A session'));
  const act = (action: object) => void host.emit({ session: uri, ...action } as V1Action);
  const state = () => host.states.get(uri) as V1Session;
  return {
    host,
    begin: (turnId) => act({ type: 'session/turnStarted', turnId, userMessage: { text: 'go' } }),
    say: (turnId, id, content) => act({ type: 'session/responsePart', turnId, part: { kind: 'markdown', id, content } }),
    call(turnId, toolCallId, { toolClientId = 'me', isRunning = true, input: toolInput = '{}' } = {}) {
      act({ type: 'session/toolCallStart', turnId, toolCallId, toolName: 'work', displayName: 'W', toolClientId });
      const confirmed = isRunning && { confirmed: 'not-needed' };
      act({ type: 'session/toolCallReady', turnId, toolCallId, invocationMessage: 'Works', toolInput, ...confirmed });
    },
    get lenders() {
      const { activeClient } = state();
      return activeClient ? [activeClient] : [];
    },
    get results() {
      const parts = state().activeTurn?.responseParts ?? [];
      return parts.filter((part) => part.kind === 'toolCall' && 'toolCall' in part && part.toolCall.status === 'completed').length;
    },
  };
}

/** With a side chat. */
class ChannelHost implements TestHost {
  readonly host = new FakeChannelHost('1.0.0');
  constructor() {
    const session = channelSession(chat, 'A session');
    const [first] = session.chats;
    this.host.put(uri, { ...session, chats: first ? [first, { ...first, resource: side }] : [] });
    for (const one of [chat, side]) this.host.put(one, channelChat(one));
  }
  begin(turnId: string, where = chat): void {
    const message = { text: 'go', origin: { kind: 'user' as const } };
    this.host.act(where, { type: 'chat/turnStarted', turnId, startedAt, message });
  }
  say(turnId: string, id: string, content: string): void {
    this.host.act(chat, { type: 'chat/responsePart', turnId, part: { kind: 'markdown', id, content } });
  }
  call(
    turnId: string,
    toolCallId: string,
    { toolClientId = 'me', isRunning = true, input = '{}', where = chat }: Fixture & { input?: ToolInput; where?: string } = {},
  ): void {
    const contributor = { kind: 'client' as const, clientId: toolClientId };
    const base = { toolCallId, toolName: 'work', displayName: 'W', contributor };
    this.host.act(where, { type: 'chat/toolCallStart', turnId, ...base });
    const ready = { invocationMessage: 'Works', toolInput: input };
    this.host.act(where, { type: 'chat/toolCallReady', turnId, toolCallId, ...ready, ...(isRunning && { confirmed: 'not-needed' }) });
    const toolCall = {
      ...base,
      ...ready,
      ...(isRunning ? { status: 'running', confirmed: 'not-needed' } : { status: 'pending-confirmation' }),
    };
    const entry = { id: `${where}#${toolCallId}`, chat: where, turnId, toolCall };
    const kind = isRunning ? { kind: 'toolClientExecution', clientId: toolClientId } : { kind: 'toolConfirmation' };
    this.ofSession({ type: 'session/inputNeededSet', request: { ...entry, ...kind } } as ChannelAction);
  }
  ofSession(action: ChannelAction): void {
    this.host.act(uri, action);
  }
  get lenders(): ChannelSession['activeClients'] {
    return (this.host.stateOf(uri) as ChannelSession).activeClients;
  }
  get results(): number {
    return JSON.stringify(this.host.states.get(chat)).split('"completed"').length - 1;
  }
  subscribers(resource: string): number {
    return [...this.host.connections].filter(({ subscriptions }) => subscriptions.has(resource)).length;
  }
}

const open: { dispose(): void }[] = [];
afterEach(() => open.splice(0).forEach((one) => one.dispose()));

async function bridged<T extends TestHost>(test: T) {
  const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport: memoryTransport(test.host).transport });
  const session = new ModelHostSession(client, uri);
  open.push(session, client);
  await eventually(() => session.state.status === 'live', 'the session');
  return { ...test, test, client, session };
}

for (const [dialect, make] of [
  ['AHP v1', v1],
  ['AHP 1.0', () => new ChannelHost()],
] as const) {
  describe(`A session of the bridge at a host of ${dialect}`, () => {
    it('shows the turns and calls of the session, as they are confirmed', async () => {
      const { session, test } = await bridged<TestHost>(make());
      assert.deepEqual([session.state.label, session.state.isIdle, session.state.isReady], ['A session', true, true]);
      test.begin('t1');
      test.say('t1', 'p', 'Looking');
      test.call('t1', 'c1', { input: '{"a":1}' });
      test.call('t1', 'c2', { toolClientId: 'they', isRunning: false });
      await eventually(() => session.state.calls.length === 2, 'the calls');
      const [first, second] = session.state.calls;
      assert.deepEqual(
        [first, second].map((call) => [call?.callId, call?.clientId, call?.status, call?.input]),
        [
          ['c1', 'me', 'running', '{"a":1}'],
          ['c2', 'they', 'waiting', '{}'],
        ],
      );
      assert.deepEqual(session.state.turn?.parts[0], { kind: 'text', text: 'Looking' });
      assert.deepEqual([session.lastTurn?.text, session.turnsAfter(undefined)?.length, session.turnsAfter('t1')], ['go', 1, []]);
      assert.equal(session.state.isIdle, false);
      assert.equal(first && session.callNow(first), first, 'what did not change is the same object');
      const { agentTools } = session.state;
      test.say('t1', 'q', 'More');
      await eventually(() => session.state.turn?.parts.length === 4, 'the text');
      assert.equal(session.state.calls[0], first);
      assert.equal(session.state.agentTools, agentTools, 'also where the host names none');
      assert.deepEqual(await session.complete(first as HostedCall, result), { kind: 'confirmed' });
      await eventually(() => session.state.calls.length === 1, 'the end of the call');
      assert.equal(session.state.calls[0], second, 'what is over is not gone through again');
      const over = session.callNow(first as HostedCall);
      assert.deepEqual(
        [over?.status, session.state.turn?.parts.some((part) => part.kind === 'call' && part.call === over)],
        ['done', true],
      );
    });

    it('lends tools, changes them and withdraws them', async () => {
      const { session, test } = await bridged<TestHost>(make());
      const lent = session.lend([{ name: 'a' }]);
      assert.equal(session.state.lender?.clientId, 'me', 'it shows at once');
      assert.deepEqual(await lent, { kind: 'confirmed' });
      assert.deepEqual(await session.announce([{ name: 'b' }]), { kind: 'confirmed' });
      assert.deepEqual(test.lenders, [{ clientId: 'me', displayName: 'Tapline', tools: [{ name: 'b' }] }]);
      session.withdraw();
      await eventually(() => test.lenders.length === 0, 'the end');
      assert.equal(session.state.lender, undefined);
    });

    it('tells of the end of a call once the host has it', async () => {
      const { session, test } = await bridged<TestHost>(make());
      test.begin('t1');
      test.call('t1', 'c1');
      await eventually(() => session.state.calls.length === 1, 'the call');
      const [call] = session.state.calls as [HostedCall];
      const told: number[] = [];
      open.push(session.onDidChange(() => told.push(session.state.calls.length)));
      const { methods } = test.host;
      const dispatch = methods['dispatchAction'] as NonNullable<(typeof methods)['dispatchAction']>;
      let take = (): unknown => undefined;
      methods['dispatchAction'] = (...sent) => void (take = () => dispatch(...sent));
      const settled = session.complete(call, result);
      assert.equal(session.state.isIdle, false);
      await atRest();
      assert.deepEqual(told, [], 'it is on its way');
      take();
      assert.deepEqual(await settled, { kind: 'confirmed' });
      await eventually(() => session.state.calls.length === 0, 'its end');
      assert.deepEqual(told, [0]);
    });

    it('completes and denies calls, and sends messages', async () => {
      const { session, test } = await bridged<TestHost>(make());
      assert.deepEqual(await session.send('one'), { kind: 'confirmed' });
      await eventually(() => session.state.turn?.text === 'one', 'a turn');
      const turnId = session.state.turn?.id ?? '';
      await session.send('two');
      assert.deepEqual([session.state.turn?.id, session.state.isIdle], [turnId, false], 'it waits');
      test.call(turnId, 'c1');
      test.call(turnId, 'c2', { isRunning: false });
      await eventually(() => session.state.calls.length === 2, 'the calls');
      const [running, waiting] = session.state.calls as [HostedCall, HostedCall];
      session.report(running, 'half');
      assert.deepEqual(await session.complete(running, result), { kind: 'confirmed' });
      assert.deepEqual(await session.deny(waiting, 'not today'), { kind: 'confirmed' });
      assert.equal(test.results, 1);
      assert.equal(session.callNow(waiting)?.output, 'not today');
    });

    it('leaves out a question at the end, which may stand elsewhere later', async () => {
      const { session, test } = await bridged<TestHost>(make());
      test.begin('t1');
      test.say('t1', 'p', 'Which one?');
      const request = { id: 'q', questions: [] };
      if (test instanceof ChannelHost) test.host.act(chat, { type: 'chat/inputRequested', request });
      else test.host.emit({ type: 'session/inputRequested', session: uri, request } as V1Action);
      test.call('t1', 'c');
      await eventually(() => session.state.calls.length === 1, 'what follows');
      assert.equal(session.state.turn?.parts.length, test instanceof ChannelHost ? 3 : 2);
    });
  });
}

describe('A session of the bridge at a host of AHP v1, where one client lends', () => {
  it('names the other client, and takes its place when it is told to', async () => {
    const { host, session, test } = await bridged(v1());
    const other = { clientId: 'other', displayName: 'Other', tools: [] };
    host.emit({ type: 'session/activeClientChanged', session: uri, activeClient: other });
    await eventually(() => session.state.lender?.name === 'Other', 'the other');
    session.withdraw();
    await session.takeOver([{ name: 'a' }]);
    assert.deepEqual(
      test.lenders.map(({ clientId }) => clientId),
      ['me'],
    );
    const told = host.paramsOf('dispatchAction').map(({ action }) => [action.type, action.activeClient?.clientId ?? null]);
    assert.deepEqual(told, [
      ['session/activeClientChanged', null],
      ['session/activeClientChanged', 'me'],
    ]);
    await session.announce([{ name: 'b' }]);
    assert.equal(host.paramsOf('dispatchAction').at(-1)?.action.type, 'session/activeClientToolsChanged');
  });
});

describe('A session of the bridge at a host of AHP 1.0', () => {
  it('stands beside other clients, and leaves theirs alone', async () => {
    const { session, test } = await bridged(new ChannelHost());
    const other = { clientId: 'other', displayName: 'Other', tools: [{ name: 'theirs' }] };
    test.ofSession({ type: 'session/activeClientSet', activeClient: other });
    await atRest();
    assert.equal(session.state.lender, undefined);
    await session.lend([{ name: 'a' }]);
    assert.deepEqual(
      test.lenders.map(({ clientId }) => clientId),
      ['other', 'me'],
    );
    await session.takeOver([{ name: 'b' }]);
    session.withdraw();
    await eventually(() => test.lenders.length === 1, 'the end of ours');
    assert.deepEqual(test.lenders, [other]);
  });

  it('takes its folder for one of this computer only where the host has the files of this computer', async () => {
    const { session, test, client } = await bridged(new ChannelHost());
    test.ofSession({ type: 'session/workingDirectorySet', directory: 'file:///code' });
    await eventually(() => session.state.cwd === '/code', 'the folder');
    const elsewhere = new ModelHostSession(client, uri, undefined, undefined, false);
    open.push(elsewhere);
    await eventually(() => elsewhere.state.status === 'live', 'the session');
    assert.equal(elsewhere.state.cwd, undefined);
  });

  it('lends before the first turn, with which some hosts create the session', async () => {
    const creating = new ChannelHost();
    creating.host.put(uri, { ...channelSession(chat), lifecycle: 'creating' });
    const { session } = await bridged(creating);
    assert.deepEqual([session.state.isReady, session.state.isIdle], [true, false]);
  });

  it('follows calls of other chats to their ends, and reads no chat longer than that', async () => {
    const { session, test } = await bridged(new ChannelHost());
    assert.equal(test.subscribers(side), 0);
    test.begin('t1');
    test.begin('t1', side);
    test.call('t1', 'c');
    test.call('t1', 'c', { where: side, input: '{"side":true}' });
    await eventually(() => session.state.calls.length === 2, 'both calls');
    assert.deepEqual(
      session.state.calls.map(({ chat: where, input, status }) => [where, input, status]),
      [
        [chat, '{}', 'running'],
        [side, '{"side":true}', 'running'],
      ],
    );
    const ofSide = session.state.calls[1] as HostedCall;
    assert.equal(session.callNow(ofSide), ofSide);
    assert.deepEqual([session.state.unknownChats.size, test.subscribers(side)], [0, 1]);
    // The session may say that it is over before the chat does.
    test.ofSession({ type: 'session/inputNeededRemoved', id: `${side}#c` });
    await atRest();
    assert.equal(session.state.calls.length, 2);
    assert.deepEqual(await session.complete(ofSide, result), { kind: 'confirmed' });
    await eventually(() => test.subscribers(side) === 0, 'the end of the subscription');
    assert.deepEqual([test.results, session.state.calls.length], [0, 1]);
    assert.match(JSON.stringify(test.host.stateOf(side)), /"completed"/);
    assert.equal((await session.complete(ofSide, result)).kind, 'rejected');
  });

  it('does not say what runs in a chat before it is known, but who waits in it', async () => {
    const slow = new ChannelHost();
    const { session, test } = await bridged(slow);
    const subscribe = slow.host.methods['subscribe'];
    let answer = () => undefined as void;
    slow.host.methods['subscribe'] = async (params, connection) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return subscribe?.(params, connection);
    };
    test.begin('t1', side);
    test.call('t1', 'runs', { where: side });
    test.call('t1', 'waits', { where: side, isRunning: false, toolClientId: 'they' });
    await eventually(() => session.state.unknownChats.has(side), 'the chat');
    assert.deepEqual(
      session.state.calls.map(({ callId, status, clientId }) => [callId, status, clientId]),
      [['waits', 'waiting', 'they']],
    );
    const denied = session.deny(session.state.calls[0] as HostedCall, 'no');
    answer();
    assert.deepEqual(await denied, { kind: 'confirmed' });
    await eventually(() => session.state.unknownChats.size === 0, 'its state');
    assert.equal(session.state.calls.find(({ callId }) => callId === 'runs')?.status, 'running');
  });

  it('reads only so many chats, those with calls of ours first', async () => {
    const { session, test } = await bridged(new ChannelHost());
    const uris = Array.from({ length: 40 }, (_, at) => `ahp-chat://${at}/1`);
    for (const where of uris) {
      test.host.put(where, channelChat(where));
      test.begin('t', where);
    }
    for (const where of uris.slice(0, 20)) test.call('t', 'w', { where, isRunning: false, toolClientId: 'they' });
    for (const where of uris.slice(20)) test.call('t', 'r', { where });
    const read = () => uris.filter((where) => test.subscribers(where) > 0).length;
    await eventually(() => session.state.calls.filter(({ status }) => status === 'running').length === 20, 'ours');
    assert.equal(read(), 30);
    assert.equal(session.state.calls.filter(({ status }) => status === 'waiting').length, 20, 'also those that are not read');
  });

  it('knows no input that is kept elsewhere', async () => {
    const { session, test } = await bridged(new ChannelHost());
    test.begin('t1');
    test.call('t1', 'c', { input: { uri: 'blob:/1' } });
    await eventually(() => session.state.calls.length === 1, 'the call');
    const [call] = session.state.calls;
    assert.deepEqual([call?.input, call?.isInputElsewhere], [undefined, true]);
  });

  it('goes on in another default chat', async () => {
    const { session, test } = await bridged(new ChannelHost());
    test.begin('t2', side);
    test.ofSession({ type: 'session/defaultChatChanged', defaultChat: side });
    await eventually(() => session.state.turn?.id === 't2', 'the other chat');
    await eventually(() => test.subscribers(chat) === 0, 'the end of the subscription');
  });
});
