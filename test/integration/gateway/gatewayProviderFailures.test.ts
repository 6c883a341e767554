/** The provider SDK against other servers: another version, silence, nonsense. */
import assert from 'node:assert/strict';
import { WebSocket, WebSocketServer } from 'ws';
import { createProvider } from '../../../src/tap/provider/providerNode.ts';
import { PROTOCOL_VERSION } from '../../../src/tap/wire/limits.ts';
import { connectProvider } from '../../../src/tap/provider/provider.ts';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import { eventually } from '../../fakes/eventually.ts';
import { reached } from './gatewayHarness.ts';

describe('provider SDK with other servers', () => {
  let errors: Error[];
  const handles: ProviderHandle[] = [];
  let server: WebSocketServer;
  let connections: number;
  /** Its answers by message type; other messages get none. */
  let answers: Record<string, object>;
  const sessions = { type: 'sessions', active: [{ id: 'a', label: 'a' }] };
  const ack = { type: 'hello.ack', protocolVersion: PROTOCOL_VERSION, providerId: 'p' };
  beforeEach(async () => {
    connections = 0;
    errors = [];
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    server.on('connection', (socket) => {
      connections++;
      socket.on('message', (data) => {
        const answer = answers[(JSON.parse(String(data)) as { type: string }).type];
        if (answer) socket.send(JSON.stringify(answer));
      });
    });
  });
  afterEach(async () => {
    for (const handle of handles.splice(0)) handle.close();
    for (const socket of server.clients) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  const connect = (opened: (socket: WebSocket) => void = () => undefined) => {
    const { port } = server.address() as { port: number };
    const handle = connectProvider('sdk', {
      tools: [],
      connect: () => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}`);
        opened(socket);
        return { socket, token: 'x' };
      },
      onError: (error) => errors.push(error),
    });
    handles.push(handle);
    return handle;
  };
  it('reads no message that is larger than a gateway may send', async () => {
    const { port } = server.address() as { port: number };
    answers = { auth: { ...sessions, filler: 'x'.repeat(3 * 1024 * 1024) } };
    const handle = createProvider('sdk', { url: `ws://127.0.0.1:${port}`, token: 'x', onError: (error) => errors.push(error) });
    handles.push(handle);
    await eventually(() => errors.some(({ message }) => /Max payload size exceeded/.test(message)), 'the refusal');
    answers = { auth: { ...sessions, filler: 'x'.repeat(1024 * 1024) }, hello: ack };
    await reached(handle, 'bound');
  });

  /** Shortens the SDK's timeout for an answer. */
  const withoutPatience = async (run: () => Promise<void>) => {
    const real = globalThis.setTimeout;
    const hurried = (call: () => void, ms?: number) => real(call, ms === 10_000 ? 100 : ms);
    globalThis.setTimeout = hurried as typeof setTimeout;
    try {
      await run();
    } finally {
      globalThis.setTimeout = real;
    }
  };

  it('closes for good when the gateway has another protocol version', async () => {
    answers = { auth: sessions, hello: { type: 'error', code: 'UNSUPPORTED_VERSION', message: 'it is 3 here', replyTo: 'hello' } };
    await reached(connect(), 'closed');
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['UNSUPPORTED_VERSION: it is 3 here'],
    );
  });

  it('can be closed at any moment, also before the connection is open', async () => {
    answers = { auth: sessions };
    const moments: (() => Promise<unknown>)[] = [
      async () => undefined,
      () => new Promise((done) => process.nextTick(done)),
      () => Promise.resolve(),
      () => new Promise((done) => setImmediate(done)),
      ...[1, 2, 5, 10].map((ms) => () => new Promise((done) => setTimeout(done, ms))),
    ];
    // An error that nobody listens for ends the process, and fails this test.
    for (const moment of moments) {
      let socket: WebSocket | undefined;
      const handle = connect((opened) => (socket = opened));
      await moment();
      handle.close();
      assert.equal(handle.state.kind, 'closed');
      await eventually(() => socket?.readyState === WebSocket.CLOSED, 'the end of its socket');
    }
    assert.deepEqual(errors, []);
  });

  it('disconnects from one that does not answer, and tries again', async () => {
    for (const [said, silentOn] of [
      [{}, 'auth'],
      [{ auth: sessions }, 'hello'],
    ] as const) {
      answers = said;
      connections = 0;
      errors.length = 0;
      await withoutPatience(async () => {
        const handle = connect();
        const isTold = () => errors.some((error) => String(error).startsWith('TimeoutError') && error.message.includes(`\`${silentOn}\``));
        await eventually(isTold, `an error about ${silentOn}`, 15_000);
        const before = connections;
        await eventually(() => connections > before, 'another connection');
        handle.close();
      });
    }
  });

  it('reconnects when it was closed, reports why, and waits longer while connections do not last', async () => {
    answers = { auth: sessions, hello: { type: 'hello.ack', protocolVersion: 2, providerId: 'p', sessionId: 'a' } };
    const waits: number[] = [];
    const real = globalThis.setTimeout;
    globalThis.setTimeout = ((call: () => void, ms = 0) => {
      const isBackoff = new Error().stack?.includes('#later') ?? false;
      if (isBackoff) waits.push(ms);
      return real(call, isBackoff ? 0 : ms);
    }) as typeof setTimeout;
    try {
      const handle = connect();
      for (const [code, reason] of [
        [4002, 'too much is waiting to be read'],
        [4004, 'it does not answer pings'],
        [4005, 'far too many messages'],
        [4005, 'far too many messages'],
      ] as const) {
        await reached(handle, 'bound');
        for (const socket of server.clients) socket.close(code, reason);
        await reached(handle, 'disconnected');
      }
      await reached(handle, 'bound');
    } finally {
      globalThis.setTimeout = real;
    }
    assert.deepEqual(
      errors.map(({ message }) => message),
      [
        'the gateway has closed the connection (4002): too much is waiting to be read',
        'the gateway has closed the connection (4004): it does not answer pings',
        'the gateway has closed the connection (4005): far too many messages',
        'the gateway has closed the connection (4005): far too many messages',
      ],
    );
    for (const [at, most] of [500, 1000, 2000, 4000].entries())
      assert.ok(waits[at] !== undefined && waits[at] >= most / 2 && waits[at] <= most, `${at}: ${waits.join()}`);
  });

  it('reports once that it waits, however often the list arrives', async () => {
    answers = { auth: { type: 'sessions', active: [] }, hello: { type: 'hello.ack', protocolVersion: 2, providerId: 'p', sessionId: 'a' } };
    const handle = connect();
    const states: string[] = [];
    handle.onDidChangeState(({ kind }) => states.push(kind));
    await reached(handle, 'waiting for a session');
    for (const list of [answers.auth, sessions]) for (const socket of server.clients) socket.send(JSON.stringify(list));
    await reached(handle, 'bound');
    assert.deepEqual(states, ['waiting for a session', 'bound']);
  });

  it('limits the wait for the answer to an update', async () => {
    answers = { auth: sessions, hello: { type: 'hello.ack', protocolVersion: 2, providerId: 'p', sessionId: 'a' } };
    const handle = connect();
    await reached(handle, 'bound');
    await withoutPatience(() => assert.rejects(handle.updateTools([{ name: 'greet' }]), /TimeoutError: the answer to tools.update/));
    assert.equal(handle.state.kind, 'bound');
  });

  it('reports messages that it cannot read, and continues', async () => {
    answers = { auth: { type: 'sessions', active: [{ id: 7 }] }, hello: { type: 'of tomorrow' } };
    const handle = connect();
    await eventually(() => errors.length, 'an error');
    assert.match(String(errors[0]), /a message of the gateway: active\[0\]\.id: /);
    for (const socket of server.clients) socket.send(JSON.stringify(sessions));
    await reached(handle, 'waiting for a session');
    for (const socket of server.clients) socket.send('{"type":"hello.ack","protocolVersion":2,"providerId":"p","sessionId":"a"}');
    await reached(handle, 'bound');
  });
});
