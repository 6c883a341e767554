/** Everything that takes part in a call is killed in every phase of it. The call ends with something to read, it is made once at most, and the next one works. */
import assert from 'node:assert/strict';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import { eventually } from '../../fakes/eventually.ts';
import { BridgeTest, untilAnnounced, WAIT_MS } from './bridgeHarness.ts';
import { reached } from '../gateway/gatewayHarness.ts';
import { callsOf, type DemoConversation } from '../host/demoHarness.ts';

const work = { name: 'work', description: 'Works', parameters: { type: 'object' } };

/** `waits`: for the user. `runs`: the tool works. `reports`: it has told progress. `answers`: its result is on the way. */
const phases = ['waits', 'runs', 'reports', 'answers'] as const;
const victims = ['gateway', 'provider', 'window', 'host'] as const;

describe('a call, whatever is killed', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  let provider: ProviderHandle;
  let chat: DemoConversation;
  let calls: { n: unknown; end(value: unknown): void; progress(message: string): void; signal: AbortSignal }[];

  const startProvider = () =>
    test.provider('worker', {
      tools: [work],
      session: 'all',
      onToolCall: ({ args: { n }, progress, signal }) => new Promise((end) => calls.push({ n, end, progress, signal })),
    });

  beforeEach(async () => {
    calls = [];
    test = new BridgeTest();
    await test.start();
    chat = await test.session();
    provider = startProvider();
    await untilAnnounced(chat, 'work');
  });
  afterEach(() => test.stop());

  /** What is announced may be of before: an approval counts only once the window knows the provider again. */
  async function offered(): Promise<void> {
    const isOffered = () => {
      const { isAtGateway, offered: tools } = test.window.session(chat.uri);
      return isAtGateway && tools.some(({ name }) => name === 'work');
    };
    await eventually(isOffered, 'the tool', WAIT_MS);
    await untilAnnounced(chat, 'work');
  }

  async function kill(victim: (typeof victims)[number]): Promise<void> {
    switch (victim) {
      case 'gateway':
        return test.killGateway();
      case 'provider':
        provider.close();
        provider = startProvider();
        // Until then the next call might be made at the one that goes.
        return reached(provider, 'bound');
      case 'window': {
        const { storage } = test.window;
        test.window.close();
        test.window = await test.openWindow(storage);
        test.window.look(chat.uri);
        return;
      }
      case 'host': {
        const away = new Promise<void>((resolve) =>
          test.window.client.onDidChangeState(({ kind }) => kind === 'reconnecting' && resolve()),
        );
        await test.killHost();
        await away;
        test.window.client.reconnectNow();
        chat = test.watch(chat.uri, 1);
      }
    }
  }

  for (const victim of victims) {
    for (const phase of phases) {
      it(`ends when the ${victim} is killed while it ${phase}`, async () => {
        const turnId = await chat.send('client work {"n":1}');
        await chat.call('pending-confirmation');
        if (phase !== 'waits') {
          await chat.confirm({ approved: true });
          await eventually(() => calls.length === 1, 'the call', WAIT_MS);
        }
        if (phase === 'reports') {
          calls[0]?.progress('half');
          await chat.until('the progress', ({ activeTurn }) => {
            const [call] = callsOf(activeTurn?.responseParts);
            return call?.status === 'running' && call.content;
          });
        }
        if (phase === 'answers') calls[0]?.end('worked');
        await kill(victim);

        const isOver = () => chat.subscription.state?.turns.some(({ id }) => id === turnId);
        await eventually(() => isOver() || chat.subscription.status.kind === 'live', 'the session', WAIT_MS);
        const waiting = () => callsOf(chat.state.activeTurn?.responseParts)[0]?.status === 'pending-confirmation';
        if (phase === 'waits' && !isOver() && waiting()) {
          await offered();
          await chat.confirm({ approved: true });
          // Where the host or the window took the call along, nothing is left to approve.
          await eventually(() => calls.length === 1 || isOver(), 'the call or its end', WAIT_MS);
          calls[0]?.end('worked');
        }
        // The window that was loaded again is the same one, and the call goes on.
        if (victim === 'window' && phase !== 'waits') {
          assert.ok(phase === 'answers' || !isOver());
          calls[0]?.end('worked');
        }
        await eventually(isOver, 'the end of the turn', WAIT_MS);
        const [call] = callsOf(chat.subscription.state?.turns.find(({ id }) => id === turnId)?.responseParts);
        assert.ok(call?.status === 'completed' || call?.status === 'cancelled', call?.status);
        if (victim === 'window') assert.ok(call.status === 'completed' && call.success, JSON.stringify(call));
        if (call.status === 'completed' && !call.success) assert.ok(call.error?.message);
        assert.ok(calls.length <= 1, 'it was made once at most');
        if (phase !== 'answers' && !(call.status === 'completed' && call.success)) {
          await eventually(() => calls.every(({ signal }) => signal.aborted), 'the provider is told', WAIT_MS);
        }

        await offered();
        const next = await chat.send('client work {"n":2}');
        await chat.confirm({ approved: true });
        await eventually(() => calls.at(-1)?.n === 2, 'the next call', WAIT_MS);
        calls.at(-1)?.end('worked again');
        const [second] = callsOf((await chat.ended(next)).responseParts);
        assert.ok(second?.status === 'completed' && second.success, JSON.stringify(second));
        assert.equal(calls.filter(({ n }) => n === 2).length, 1);
      });
    }
  }
});
