import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { channelChat, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { FakeHost, sessionState } from '../../../test/fakes/fakeHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { gestureOf } from '../../../test/support/gestureOf.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { channelReducers } from '../channels/channelReducers.ts';
import type { ChatState } from '../channels/chat/state.ts';
import type { ActionLike } from '../common/reducers/reducer.ts';
import type { StateAction } from '../v1/actions.ts';
import { reduceAll, reducerFor } from '../v1/reducers/reduceAll.ts';
import type { SessionState } from '../v1/session.ts';
import { AgentHostClient } from './agentHostClient.ts';
import type { ClientAction } from './model/resourceModel.ts';
import type { Settlement } from './resources/subscription.ts';
import { whenLive } from './resources/whenLive.ts';
import { runs } from '../../../test/support/runs.ts';

const uri = 'demo:/1';
const messageOf = (text: string) => ({ text, origin: { kind: 'user' as const } });

/** A host of one dialect with one resource that holds a conversation, and what can be done to it. */
interface Dialect {
  create(): FakeHost;
  readonly actions: readonly ((text: string) => ActionLike)[];
  emit(host: FakeHost, action: ActionLike): void;
  /** In the words of the newest dialect. */
  gesture(action: ActionLike): ClientAction;
  reduce(state: object, actions: readonly ActionLike[], now: number): object;
}

const v1: Dialect = {
  create: () => {
    const host = new FakeHost();
    host.states.set(uri, sessionState(uri));
    return host;
  },
  actions: [
    (title) => ({ type: 'session/titleChanged', session: uri, title }),
    (turnId) => ({ type: 'session/turnStarted', session: uri, turnId, userMessage: { text: turnId } }),
    (id) => ({ type: 'session/pendingMessageSet', session: uri, kind: 'queued', id, userMessage: { text: id } }),
    (id) => ({ type: 'session/pendingMessageRemoved', session: uri, kind: 'queued', id }),
    (turnId) => ({ type: 'session/turnCancelled', session: uri, turnId }),
  ] satisfies ((text: string) => StateAction)[],
  emit: (host, action) => void host.emit(action as StateAction),
  gesture: (action) => gestureOf(action as StateAction),
  reduce: (state, actions, now) => reduceAll(reducerFor(uri), state as SessionState, actions as readonly StateAction[], now),
};

const channels: Dialect = {
  create: () => {
    const host = new FakeChannelHost();
    host.put(uri, channelChat(uri));
    return host;
  },
  actions: [
    (text) => ({ type: 'chat/draftChanged', draft: messageOf(text) }),
    (turnId) => ({ type: 'chat/turnStarted', turnId, startedAt: '2026-01-01T00:00:00Z', message: messageOf(turnId) }),
    (id) => ({ type: 'chat/pendingMessageSet', kind: 'queued', id, message: messageOf(id) }),
    (id) => ({ type: 'chat/pendingMessageRemoved', kind: 'queued', id }),
    (turnId) => ({ type: 'chat/turnCancelled', turnId, duration: 1 }),
  ] satisfies ((text: string) => ClientAction)[],
  emit: (host, action) => void host.emit(action as StateAction, undefined, undefined, uri),
  gesture: (action) => action as ClientAction,
  reduce: (state, actions, now) => reduceAll(channelReducers.chat, state as ChatState, actions, now),
};

const anyAction = fc.tuple(fc.nat(4), fc.constantFrom('a', 'b', 'c'));

type Step =
  | { do: 'host' | 'dispatch'; action: [kind: number, text: string] }
  | { do: 'refuseNext' | 'drop' | 'dropInFlight' | 'restart' | 'restartUnseen' | 'settle' | 'sendAgain' | 'discard' };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('host' as const, 'dispatch' as const), action: anyAction }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('refuseNext', 'drop', 'dropInFlight', 'restart', 'restartUnseen', 'settle', 'sendAgain', 'discard'),
    }) as fc.Arbitrary<Step>,
  },
);

/** `modifiedAt` is each side's own clock. */
function withoutClock(state: object | undefined): object | undefined {
  const { summary } = (state ?? {}) as { summary?: object };
  return state && { ...state, modifiedAt: 0, ...(summary && { summary: { ...summary, modifiedAt: 0 } }) };
}

for (const [name, dialect] of Object.entries({ v1, channels })) {
  describe(`The client, whatever happens, with a host of ${name}`, () => {
    it('ends with the host’s state, nothing pending, every outcome said, and a copy by events that is the same', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), fc.boolean(), async (steps, answersWithSnapshots) => {
          const host = dialect.create();
          const actionOf = ([kind, text]: [number, string]) => dialect.actions[kind]?.(text) as ActionLike;
          if (answersWithSnapshots) {
            host.methods['reconnect'] = ({ clientId, subscriptions }, connection) => {
              connection.clientId = clientId;
              return { type: 'snapshot', snapshots: (subscriptions as string[]).map((uri) => host.subscribe(uri, connection)) };
            };
          }
          let isForgotten = false;
          const resume = host.methods['reconnect'];
          host.methods['reconnect'] = (params, connection) => {
            if (!isForgotten) return resume?.(params, connection);
            isForgotten = false;
            throw new RpcError(-32008, 'who are you');
          };
          const echo = host.methods['dispatchAction'];
          let refusals = 0;
          host.methods['dispatchAction'] = (params, connection) => {
            if (refusals === 0) return echo?.(params, connection);
            refusals--;
            host.emit(params.action, { clientId: connection.clientId, clientSeq: params.clientSeq }, 'refused', params.channel);
          };

          const memory = memoryTransport(host);
          const client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memory.transport, clock: new FakeClock() });
          const comeBack = async () => {
            await atRest();
            client.reconnectNow();
            await eventually(() => client.state.kind === 'connected', 'the return');
            await atRest();
          };
          try {
            const subscription = client.chat(uri);
            const words = () => subscription.mirrored.confirmed;
            await whenLive(subscription);
            let copy = words() as object;
            subscription.onDidChange((change) => {
              if (change.kind === 'snapshot') copy = words() as object;
              else if (change.kind === 'actions') copy = dialect.reduce(copy, change.actions, change.now);
            });
            const outcomes: Promise<Settlement>[] = [];
            for (const step of steps) {
              switch (step.do) {
                case 'host':
                  dialect.emit(host, actionOf(step.action));
                  break;
                case 'dispatch':
                  outcomes.push(subscription.perform(dialect.gesture(actionOf(step.action))).settled);
                  break;
                case 'refuseNext':
                  refusals++;
                  break;
                case 'drop':
                  await atRest();
                  memory.line.drop();
                  break;
                case 'dropInFlight':
                  memory.line.drop();
                  break;
                case 'restart':
                  memory.line.drop();
                  host.serverSeq = 1;
                  host.log = [];
                  isForgotten = true;
                  break;
                case 'restartUnseen': {
                  // As real hosts: it knows everybody, has nothing to replay, and its numbers have passed the old ones.
                  memory.line.drop();
                  host.serverSeq += 1_000;
                  host.log = [];
                  const { turns, activeTurn: _lost, ...state } = host.states.get(uri) as SessionState;
                  host.states.set(uri, { ...state, turns: turns.map((turn) => ({ ...turn, id: `${host.serverSeq}:${turn.id}` })) });
                  break;
                }
                case 'sendAgain':
                case 'discard':
                  for (const { clientSeq, outcome } of subscription.pending) {
                    const again = outcome && client.resolveUnknown(uri, clientSeq, step.do);
                    if (again) outcomes.push(again.settled);
                  }
                  break;
                case 'settle':
                  await comeBack();
              }
            }
            await comeBack();
            await Promise.all(outcomes);
            assert.equal(subscription.status.kind, 'live');
            for (const { clientSeq, action, outcome } of subscription.pending) {
              assert.equal(outcome, 'unknown', action.type);
              client.resolveUnknown(uri, clientSeq, 'discard');
            }
            assert.deepEqual(subscription.pending, []);
            assert.deepEqual(withoutClock(words()), withoutClock(host.states.get(uri)));
            assert.equal(subscription.state, subscription.confirmed);
            await atRest();
            assert.deepEqual(copy, words());
          } finally {
            client.close();
          }
        }),
        { numRuns: runs(200) },
      );
    }).timeout(30_000);
  });
}
