/** The client when frames come late, twice, out of order between subscriptions, or all at once. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { TransportFactory } from '../../../src/ahp/client/transport.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import { ROOT_URI } from '../../../src/ahp/v1/root.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { FakeHost, terminalState } from '../../fakes/fakeHost.ts';
import { type HostFrame, manglingTransport } from '../../fakes/manglingTransport.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';
import { RecordedHost } from '../../fakes/recordedHost.ts';
import { describeShared } from '../../support/shared.ts';
import { transcriptFrames } from '../../support/transcript.ts';
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

/** After how many later frames a late one arrives. */
const LATE = 5;
const isAction = ({ message }: HostFrame) => message.method === 'action';
const isOfRoot = ({ message }: HostFrame) => message.params?.action?.type.startsWith('root/') === true;
const isSnapshot = ({ message }: HostFrame) => {
  const result = message.result ?? {};
  return 'snapshot' in result || 'snapshots' in result;
};

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

interface Delivery {
  mangle: () => Parameters<typeof manglingTransport>[1];
  /** How many the client may need. */
  lines: 'one' | 'more';
  gap?: number;
  /** It reads them only once there is a line, so that each has an answer of its own. */
  readsLater?: boolean;
}
const deliveries: Record<string, Delivery> = {
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
  'before the snapshots that they build on': { mangle: () => late(isSnapshot), lines: 'one' },
  'before the snapshot that they build on': { mangle: () => late(isSnapshot), lines: 'one', readsLater: true },
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
  for (const [how, { mangle, lines, gap = 0, readsLater = false }] of Object.entries(deliveries)) {
    it(how, async () => {
      const recorded = new RecordedHost(transcriptFrames(dir, '117-07-tools-confirmation.jsonl'));
      const { host, resources } = recorded;
      const memory = memoryTransport(host);
      const client = create(manglingTransport(memory.transport, mangle()));
      if (readsLater) {
        // Behind the late answer to the handshake.
        await eventually(() => host.connections.length > 0, 'the line');
        await new Promise(setImmediate);
        for (let count = 0; count < LATE; count++) host.emit({ type: 'root/activeSessionsChanged', activeSessions: count });
        await eventually(() => client.state.kind === 'connected', 'a connection');
      }
      const subscriptions = resources.map((uri) => recorded.read(client, uri));
      for (const { action } of recorded.steps) {
        host.serverSeq += gap;
        host.emit(action);
        host.emit({ type: 'root/activeSessionsChanged', activeSessions: host.serverSeq });
        await new Promise(setImmediate);
        if (client.state.kind === 'reconnecting') client.reconnectNow();
      }
      // What is late comes behind something.
      for (let count = 0; count < 2 * LATE; count++) {
        for (const uri of resources) if (uri !== ROOT_URI) host.emit({ type: 'session/titleChanged', session: uri, title: `end ${count}` });
        host.emit({ type: 'root/activeSessionsChanged', activeSessions: count });
      }
      const sent = host.log.length;
      await eventually(() => {
        if (client.state.kind === 'reconnecting') client.reconnectNow();
        return client.state.kind === 'connected' && subscriptions.every(({ status }) => status.kind === 'live');
      }, 'everything to be live');
      for (let count = 0; count < LATE + 1; count++) host.notify({ type: 'notify/authRequired', resource: `${sent}` });
      await new Promise(setImmediate);
      await assertSameAsFresh(
        subscriptions,
        () => AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport, clock: new FakeClock() }),
        (fresh, uri) => recorded.read(fresh, uri),
      );
      if (lines === 'one') assert.equal(memory.lines.length, 1);
      else assert.ok(memory.lines.length > 1);
    });
  }
});

/** A clock that advances by a millisecond with every reading, so that work is counted and not timed. */
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
    const pty = client.model('terminal', terminal);
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
    client.root().onDidChange(() => (toldBeforeRoot ??= told));
    while (told < count) {
      await new Promise(setImmediate);
      assert.ok(++turns < count, 'it goes on');
    }
    // Slices of 500, and a look at the clock after each, until 8 ms are over.
    assert.ok(largest <= 500 * (8 + 1), `${largest} actions in one tick`);
    assert.ok(turns >= count / (500 * (8 + 1)), `${turns} turns of the event loop`);
    assert.ok(toldBeforeRoot !== undefined && toldBeforeRoot < count, 'the root did not wait for the end of the flood');
    const expected = Array.from({ length: count }, (_, index) => `${index};`).join('');
    assert.deepEqual(pty.confirmed?.content, [{ type: 'unclassified', value: expected }]);
  });

  it('leaves out none of many others that change at once', async () => {
    const { host, client } = await flood();
    const uris = Array.from({ length: 50 }, (_, index) => `agenthost-terminal:/${index + 2}`);
    for (const uri of uris) host.states.set(uri, terminalState());
    const others = uris.map((uri) => client.model('terminal', uri));
    await Promise.all(others.map((other) => whenLive(other)));
    for (const other of uris) host.emit({ type: 'terminal/data', terminal: other, data: 'once' });
    const told = new Set<string>();
    for (const { uri, onDidChange } of others) onDidChange(({ kind }) => kind === 'actions' && told.add(uri));
    await eventually(() => told.size === uris.length, 'the news of each');
    for (const other of others) assert.deepEqual(other.confirmed?.content, [{ type: 'unclassified', value: 'once' }]);
  });

  it('is read no faster than it is reduced', async () => {
    const { memory, pty } = await flood();
    const { line } = memory;
    let told = 0;
    pty.onDidChange((change) => (told += change.kind === 'actions' ? change.actions.length : 0));
    let mostWaiting = 0;
    let mostAtResume = 0;
    const resume = line.resume.bind(line);
    line.resume = () => {
      mostAtResume = Math.max(mostAtResume, line.delivered - told);
      resume();
    };
    await eventually(() => {
      mostWaiting = Math.max(mostWaiting, line.delivered - told);
      return told >= count;
    }, 'all of it');
    assert.ok(line.pauses > 1);
    assert.ok(mostWaiting > 20_000 && mostWaiting < 25_000, `${mostWaiting} waited`);
    assert.ok(mostAtResume > 0 && mostAtResume < 2_100, `${mostAtResume} waited when reading went on`);
  });

  it('before the end of a handshake ends the connection instead of filling the memory', async () => {
    const host = new FakeHost();
    const { initialize } = host.methods;
    let early = 50_001;
    host.methods['initialize'] = (params, connection) => {
      const result = initialize?.(params, connection);
      for (let sent = 0; sent < early; sent++)
        connection.sendEnvelope({ action: { type: 'root/activeSessionsChanged', activeSessions: sent }, serverSeq: ++host.serverSeq });
      return early > 50_000 ? new Promise(() => undefined) : result;
    };
    const client = create(memoryTransport(host).transport);
    await eventually(() => client.state.kind === 'reconnecting', 'the end of the line');
    assert.ok(client.state.kind === 'reconnecting');
    assert.match(client.state.reason.message, /more actions than can be kept/);
    // One less is kept, and none of them is lost.
    early = 50_000;
    client.reconnectNow();
    await eventually(() => client.root().confirmed?.activeSessions === early - 1, 'all that came early');
  });

  it('before any snapshot ends the connection instead of filling the memory, and the client reconnects', async () => {
    const host = new FakeHost();
    host.states.set(terminal, terminalState());
    const memory = memoryTransport(host);
    const client = create(memory.transport);
    await eventually(() => client.state.kind === 'connected', 'a connection');
    const { subscribe } = host.methods;
    host.methods['subscribe'] = ({ resource }, connection) => {
      host.subscribe(resource, connection);
      for (let sent = 0; sent < 10_001; sent++)
        connection.sendEnvelope({ action: { type: 'terminal/data', terminal, data: 'x' }, serverSeq: ++host.serverSeq });
      return new Promise(() => undefined);
    };
    const pty = client.model('terminal', terminal);
    await eventually(() => client.state.kind === 'reconnecting', 'the end of the line');
    assert.ok(client.state.kind === 'reconnecting');
    assert.match(client.state.reason.message, /more actions than can be kept/);
    host.methods['subscribe'] = subscribe!;
    client.reconnectNow();
    assert.deepEqual((await whenLive(pty)).content, []);
  });
});
