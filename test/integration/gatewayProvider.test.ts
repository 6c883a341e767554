/** The provider SDK against a real gateway. */
import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { withTimeout } from '../../src/base/errors.ts';
import { connectProvider, type ProviderHandle, type ProviderOptions, type ProviderState, ToolError } from '../../src/tap/provider.ts';
import { TestGateway, type TestOwner } from './gatewayHarness.ts';

const greet = { name: 'greet', description: 'x', parameters: {} };

describe('provider SDK', () => {
  let test: TestGateway;
  let owner: TestOwner;
  const handles: ProviderHandle[] = [];
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
  });
  afterEach(async () => {
    for (const handle of handles.splice(0)) handle.close();
    await test.stop();
  });
  const create = (options: Partial<ProviderOptions> = {}) => {
    const connect = () => ({ socket: new WebSocket(test.server.url), token: test.server.gateway.grants.fileToken });
    const handle = connectProvider('sdk', { connect, onError: () => undefined, ...options });
    handles.push(handle);
    return handle;
  };
  const reached = (handle: ProviderHandle, kind: ProviderState['kind']) =>
    withTimeout(
      new Promise<void>((resolve) => {
        handle.onDidChangeState((state) => state.kind === kind && resolve());
        if (handle.state.kind === kind) resolve();
      }),
      5000,
      `the provider: ${kind}`,
    );

  it('answers calls, reports progress, fails with codes, and waits for a session', async () => {
    const handle = create({
      tools: [greet],
      onToolCall: ({ args, progress }) => {
        progress('thinking');
        if (args.fail) throw new ToolError('NOT_FOUND', 'nobody of this name');
        return args.nothing ? undefined : `Hello, ${args.name}!`;
      },
    });
    await reached(handle, 'waiting for a session');
    const session = await owner.session('a');
    await owner.tools('a', ['greet']);
    assert.deepEqual(await session.call('greet', { name: 'Alice' }), { ok: true, data: 'Hello, Alice!' });
    assert.equal((await owner.next('tool/progress')).message, 'thinking');
    assert.deepEqual(await session.call('greet', { nothing: true }), { ok: true, data: null });
    const failed = await session.call('greet', { fail: true });
    assert.ok(!failed.ok && failed.errorCode === 'NOT_FOUND');
  });

  it('hands a cancel on as an AbortSignal', async () => {
    const session = await owner.session('a');
    let aborted: unknown;
    create({
      tools: [greet],
      onToolCall: ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve((aborted = signal.reason)))),
    });
    await owner.tools('a', ['greet']);
    const controller = new AbortController();
    const outcome = session.call('greet', {}, controller.signal);
    await owner.client.request('diagnostics', {}); // the call has gone out
    controller.abort('stop');
    const cancelled = await outcome;
    assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');
    await owner.client.request('diagnostics', {});
    await withTimeout(
      (async () => {
        while (!aborted) await new Promise(setImmediate);
      })(),
      5000,
      'the abort',
    );
    assert.match(String(aborted), /stop/);
  });

  it('updates tools, pushes, queries, gates and transforms', async () => {
    const session = await owner.session('a');
    const token = await session.issueToken();
    const handle = create({
      connect: () => ({ socket: new WebSocket(test.server.url), token }),
      hooks: { onPreToolUse: [{ match: {}, action: 'gate', gateId: 'g' }], transforms: { s: { action: 'callback' } } },
      onGate: ({ tool }) => ({ decision: tool === 'bad' ? 'deny' : 'allow', reason: 'because' }),
      onTransform: ({ current }) => `${current}!`,
    });
    await reached(handle, 'bound');
    await handle.updateTools([greet]);
    await owner.tools('a', ['greet']);
    await handle.updateTools([{ name: 'more' }], []);
    await owner.tools('a', ['greet', 'more']);
    await assert.rejects(handle.updateTools([{ name: 'no good' }]), /INVALID_JSON/);
    handle.push({ level: 'surface', event: 'seen' });
    assert.equal((await owner.next('push/surfaced')).event, 'seen');
    assert.equal((await handle.queryStreams(['sdk']))['sdk@sdk']?.[0]?.event, 'seen');
    assert.equal((await session.evaluateHooks('bad', {})).decision, 'deny');
    assert.equal((await session.evaluateHooks('good', {})).decision, 'allow');
    assert.equal((await session.evaluateTransforms({ s: 'hi' })).sections[0]?.content, 'hi!');
  });

  it('comes back after the gateway has gone, with the tools as they were last', async () => {
    await owner.session('a');
    let server = test.server;
    const handle = create({ connect: () => ({ socket: new WebSocket(server.url), token: server.gateway.grants.fileToken }) });
    await reached(handle, 'bound');
    await handle.updateTools([greet]);
    const next = new TestGateway();
    await next.start();
    await test.server.close(0);
    server = next.server;
    const other = await next.owner();
    await other.session('b');
    await other.tools('b', ['greet']);
    handle.close();
    await next.stop();
  });

  it('cleans up at the end of its session and takes the next', async () => {
    const session = await owner.session('a');
    const ended: string[] = [];
    create({ tools: [greet], onShutdown: (id) => ended.push(id) });
    await owner.tools('a', ['greet']);
    await session.end();
    assert.deepEqual(ended, ['a']);
    await owner.session('b');
    await owner.tools('b', ['greet']);
  });

  it('pairs by the code that the user types, with another try after a wrong one', async () => {
    await owner.session('a');
    let asked = 0;
    const handle = create({
      connect: () => ({ socket: new WebSocket(test.server.url, { headers: { Origin: 'http://page.example' } }) }),
      tools: [greet],
      instance: 'tab',
      onPairing: async () => {
        const { code } = await owner.next('pairing/started');
        return ++asked === 1 ? String((Number(code) + 1) % 1_000_000).padStart(6, '0') : code;
      },
    });
    await reached(handle, 'bound');
    assert.equal(asked, 2);
    await owner.tools('a', ['greet']);
  });
});
