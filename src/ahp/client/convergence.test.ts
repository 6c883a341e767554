import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { FakeHost, sessionState } from '../../../test/fakes/fakeHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { StateAction } from '../v1/actions.ts';
import { reduceAll, reducerFor } from '../v1/reducers/reduceAll.ts';
import type { SessionState } from '../v1/session.ts';
import { AgentHostClient } from './agentHostClient.ts';
import type { Settlement } from './resources/subscription.ts';
import { whenLive } from './resources/whenLive.ts';

const session = 'demo:/1';
const actions: readonly ((text: string) => StateAction)[] = [
  (title) => ({ type: 'session/titleChanged', session, title }),
  (turnId) => ({ type: 'session/turnStarted', session, turnId, userMessage: { text: turnId } }),
  (id) => ({ type: 'session/pendingMessageSet', session, kind: 'queued', id, userMessage: { text: id } }),
  (id) => ({ type: 'session/pendingMessageRemoved', session, kind: 'queued', id }),
  (turnId) => ({ type: 'session/turnCancelled', session, turnId }),
];
const anyAction = fc.tuple(fc.nat(actions.length - 1), fc.constantFrom('a', 'b', 'c')).map(([kind, text]) => actions[kind]!(text));

type Step =
  | { do: 'host' | 'dispatch'; action: StateAction }
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
const withoutClock = (state: SessionState | undefined) => state && { ...state, summary: { ...state.summary, modifiedAt: 0 } };

describe('The client, whatever happens', () => {
  it('ends with the host’s state, nothing pending, every outcome said, and a copy by events that is the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), fc.boolean(), async (steps, answersWithSnapshots) => {
        const host = new FakeHost();
        host.states.set(session, sessionState(session));
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
          host.emit(params.action, { clientId: connection.clientId, clientSeq: params.clientSeq }, 'refused');
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
          const subscription = client.subscribeSession(session);
          let copy = await whenLive(subscription);
          subscription.onDidChange((change) => {
            if (change.kind === 'snapshot') copy = subscription.confirmed as SessionState;
            else if (change.kind === 'actions') copy = reduceAll(reducerFor(session), copy, change.actions, change.now) as SessionState;
          });
          const outcomes: Promise<Settlement>[] = [];
          for (const step of steps) {
            switch (step.do) {
              case 'host':
                host.emit(step.action);
                break;
              case 'dispatch':
                outcomes.push(client.dispatch(session, step.action).settled);
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
                const { turns, activeTurn: _lost, ...state } = host.states.get(session) as SessionState;
                host.states.set(session, { ...state, turns: turns.map((turn) => ({ ...turn, id: `${host.serverSeq}:${turn.id}` })) });
                break;
              }
              case 'sendAgain':
              case 'discard':
                for (const { clientSeq, outcome } of subscription.pending) {
                  const again = outcome && client.resolveUnknown(session, clientSeq, step.do);
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
            client.resolveUnknown(session, clientSeq, 'discard');
          }
          assert.deepEqual(subscription.pending, []);
          assert.deepEqual(withoutClock(subscription.confirmed), withoutClock(host.states.get(session) as SessionState));
          assert.equal(subscription.state, subscription.confirmed);
          await atRest();
          assert.deepEqual(copy, subscription.confirmed);
        } finally {
          client.close();
        }
      }),
      { numRuns: 200 },
    );
  }).timeout(30_000);
});
