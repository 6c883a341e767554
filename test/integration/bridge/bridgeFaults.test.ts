/** What may break in the middle of a call: the gateway, the window, the provider, the host. Each call ends, and none is made twice. */
import assert from 'node:assert/strict';
import type { ToolCallState } from '../../../src/ahp/v1/toolCall.ts';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import { MemoryStorage } from '../../fakes/memoryStorage.ts';
import { eventually } from '../../fakes/eventually.ts';
import { TestOwner } from '../gateway/gatewayHarness.ts';
import { BridgeTest, untilAnnounced, WAIT_MS } from './bridgeHarness.ts';
import { callsOf, type DemoConversation } from '../host/demoHarness.ts';

const work = { name: 'work', description: 'Works', parameters: { type: 'object' } };

describe('the bridge, when something breaks', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  let chat: DemoConversation;
  let worker: ProviderHandle;
  let calls: { end(value: unknown): void; progress(message: string): void; signal: AbortSignal }[];

  beforeEach(async () => {
    test = new BridgeTest();
    await test.start();
    calls = [];
    chat = await test.session({ config: { approvals: 'auto' } });
    worker = test.provider('worker', {
      tools: [work],
      session: 'all',
      onToolCall: ({ signal, progress }) => new Promise((end) => calls.push({ end, signal, progress })),
    });
    await untilAnnounced(chat, 'work');
  });
  afterEach(() => test.stop());

  const called = (count: number) => eventually(() => calls.length === count, `call ${count}`, WAIT_MS);
  const callOf = async (turnId: string): Promise<ToolCallState & { status: 'completed' }> => {
    const [call] = callsOf((await chat.ended(turnId)).responseParts);
    assert.ok(call?.status === 'completed', call?.status);
    return call as ToolCallState & { status: 'completed' };
  };

  it('ends a call whose gateway is killed, and is well again by itself', async () => {
    const turn = await chat.send('client work');
    await called(1);
    const { state: before } = worker;
    await test.killGateway();
    const call = await callOf(turn);
    assert.deepEqual([call.success, call.error?.code], [false, 'DISCONNECTED']);
    assert.match(call.error?.message ?? '', /gateway was lost .* Whether the call has had an effect is not known/);
    // Until the provider has found the new gateway, its tool is lent to nobody.
    await eventually(() => worker.state.kind === 'bound' && worker.state !== before, 'the provider is back', WAIT_MS);
    await untilAnnounced(chat, 'work');
    const again = await chat.send('client work');
    await called(2);
    calls[1]?.end('done');
    assert.equal((await callOf(again)).success, true);
  });

  it('waits with a new call for the gateway that is being started', async () => {
    await test.killGateway();
    const turn = await chat.send('client work');
    await called(1);
    calls[0]?.end('done');
    assert.equal((await callOf(turn)).success, true);
  });

  /** The window is loaded again: with its connections, and as the same client. */
  async function reload(whileAway: () => unknown = () => undefined): Promise<void> {
    const { storage } = test.window;
    test.window.close();
    await whileAway();
    test.window = await test.openWindow(storage);
  }
  const next = async (): Promise<void> => {
    await untilAnnounced(chat, 'work');
    const count = calls.length;
    const turn = await chat.send('client work');
    await called(count + 1);
    calls[count]?.end('done');
    assert.equal((await callOf(turn)).success, true);
  };

  it('takes up a call of a window that is loaded again in the middle of it, and does not repeat it', async () => {
    const turn = await chat.send('client work');
    await called(1);
    calls[0]?.progress('half');
    await reload();
    await chat.until('the progress of before', ({ activeTurn }) => JSON.stringify(activeTurn ?? {}).includes('half'));
    calls[0]?.progress('nearly');
    await chat.until('the progress of now', ({ activeTurn }) => JSON.stringify(activeTurn ?? {}).includes('nearly'));
    calls[0]?.end('the answer');
    assert.deepEqual((await callOf(turn)).content, [{ type: 'text', text: 'the answer' }]);
    assert.equal(calls.length, 1);
    await next();
  });

  /** Another client ends the turn while the window is away. */
  async function reloadStopped(whileAway?: () => void): Promise<void> {
    const turn = await chat.send('client work');
    await called(1);
    await reload(async () => {
      await chat.dispatch({ type: 'session/turnCancelled', turnId: turn });
      assert.equal(chat.state.activeTurn, undefined);
      assert.equal(calls[0]?.signal.aborted, false);
      whileAway?.();
    });
    await eventually(() => calls[0]?.signal.aborted, 'the provider is told', WAIT_MS);
    await next();
  }

  it('cancels at the provider what was stopped while the window was away', () => reloadStopped());

  it('cancels it also when the window learns of the stop before it has reached the gateway', () =>
    reloadStopped(() => {
      const { storage } = test.window;
      const find = test.daemon.find.bind(test.daemon);
      test.daemon.find = async () => {
        await eventually(() => JSON.stringify(storage.get('tapline.clientToolCalls')) === '{}', 'the call is forgotten', WAIT_MS);
        return find();
      };
    }));

  it('hands over what the tool answered while the window was away', async () => {
    const turn = await chat.send('client work');
    await called(1);
    await reload(async () => {
      const watching = new TestOwner(async () => test.gateway);
      await watching.connected();
      calls[0]?.end('the answer');
      const ended = async () => (await watching.client.request('diagnostics', {})).calls.length === 0;
      while (!(await ended()));
      watching.dispose();
    });
    assert.deepEqual((await callOf(turn)).content, [{ type: 'text', text: 'the answer' }]);
    assert.equal(calls.length, 1);
    await next();
  });

  it('runs a call that was approved while the window was away once it is back', async () => {
    const asking = await test.session();
    await untilAnnounced(asking, 'work');
    const turn = await asking.send('client work');
    await asking.call('pending-confirmation');
    const { storage } = test.window;
    test.window.close();
    await asking.confirm({ approved: true });
    await asking.call('running');
    test.window = await test.openWindow(storage);
    test.window.look(asking.uri);
    await called(1);
    calls[0]?.end('the answer');
    const [call] = callsOf((await asking.ended(turn)).responseParts);
    assert.ok(call?.status === 'completed' && call.success, JSON.stringify(call));
  });

  it('leaves a call to the window that makes it, where another one shares its storage', async () => {
    const turn = await chat.send('client work');
    await called(1);
    const twin = await test.openWindow(test.window.storage);
    assert.notEqual(twin.client.clientId, test.window.client.clientId);
    twin.look(chat.uri);
    await twin.lending(chat.uri, 'otherClient');
    calls[0]?.end('the answer');
    assert.deepEqual((await callOf(turn)).content, [{ type: 'text', text: 'the answer' }]);
    assert.equal(calls.length, 1);
  });

  it('hands over what the tool had answered when the window was loaded again', async () => {
    const turn = await chat.send('client work');
    await called(1);
    // The host stands still, so the result cannot be taken.
    process.kill(test.runningHost.pid, 'SIGSTOP');
    try {
      calls[0]?.end('the answer');
      await eventually(() => JSON.stringify(test.window.storage.get('tapline.clientToolCalls')).includes('the answer'), 'it is kept');
      test.window.reload();
    } finally {
      process.kill(test.runningHost.pid, 'SIGCONT');
    }
    assert.deepEqual((await callOf(turn)).content, [{ type: 'text', text: 'the answer' }]);
    assert.equal(calls.length, 1);
  });

  it('leaves no call open when the window goes for good, and forgets it', async () => {
    const other = await test.openWindow(new MemoryStorage());
    const theirs = await test.session({ config: { approvals: 'auto' } }, other);
    await untilAnnounced(theirs, 'work');
    await theirs.send('client work');
    await called(1);
    other.close();
    await eventually(() => calls[0]?.signal.aborted, 'the provider is told', WAIT_MS);
    await eventually(
      () => callsOf(theirs.state.turns[0]?.responseParts)[0]?.status === 'completed',
      'the host has ended the call',
      WAIT_MS,
    );
  });
});
