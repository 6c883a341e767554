import assert from 'node:assert/strict';
import { eventually } from '../../../../test/fakes/eventually.ts';
import { FakeHost, sessionState } from '../../../../test/fakes/fakeHost.ts';
import { keptIn, MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import { memoryTransport } from '../../../../test/fakes/memoryTransport.ts';
import { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import { systemClock } from '../../../base/clock.ts';
import { Emitter } from '../../../base/event.ts';
import { nullLogger } from '../../../base/log.ts';
import { ModelHostSession } from '../hosted/modelHostSession.ts';
import { CallMemory } from '../storage/callMemory.ts';
import { ProviderMemory } from '../storage/providerMemory.ts';
import { TurnMemory } from '../storage/turnMemory.ts';
import { ToolSwitches } from '../tools/toolSwitches.ts';
import { SessionBridge } from './sessionBridge.ts';

const uri = 'demo:/1';

/** A session in which another client lends tools, and a call that this window has made before it was loaded again. */
function takenOver(): FakeHost {
  const host = new FakeHost();
  host.states.set(uri, sessionState(uri, 'A session'));
  const call = { turnId: 't', toolCallId: 'c' };
  for (const action of [
    { type: 'session/activeClientChanged', activeClient: { clientId: 'other', displayName: 'Other window', tools: [] } },
    { type: 'session/turnStarted', turnId: 't', userMessage: { text: 'go' } },
    { ...call, type: 'session/toolCallStart', toolName: 'work', displayName: 'Work', toolClientId: 'me' },
    { ...call, type: 'session/toolCallReady', invocationMessage: 'Works', toolInput: '{}', confirmed: 'not-needed' },
  ])
    host.emit({ session: uri, ...action } as never);
  return host;
}

describe('a call that is taken up in the session of another client', () => {
  type Dispatch = NonNullable<FakeHost['methods'][string]>;
  const refuse =
    (host: FakeHost): Dispatch =>
    ({ action, clientSeq }, { clientId }) =>
      void host.emit(action, { clientId, clientSeq }, 'only the active client may complete it');
  for (const [what, answer] of [
    ['takes', undefined],
    ['refuses', refuse],
    ['does not answer to', () => () => undefined],
  ] as const) {
    it(`keeps the session no longer than until there is a result, which the host ${what}`, async () => {
      const host = takenOver();
      const dispatch = host.methods['dispatchAction'] as Dispatch;
      const other = answer?.(host) ?? dispatch;
      host.methods['dispatchAction'] = (params, connection) =>
        ((params as { action: { type: string } }).action.type === 'session/toolCallComplete' ? other : dispatch)(params, connection);
      const storage = new MemoryStorage();
      const kept = keptIn(storage);
      const memory = new CallMemory(kept);
      await memory.sent({ session: 'key', chat: undefined, turnId: 't', callId: 'c' });
      const events = new Emitter<object>();
      let give: ((outcome: object) => void) | undefined;
      let hasEnded = false;
      const session = {
        ...{ id: 'session', update: async () => undefined, event: () => undefined },
        resume: () => new Promise((resolve) => (give = resolve)),
        end: async () => (hasEnded = true),
      };
      const owner = {
        ...{ state: { kind: 'connected' }, onEvent: events.event, onDidChangeState: new Emitter().event, notify: () => undefined },
        addSession() {
          const params = { sessionId: 'session', revision: 1, tools: [] };
          queueMicrotask(() => events.fire({ event: 'tools/changed', params }));
          return session;
        },
      };
      const client = AgentHostClient.create({ url: 'ws://h:1', clientId: 'me', transport: memoryTransport(host).transport });
      const bridge = new SessionBridge({
        ...{ key: 'key', sessionId: 'session', host: new ModelHostSession(client, uri), owner: owner as never, memory },
        switches: new ToolSwitches(storage),
        providerMemory: new ProviderMemory(kept),
        turnMemory: new TurnMemory(kept),
        traces: () => ({ isOn: false, hasContent: false }),
        ask: async () => ({ action: 'decline' }),
        ...{ clock: systemClock, logger: nullLogger },
      });
      try {
        await eventually(() => give !== undefined, 'the call');
        assert.ok(bridge.owned);
        give?.({ ok: true, data: 'done' });
        await eventually(() => hasEnded, 'the end at the gateway');
        assert.equal(bridge.owned, undefined);
      } finally {
        bridge.dispose();
        client.close();
      }
    });
  }
});
