/** The client when frames come late, twice, out of order between subscriptions, or all at once. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../src/ahp/client/agentHostClient.ts';
import { SLICE, TICK_BUDGET_MS } from '../../src/ahp/client/resourceStore.ts';
import type { TransportFactory } from '../../src/ahp/client/transport.ts';
import { whenLive } from '../../src/ahp/client/whenLive.ts';
import { ROOT_URI } from '../../src/ahp/v1/root.ts';
import { eventually } from '../fakes/eventually.ts';
import { FakeClock } from '../fakes/fakeClock.ts';
import { FakeHost, terminalState } from '../fakes/fakeHost.ts';
import { type HostFrame, manglingTransport } from '../fakes/manglingTransport.ts';
import { memoryTransport } from '../fakes/memoryTransport.ts';
import { RecordedHost } from '../fakes/recordedHost.ts';
import { describeShared } from '../support/shared.ts';
import { transcriptFrames } from '../support/transcript.ts';
import { assertSameAsFresh } from './faultHarness.ts';

const clients: AgentHostClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
function create(transport: TransportFactory, clock = new FakeClock()): AgentHostClient {
  const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport, clock });
  clients.push(client);
  return client;
}

/** Behind how many later frames a late one arrives. */
const LATE = 5;
const isAction = ({ message }: HostFrame) => message.method === 'action';
const isOfRoot = ({ message }: HostFrame) => message.params?.action?.type.startsWith('root/') === true;
const isSnapshot = ({ message }: HostFrame) => message.result !== undefined && message.result !== null && 'snapshot' in message.result;

/** Delivers the frames that `which` picks after some later ones, and in their own order. */
function late(which: (frame: HostFrame) => boolean) {
  let waiting: { frame: HostFrame; after: number }[] = [];
  let count = 0;
  return (frame: HostFrame, deliver: (frame: HostFrame) => void) => {
    count++;
    if (which(frame)) waiting.push({ frame, after: count + LATE });
    else deliver(frame);
    const due = waiting.filter(({ after }) => after <= count);
    waiting = waiting.filter(({ after }) => after > count);
    for (const one of due) deliver(one.frame);
  };
}

/** `lines`: how many the client may need. */
const deliveries: Record<string, { mangle: () => Parameters<typeof manglingTransport>[1]; lines: 'one' | 'more'; gap?: number }> = {
  'as it should be': { mangle: () => (frame, deliver) => deliver(frame), lines: 'one' },
  'with gaps in the numbers': { mangle: () => (frame, deliver) => deliver(frame), lines: 'one', gap: 7 },
  twice: {
    mangle: () => (frame, deliver) => {
      deliver(frame);
      if (isAction(frame)) deliver(frame);
    },
    lines: 'one',
  },
  'with those of the root later than those of sessions': {
    mangle: () => late((frame) => isAction(frame) && isOfRoot(frame)),
    lines: 'one',
  },
  'with those of sessions later than those of the root': {
    mangle: () => late((frame) => isAction(frame) && !isOfRoot(frame)),
    lines: 'one',
  },
  'before the snapshot that they build on': { mangle: () => late(isSnapshot), lines: 'one' },
  'again after later ones, as from a host that has started again': {
    mangle: () => {
      const again = late(() => true);
      let repeats = 3;
      return (frame, deliver) => {
        deliver(frame);
        if (isAction(frame) && repeats > 0) again(frame, (old) => repeats-- > 0 && deliver(old));
      };
    },
    lines: 'more',
  },
};

describeShared('A recorded turn whose actions come', (dir) => {
  for (const [how, { mangle, lines, gap = 0 }] of Object.entries(deliveries)) {
    it(how, async () => {
      const host = new RecordedHost(transcriptFrames(dir, '117-07-tools-confirmation.jsonl'));
      const memory = memoryTransport(host);
      const client = create(manglingTransport(memory.transport, mangle()));
      const subscriptions = host.resources.map((uri) => client.subscribe(uri));
      for (const { action } of host.steps) {
        host.serverSeq += gap;
        host.emit(action);
        host.emit({ type: 'root/activeSessionsChanged', activeSessions: host.serverSeq });
        await new Promise(setImmediate);
        if (client.state.kind === 'reconnecting') client.reconnectNow();
      }
      // What is late comes behind something.
      for (let count = 0; count < 2 * LATE; count++) {
        for (const uri of host.resources)
          if (uri !== ROOT_URI) host.emit({ type: 'session/titleChanged', session: uri, title: `end ${count}` });
        host.emit({ type: 'root/activeSessionsChanged', activeSessions: count });
      }
      const sent = host.log.length;
      await eventually(() => {
        if (client.state.kind === 'reconnecting') client.reconnectNow();
        return client.state.kind === 'connected' && subscriptions.every(({ status }) => status.kind === 'live');
      }, 'everything to be live');
      for (let count = 0; count < LATE + 1; count++) host.notify({ type: 'notify/authRequired', resource: `${sent}` });
      await new Promise(setImmediate);
      await assertSameAsFresh(subscriptions, () =>
        AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport, clock: new FakeClock() }),
      );
      if (lines === 'one') assert.equal(memory.lines.length, 1);
      else assert.ok(memory.lines.length > 1);
    });
  }
});

/** A clock by which every look at it costs a millisecond, so that what may be done between two looks is counted and not timed. */
class CountingClock extends FakeClock {
  #looks = 0;
  override now(): number {
    return super.now() + this.#looks++;
  }
}

describe('A flood of 100,000 actions at once', () => {
  const terminal = 'agenthost-terminal:/1';
  const count = 100_000;

  async function flood() {
    const host = new FakeHost();
    host.states.set(terminal, terminalState());
    const memory = memoryTransport(host);
    const client = create(memory.transport, new CountingClock());
    const pty = client.subscribeTerminal(terminal);
    await whenLive(pty);
    for (let sent = 0; sent < count; sent++) {
      host.connection.sendEnvelope({ action: { type: 'terminal/data', terminal, data: `${sent};` }, serverSeq: ++host.serverSeq });
    }
    return { host, memory, client, pty };
  }

  it('is reduced in slices that are bounded, with everything else in between, and none is missing', async () => {
    const { host, client, pty } = await flood();
    host.emit({ type: 'root/activeSessionsChanged', activeSessions: 7 });
    let told = 0;
    let largest = 0;
    let turns = 0;
    pty.onDidChange((change) => {
      if (change.kind !== 'actions') return;
      told += change.actions.length;
      largest = Math.max(largest, change.actions.length);
    });
    let toldBeforeRoot: number | undefined;
    client.subscribeRoot().onDidChange(() => (toldBeforeRoot ??= told));
    while (told < count) {
      await new Promise(setImmediate);
      assert.ok(++turns < count, 'it goes on');
    }
    assert.ok(largest <= SLICE * (TICK_BUDGET_MS + 1), `${largest} actions in one tick`);
    assert.ok(turns >= count / (SLICE * (TICK_BUDGET_MS + 1)), `${turns} turns of the event loop`);
    assert.ok(toldBeforeRoot !== undefined && toldBeforeRoot < count, 'the root did not wait for the end of the flood');
    const expected = Array.from({ length: count }, (_, index) => `${index};`).join('');
    assert.deepEqual(pty.confirmed?.content, [{ type: 'unclassified', value: expected }]);
  });

  it('is read no faster than it is reduced', async () => {
    const { memory, pty } = await flood();
    let told = 0;
    pty.onDidChange((change) => (told += change.kind === 'actions' ? change.actions.length : 0));
    let mostWaiting = 0;
    await eventually(() => {
      mostWaiting = Math.max(mostWaiting, memory.line.delivered - told);
      return told >= count;
    }, 'all of it');
    assert.ok(memory.line.pauses > 1);
    assert.ok(mostWaiting < 25_000, `${mostWaiting} waited`);
  });

  it('before any snapshot ends the line instead of the memory', async () => {
    const host = new FakeHost();
    host.states.set(terminal, terminalState());
    const memory = memoryTransport(host);
    const client = create(memory.transport);
    await eventually(() => client.state.kind === 'connected', 'a connection');
    host.methods['subscribe'] = ({ resource }, connection) => {
      host.subscribe(resource, connection);
      for (let sent = 0; sent < 20_000; sent++)
        connection.sendEnvelope({ action: { type: 'terminal/data', terminal, data: 'x' }, serverSeq: ++host.serverSeq });
      return new Promise(() => undefined);
    };
    client.subscribeTerminal(terminal);
    await eventually(() => client.state.kind === 'reconnecting', 'the end of the line');
    assert.ok(client.state.kind === 'reconnecting');
    assert.match(client.state.reason.message, /more than can be kept/);
  });
});
