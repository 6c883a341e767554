import assert from 'node:assert/strict';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import type { ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { Emitter } from '../../base/event.ts';
import { FinishedTurns, type FinishingHost } from './finishedTurns.ts';

const [URI, CHAT] = ['ahp-session:/1', 'ahp-chat://main/1'];
const LONG_MS = 30_000;

describe('FinishedTurns', () => {
  let clock: FakeClock;
  let host: FakeChannelHost;
  let client: AgentHostClient;
  let isAway: boolean;
  let longMs: number;
  let isNotified: boolean;
  let finished: FinishedTurns;
  const onDidChange = new Emitter<void>();

  beforeEach(async () => {
    clock = new FakeClock();
    [isAway, longMs, isNotified] = [false, LONG_MS, false];
    host = new FakeChannelHost();
    host.put(URI, channelSession(CHAT, 'Fix it'));
    client = AgentHostClient.create({
      url: 'ws://h:1',
      transport: memoryTransport(host).transport,
      clock: new FakeClock(),
      random: () => 0,
    });
    await eventually(() => client.state.kind === 'connected', 'a connection');
  });
  afterEach(() => {
    finished.dispose();
    client.dispose();
  });

  function start(readOnly?: string) {
    const shown: FinishingHost = {
      client,
      readOnly,
      input() {
        const connection = { connected: !isAway, failed: false, text: '' };
        return { id: 'h', label: 'h', connection, sessions: client.sessions.summaries, listed: true, topSession: client.topSession };
      },
    };
    finished = new FinishedTurns({
      hosts: { all: [shown], onDidChange: onDidChange.event },
      clock,
      longMs: () => longMs,
      isNotified: () => isNotified,
    });
  }
  /** The list as the host has it now. */
  async function list(...bits: number[]) {
    host.summaries = [{ ...channelSummary(URI, 'Fix it'), status: bits.reduce((all, bit) => all + bit, 0) } as never];
    await client.sessions.refresh();
    onDidChange.fire();
    clock.advance(50);
    // A session is read, and then its chat.
    for (let round = 0; round < 10; round++) await atRest();
  }
  function ends(turn: Partial<Turn>, chat: Partial<ChatState> = {}) {
    const message = { text: 'go', origin: { kind: 'user' as const } };
    const responseParts = [{ kind: 'markdown' as const, id: 'm', content: '**Done.**\nMore' }];
    host.put(CHAT, { ...channelChat(CHAT), turns: [{ id: 't', message, responseParts, state: 'complete', ...turn }], ...chat });
  }
  async function run(ms: number, turn: Partial<Turn> = {}, chat: Partial<ChatState> = {}) {
    await list(SessionStatus.InProgress);
    clock.advance(ms);
    ends(turn, chat);
    await list(SessionStatus.Idle);
  }
  const told = () => finished.items.map(({ title, line, hasFailed }) => `${title}: ${line}${hasFailed ? ' (failed)' : ''}`);

  it('are told of when they ran long, with the first line of the answer', async () => {
    start();
    await run(LONG_MS);
    assert.deepEqual(told(), ['Fix it: Done.']);
    assert.equal(finished.items[0]?.id, ['h', CHAT, 'finished', 't'].join('\n'));
  });

  it('ran as long as the host says, where it does', async () => {
    start();
    await run(LONG_MS, { duration: LONG_MS - 1 });
    assert.deepEqual(told(), []);
    await run(10, { id: 'u', duration: LONG_MS });
    assert.deepEqual(told(), ['Fix it: Done.']);
  });

  it('are not told of when they were short, or when it is turned off', async () => {
    start();
    await run(LONG_MS - 1_000);
    longMs = 0;
    await run(LONG_MS * 10);
    assert.deepEqual(told(), []);
  });

  it('say that they failed', async () => {
    start();
    await run(LONG_MS, { state: 'error', responseParts: [{ kind: 'error', error: { errorType: 'x', message: 'No quota' } }] });
    assert.deepEqual(told(), ['Fix it: No quota (failed)']);
  });

  it('are no news when the user stopped them, or when the session goes on at once', async () => {
    start();
    await run(LONG_MS, { state: 'cancelled' });
    assert.deepEqual(told(), []);
    const message = { text: 'next', origin: { kind: 'user' as const } };
    await run(LONG_MS, {}, { activeTurn: { id: 'u', message, startedAt: '2026-01-01T00:00:00Z', responseParts: [] } });
    assert.deepEqual(told(), []);
  });

  it('are no news beside another notification of the same session', async () => {
    start();
    isNotified = true;
    await run(LONG_MS);
    assert.deepEqual(told(), []);
  });

  it('are no news after a reload, which lists them as finished', async () => {
    ends({ duration: LONG_MS });
    await client.sessions.refresh();
    start();
    await list(SessionStatus.Idle);
    await list(SessionStatus.Idle);
    assert.deepEqual(told(), []);
  });

  it('are told of once, after a reconnect too', async () => {
    start();
    await list(SessionStatus.InProgress);
    isAway = true;
    await list();
    clock.advance(LONG_MS);
    isAway = false;
    ends({});
    await list(SessionStatus.Idle);
    const [first] = finished.items;
    assert.deepEqual(told(), ['Fix it: Done.']);
    isAway = true;
    await list();
    isAway = false;
    await list(SessionStatus.Idle);
    assert.equal(finished.items[0], first);
  });

  it('go when the next turn begins, and when the session is read anywhere', async () => {
    start();
    await run(LONG_MS);
    await list(SessionStatus.InProgress);
    assert.deepEqual(told(), []);
    clock.advance(LONG_MS);
    await list(SessionStatus.Idle);
    assert.deepEqual(told(), ['Fix it: Done.']);
    await list(SessionStatus.Idle, SessionStatus.IsRead);
    assert.deepEqual(told(), []);
  });

  it('stay where the host leaves the session read when a turn ends', async () => {
    start();
    await list(SessionStatus.InProgress, SessionStatus.IsRead);
    clock.advance(LONG_MS);
    ends({});
    await list(SessionStatus.Idle, SessionStatus.IsRead);
    await list(SessionStatus.Idle, SessionStatus.IsRead);
    assert.deepEqual(told(), ['Fix it: Done.']);
  });

  it('of a recording are not told of', async () => {
    start('This is a recording.');
    await run(LONG_MS);
    assert.deepEqual(told(), []);
  });

  it('go with their session', async () => {
    start();
    await run(LONG_MS);
    host.summaries = [];
    await client.sessions.refresh();
    onDidChange.fire();
    clock.advance(50);
    assert.deepEqual(told(), []);
  });

  it('are not told of when their state cannot be read', async () => {
    start();
    await list(SessionStatus.InProgress);
    clock.advance(LONG_MS);
    host.put(URI, { ...channelSession('ahp-chat://gone/'), chats: [] });
    await list(SessionStatus.Idle);
    assert.deepEqual(told(), []);
  });
});
