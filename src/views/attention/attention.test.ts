import assert from 'node:assert/strict';
import { connected, disposeClients } from '../../../test/fakes/clientAndHost.ts';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import type { FakeHost } from '../../../test/fakes/fakeHost.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { SessionStatus, type SessionState, type SessionSummary } from '../../ahp/v1/session.ts';
import type { ToolCallState } from '../../ahp/v1/toolCall.ts';
import { Emitter } from '../../base/event.ts';
import { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { ToolCallState as ChannelCall } from '../../ahp/channels/shapes/toolCall.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { Attention, type AttentionHost, MAX_FOLLOWED } from './attention.ts';

const call = (toolCallId: string): ToolCallState => ({
  status: 'pending-confirmation',
  toolCallId,
  toolName: 'bash',
  displayName: 'Run command',
  invocationMessage: '',
  toolInput: '{"command":"ls"}',
});
function waiting(resource: string, toolCall: ToolCallState, status: number = SessionStatus.InputNeeded): SessionState {
  const summary: SessionSummary = { resource, provider: 'demo', title: resource, status, createdAt: 0, modifiedAt: 0 };
  const activeTurn = { id: 't', userMessage: { text: '' }, responseParts: [{ kind: 'toolCall' as const, toolCall }] };
  return { summary, lifecycle: 'ready', turns: [], activeTurn };
}

describe('Attention', () => {
  const clock = new FakeClock();
  let onDidChange: Emitter<void>;
  let all: AttentionHost[];
  let attention: Attention;
  let changes: number;
  const channelClients: AgentHostClient[] = [];
  beforeEach(() => {
    onDidChange = new Emitter();
    all = [];
    changes = 0;
  });
  afterEach(() => {
    attention.dispose();
    disposeClients();
    for (const client of channelClients.splice(0)) client.dispose();
  });

  async function addHost(id: string, ...states: SessionState[]) {
    const made = await connected();
    for (const state of states) made.host.states.set(state.summary.resource, state);
    made.host.summaries = states.map(({ summary }) => summary);
    await made.client.sessions.refresh();
    return { ...made, shown: attend(id, made.client) };
  }
  function attend(id: string, client: AgentHostClient) {
    const shown: AttentionHost & { isAway?: boolean } = {
      client,
      readOnly: undefined,
      input() {
        const connection = { connected: !this.isAway, failed: false, text: '' };
        return { id, label: id, connection, sessions: client.sessions.summaries, listed: true, topSession: client.topSession };
      },
    };
    client.sessions.onDidChange(() => onDidChange.fire());
    all.push(shown);
    return shown;
  }
  /** A host of AHP 1.0 whose session says that a call waits in its chat. */
  async function addChannelHost() {
    const [uri, chat] = ['ahp-session:/5/subagent/x', 'ahp-chat://5/'];
    const host = new FakeChannelHost();
    const status = SessionStatus.InputNeeded;
    const toolCall = { ...call('c'), invocationMessage: '' } as Extract<ChannelCall, { status: 'pending-confirmation' }>;
    const message = { text: 'go', origin: { kind: 'user' as const } };
    const activeTurn = { id: 't', message, startedAt: '2026-01-01T00:00:00Z', responseParts: [{ kind: 'toolCall' as const, toolCall }] };
    host.put(uri, {
      ...{ ...channelSession(chat), status },
      inputNeeded: [{ kind: 'toolConfirmation', id: 'n', chat, turnId: 't', toolCall }],
    });
    host.put(chat, { ...channelChat(chat), status, activeTurn });
    host.summaries = [{ ...channelSummary(uri), status } as never];
    const client = AgentHostClient.create({ url: 'ws://h:1', transport: memoryTransport(host).transport, clock, random: () => 0 });
    channelClients.push(client);
    await eventually(() => client.state.kind === 'connected', 'a connection');
    await client.sessions.refresh();
    attend('a', client);
    return { host, client, uri, chat };
  }
  function start() {
    attention = new Attention({ all, onDidChange: onDidChange.event }, clock);
    attention.onDidChange(() => changes++);
  }
  const what = () => attention.items.map(({ hostId, uri, kind }) => `${hostId} ${uri} ${kind}`);
  const until = (expected: string[]) =>
    eventually(
      () => {
        clock.advance(100);
        return JSON.stringify(what()) === JSON.stringify(expected);
      },
      expected.join(', ') || 'nothing',
    );
  const subscribed = (host: FakeHost) => host.paramsOf('subscribe').map(({ resource }: { resource: string }) => resource);

  it('counts at once, and knows what it is once it has the state', async () => {
    await addHost('a', waiting('demo:/5', call('c')));
    start();
    assert.deepEqual(what(), ['a demo:/5 unknown']);
    await until(['a demo:/5 call']);
  });

  it('follows each session until its turn is over, and no other', async () => {
    const { host, client } = await addHost('a', waiting('demo:/5', call('c')), waiting('demo:/6', call('c'), SessionStatus.Idle));
    start();
    await until(['a demo:/5 call']);
    assert.deepEqual(subscribed(host), ['demo:/5']);
    host.emit({ type: 'session/turnCancelled', session: 'demo:/5', turnId: 't' });
    host.notify({ type: 'notify/sessionSummaryChanged', session: 'demo:/5', changes: { status: SessionStatus.Idle } });
    await until([]);
    await eventually(() => host.paramsOf('unsubscribe').length > 0, 'an end of the subscription');
    assert.ok(client);
  });

  it('says since when it waits, whatever else happens in the session', async () => {
    const { host } = await addHost('a', waiting('demo:/5', call('c')));
    start();
    await until(['a demo:/5 call']);
    const since = attention.items[0]?.since;
    assert.equal(since, 0);
    host.notify({ type: 'notify/sessionSummaryChanged', session: 'demo:/5', changes: { title: 'Another', modifiedAt: 9 } });
    await eventually(() => {
      clock.advance(100);
      return attention.items[0]?.title === 'Another';
    }, 'the title');
    assert.equal(attention.items[0]?.since, since);
  });

  it('takes no time that is still to come', async () => {
    const late = waiting('demo:/5', call('c'));
    late.summary.modifiedAt = clock.now() * 2;
    await addHost('a', late);
    start();
    await until(['a demo:/5 call']);
    assert.ok((attention.items[0]?.since ?? Infinity) <= clock.now());
  });

  it('drops what the user has answered here before the host confirms it', async () => {
    const { host, client } = await addHost('a', waiting('demo:/5', call('c')));
    start();
    await until(['a demo:/5 call']);
    host.methods['dispatchAction'] = () => undefined;
    client.chat('demo:/5').approve({ turnId: 't', toolCallId: 'c' });
    await until([]);
  });

  it('drops it too where the session says what waits in its chats, until the host refuses it', async () => {
    const { host, client, uri, chat } = await addChannelHost();
    start();
    await until([`a ${uri} call`]);
    assert.equal(attention.items[0]?.topSession, undefined);
    host.methods['dispatchAction'] = () => undefined;
    const model = client.chat(chat);
    await whenLive(model);
    const answer = {
      type: 'chat/toolCallConfirmed' as const,
      turnId: 't',
      toolCallId: 'c',
      approved: true as const,
      confirmed: 'user-action' as const,
    };
    const { clientSeq, settled } = model.perform(answer);
    model.dispose();
    await until([]);
    host.emit(answer as never, { clientId: client.clientId, clientSeq }, 'No.', chat);
    assert.equal((await settled).kind, 'rejected');
    await until([`a ${uri} call`]);
  });

  it('finds what waits in a subagent, and in a subagent of that', async () => {
    const nested = (uri: string): ToolCallState => ({
      ...call('n'),
      status: 'running',
      confirmed: 'not-needed',
      invocationMessage: '',
      content: [{ type: 'subagent', resource: uri, title: '' }],
    });
    const below = 'demo:/5/subagent/n';
    const { host } = await addHost('a', waiting('demo:/5', nested(below), SessionStatus.InProgress));
    host.states.set(below, waiting(below, nested(`${below}/subagent/n`), SessionStatus.InProgress));
    host.states.set(`${below}/subagent/n`, waiting(`${below}/subagent/n`, call('c')));
    start();
    await until([`a ${below}/subagent/n call`]);
  });

  it('keeps equal sessions of two hosts apart, and forgets a host that goes', async () => {
    const a = await addHost('a', waiting('demo:/5', call('c')));
    await addHost('b', waiting('demo:/5', call('c')));
    start();
    await until(['a demo:/5 call', 'b demo:/5 call']);
    assert.equal(new Set(attention.items.map(({ id }) => id)).size, 2);
    all.splice(0, 1);
    onDidChange.fire();
    await until(['b demo:/5 call']);
    await eventually(() => a.host.paramsOf('unsubscribe').length > 0, 'an end of the subscription');
  });

  it('leaves out recordings and hosts that are away, and tells nobody of a change that is none', async () => {
    const { shown } = await addHost('a', waiting('demo:/5', call('c')));
    const recording = await addHost('r', waiting('demo:/6', call('c')));
    all[1] = { ...recording.shown, readOnly: 'a recording' };
    start();
    await until(['a demo:/5 call']);
    const before = changes;
    onDidChange.fire();
    await atRest();
    clock.advance(100);
    assert.equal(changes, before);
    shown.isAway = true;
    onDidChange.fire();
    await until([]);
  });

  it('follows a bounded number of sessions, and counts the others by their summaries', async () => {
    const many = Array.from({ length: MAX_FOLLOWED + 5 }, (_, index) => waiting(`demo:/many${index}`, call('c')));
    const { host } = await addHost('a', ...many);
    start();
    await eventually(() => {
      clock.advance(100);
      return attention.items.filter(({ kind }) => kind === 'call').length === MAX_FOLLOWED;
    }, 'the states');
    assert.equal(attention.items.length, MAX_FOLLOWED + 5);
    assert.equal(subscribed(host).length, MAX_FOLLOWED);
  });
});
