/** Clients and the host, joined in memory, with lines that are cut and channels that are held back: in both ways to write `reconnect`. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import type { ActionEnvelope } from '../../ahp/channels/actions.ts';
import type { PerChannelReconnectResult, ReconnectResult } from '../../ahp/channels/commands.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { TransportFactory } from '../../ahp/client/transport.ts';
import { Emitter } from '../../base/event.ts';
import { JsonRpcPeer } from '../../base/jsonRpc.ts';
import { nullLogger } from '../../base/log.ts';
import { Host } from '../host.ts';
import type { Client } from '../state/clients.ts';
import type { ReplayLimits } from '../state/replayBuffer.ts';
import { StateStore } from '../state/stateStore.ts';
import { ChannelFace } from './channelFace.ts';
import { runs } from '../../../test/support/runs.ts';

const terminals = ['ahp-terminal:/slow', 'ahp-terminal:/fast', 'ahp-terminal:/other'] as const;
const [slow, fast] = terminals;
const print = (data: string) => ({ type: 'terminal/data' as const, data });

/** A host with terminals, and lines to it that a test cuts. It holds back what is said in `slow` until it is told to go on. */
function setUp(limits: ReplayLimits = {}) {
  const host = new Host({ agents: [], logger: nullLogger });
  const store = new StateStore(limits);
  Object.assign(host, { store });
  const face = new ChannelFace({ host, logger: nullLogger, speaks11: true });
  const asked: { method: string; params: unknown; result: unknown }[] = [];
  const lines = new Set<{ release(): void; cut(): void }>();
  const add = (channel: string) =>
    store.add({
      channel,
      kind: 'terminal',
      state: { title: '', content: [], claim: { kind: 'client', clientId: 'x' }, lifecycle: { status: 'running' } },
    });
  terminals.forEach(add);

  const transport: TransportFactory = () => {
    const [message, closed] = [new Emitter<string>(), new Emitter<{ code: number; reason: string }>()];
    let [isOpen, client] = [true, undefined as Client | undefined];
    const held: object[] = [];
    const peer = new JsonRpcPeer('server', (text) => queueMicrotask(() => isOpen && message.fire(text)), {
      onRequest: async (method, params) => {
        const result = await answer(method, params);
        asked.push({ method, params, result });
        return result;
      },
      onNotification: (method, params) => void (client && face.receive(method, params, client)),
    });
    const makeClient = (clientId: string): Client =>
      (client = {
        ...{ clientId, channels: new Set<string>(), request: () => Promise.reject(new Error('none')), replaced: () => undefined },
        notify: (method, params) => {
          if (method === 'action' && (params as ActionEnvelope).channel === slow) held.push(params);
          else peer.notify(method, params);
        },
      });
    const answer = (method: string, params: unknown): unknown => {
      if (method === 'initialize') return face.initialize(params, makeClient);
      if (method === 'reconnect') return face.reconnect(params, makeClient);
      // A state has all that was held back before it.
      if (method === 'subscribe' && (params as { channel: string }).channel === slow) line.release();
      return client && face.run(method, params, client);
    };
    const close = () => {
      isOpen = false;
      lines.delete(line);
      if (client) host.clients.leave(client);
      if (client) face.leave(client);
    };
    const line = {
      release: () => held.splice(0).forEach((params) => peer.notify('action', params)),
      cut: () => {
        close();
        closed.fire({ code: 1006, reason: '' });
      },
    };
    lines.add(line);
    return Promise.resolve({
      send: (text: string) => queueMicrotask(() => isOpen && peer.receive(text)),
      ...{ close, onMessage: message.event, onClose: closed.event },
    });
  };

  const repairs: string[] = [];
  const connect = async (speaks11: boolean) => {
    const logger = { ...nullLogger, info: (text: string) => void (text.includes('did not lead') && repairs.push(text)) };
    return AgentHostClient.connect({ url: 'ws://h:1', transport, clock: new FakeClock(), dialects: ['channels'], speaks11, logger });
  };
  /** As the client shows it: the state, or that there is none. */
  const shownBy = async (client: AgentHostClient) => {
    const readers = [client.root(), ...terminals.map((uri) => client.model('terminal', uri, { maxLatencyMs: uri === slow ? 1_000 : 0 }))];
    await atRest();
    return () => readers.map(({ status, confirmed }) => [status.kind, status.kind === 'live' ? confirmed : undefined]);
  };
  const cutAll = () => [...lines].forEach((line) => line.cut());
  const release = () => [...lines].forEach((line) => line.release());
  const comeBack = async (client: AgentHostClient) => {
    await eventually(() => client.state.kind !== 'connected', 'the loss');
    client.reconnectNow();
    await eventually(() => client.state.kind === 'connected', 'the return');
    await atRest();
  };
  const dispose = () => (face.dispose(), host.dispose());
  return { host, store, face, asked, add, connect, shownBy, cutAll, release, comeBack, repairs, dispose };
}

type Step =
  | { do: 'print'; where: number; times: number }
  | { do: 'sessions'; count: number }
  | { do: 'remove' | 'add'; where: number }
  | { do: 'release' | 'cut' | 'comeBack' };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('print' as const), where: fc.nat(2), times: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sessions' as const), count: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'add' as const), where: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('release' as const, 'cut' as const, 'comeBack' as const) }) },
);

for (const speaks11 of [false, true])
  describe(`a client that comes back, with ${speaks11 ? 'a number for each channel' : 'one number for all channels'}`, () => {
    it('shows what a client that has just come shows, and no replay has left anything out', async () => {
      const limits = fc.record({ replayLimit: fc.integer({ min: 1, max: 20 }), replaySizeLimit: fc.integer({ min: 200, max: 5_000 }) });
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), limits, async (steps, some) => {
          const { store, add, connect, shownBy, cutAll, release, comeBack, repairs, dispose } = setUp(some);
          const clients = [await connect(speaks11)];
          try {
            const [client] = clients as [AgentHostClient];
            const shown = await shownBy(client);
            let count = 0;
            for (const step of steps) {
              const uri = 'where' in step ? (terminals[step.where] ?? fast) : fast;
              if (step.do === 'print') for (let time = 0; time < step.times; time++) store.dispatch(uri, print(`${++count} `));
              if (step.do === 'sessions') store.dispatch(ROOT_CHANNEL, { type: 'root/activeSessionsChanged', activeSessions: step.count });
              if (step.do === 'remove') store.delete(uri);
              if (step.do === 'add' && !store.get(uri)) add(uri);
              if (step.do === 'release') release();
              if (step.do === 'cut') {
                await atRest();
                cutAll();
              }
              if (step.do === 'comeBack' && client.state.kind !== 'connected') await comeBack(client);
            }
            await atRest();
            cutAll();
            await comeBack(client);
            const fresh = await connect(!speaks11);
            clients.push(fresh);
            const other = await shownBy(fresh);
            assert.deepEqual(shown(), other());
            assert.deepEqual(repairs, []);
          } finally {
            for (const each of clients) each.dispose();
            dispose();
          }
        }),
        { numRuns: runs(150) },
      );
    }).timeout(60_000);
  });

describe('a slow channel beside a fast one', () => {
  let all: ReturnType<typeof setUp>;
  let client: AgentHostClient;
  afterEach(() => {
    client.dispose();
    all.dispose();
  });

  /** The slow one is held back while the fast one goes on, and the line is cut. Returns the number of what was held back. */
  const loseOne = async (speaks11: boolean, limits: ReplayLimits = {}) => {
    all = setUp(limits);
    client = await all.connect(speaks11);
    const shown = await all.shownBy(client);
    const { store } = all;
    store.dispatch(slow, print('held back'));
    const held = store.serverSeq;
    for (let count = 0; count < 20; count++) store.dispatch(fast, print(`${count} `));
    await atRest();
    const seen = store.serverSeq;
    all.cutAll();
    return { shown, held, seen };
  };
  const seqsIn = (actions: readonly ActionEnvelope[], channel: string) =>
    actions.flatMap((envelope) => (envelope.channel === channel ? [envelope.serverSeq] : []));
  const contents = (shown: () => unknown[][]) => shown().map((one) => (one[1] as { content?: unknown } | undefined)?.content);

  it('would miss what was held back if the newest number of all counted', async () => {
    const { held, seen } = await loseOne(true);
    const raw = (params: object) =>
      all.face.reconnect({ channel: ROOT_CHANNEL, clientId: client.clientId, ...params }, (clientId) => ({
        ...{ clientId, channels: new Set<string>(), notify: () => undefined, replaced: () => undefined },
        request: () => Promise.reject(new Error('none')),
      }));
    const one = raw({ lastSeenServerSeq: seen, subscriptions: [slow, fast] }) as ReconnectResult & { type: 'replay' };
    assert.deepEqual([one.type, one.actions], ['replay', []]);
    const { channels } = raw({
      subscriptions: [
        { channel: slow, lastSeenServerSeq: held - 1 },
        { channel: fast, lastSeenServerSeq: seen },
      ],
    }) as PerChannelReconnectResult;
    assert.deepEqual(
      channels.map((outcome) => outcome.kind === 'replay' && seqsIn(outcome.actions, outcome.channel)),
      [[held], []],
    );
  });

  for (const speaks11 of [false, true])
    it(`gets what was held back, where ${speaks11 ? 'each channel has a number' : 'there is one number, the lowest that is safe'}`, async () => {
      const { shown, held, seen } = await loseOne(speaks11);
      await all.comeBack(client);
      assert.deepEqual(contents(shown)[1], [{ type: 'unclassified', value: 'held back' }]);
      assert.deepEqual(contents(shown)[2], [
        { type: 'unclassified', value: Array.from({ length: 20 }, (_, count) => `${count} `).join('') },
      ]);
      assert.deepEqual(all.repairs, []);
      const { params, result } = all.asked.find(({ method }) => method === 'reconnect') as { params: unknown; result: unknown };
      if (speaks11) {
        const { subscriptions } = params as { subscriptions: { channel: string; lastSeenServerSeq: number }[] };
        const numbers = new Map(subscriptions.map(({ channel, lastSeenServerSeq }) => [channel, lastSeenServerSeq]));
        assert.equal(numbers.get(fast), seen);
        assert.ok((numbers.get(slow) ?? seen) < held);
        assert.ok((result as PerChannelReconnectResult).channels.every(({ kind }) => kind === 'replay'));
      } else {
        assert.ok((params as { lastSeenServerSeq: number }).lastSeenServerSeq < held);
        assert.deepEqual(seqsIn((result as { actions: ActionEnvelope[] }).actions, slow), [held]);
      }
    });

  it('takes a replay of one channel and the snapshot of another that has gone too far', async () => {
    const { shown } = await loseOne(true, { replayLimit: 5 });
    for (let count = 20; count < 30; count++) all.store.dispatch(fast, print(`${count} `));
    all.store.delete('ahp-terminal:/other');
    await all.comeBack(client);
    const { channels } = all.asked.find(({ method }) => method === 'reconnect')?.result as PerChannelReconnectResult;
    assert.deepEqual(
      channels.map(({ channel, kind }) => [channel, kind]),
      [
        [ROOT_CHANNEL, 'replay'],
        [slow, 'replay'],
        [fast, 'snapshot'],
        ['ahp-terminal:/other', 'missing'],
      ],
    );
    assert.deepEqual(
      shown().map(([kind]) => kind),
      ['live', 'live', 'live', 'failed'],
    );
    assert.match(JSON.stringify(contents(shown)[2]), /29 /);
  });

  it('starts over where the answer has no known form', async () => {
    const { shown } = await loseOne(true);
    const { face } = all;
    const reconnect = face.reconnect.bind(face);
    face.reconnect = (...args) => {
      face.reconnect = reconnect;
      reconnect(...args);
      return { outcomes: [] } as never;
    };
    await all.comeBack(client);
    assert.deepEqual(
      all.asked.flatMap(({ method }) => (method === 'initialize' || method === 'reconnect' ? [method] : [])),
      ['initialize', 'reconnect', 'initialize'],
    );
    assert.deepEqual(contents(shown)[1], [{ type: 'unclassified', value: 'held back' }]);
  });
});
