/** The provider SDK against what is no gateway of ours: another version, silence, nonsense. */
import assert from 'node:assert/strict';
import { WebSocket, WebSocketServer } from 'ws';
import { connectProvider } from '../../src/tap/provider.ts';
import type { ProviderHandle } from '../../src/tap/providerApi.ts';
import { eventually } from '../fakes/eventually.ts';
import { reached } from './gatewayHarness.ts';

describe('provider SDK with something that is no gateway of ours', () => {
  let errors: Error[];
  const handles: ProviderHandle[] = [];
  let server: WebSocketServer;
  let connections: number;
  /** What it says to a message of each type; nothing to others. */
  let answers: Record<string, object>;
  const sessions = { type: 'sessions', active: [{ id: 'a', label: 'a' }] };
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
  const connect = () => {
    const { port } = server.address() as { port: number };
    const handle = connectProvider('sdk', {
      tools: [],
      connect: () => ({ socket: new WebSocket(`ws://127.0.0.1:${port}`), token: 'x' }),
      onError: (error) => errors.push(error),
    });
    handles.push(handle);
    return handle;
  };
  /** The SDK's own time for an answer is over soon. */
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

  it('ends for good where the gateway speaks another version', async () => {
    answers = { auth: sessions, hello: { type: 'error', code: 'UNSUPPORTED_VERSION', message: 'it is 3 here', replyTo: 'hello' } };
    await reached(connect(), 'closed');
    assert.deepEqual(
      errors.map(({ message }) => message),
      ['UNSUPPORTED_VERSION: it is 3 here'],
    );
  });

  it('leaves one that does not answer, and tries again', async () => {
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

  it('does not wait for the answer to an update without end', async () => {
    answers = { auth: sessions, hello: { type: 'hello.ack', protocolVersion: 2, providerId: 'p', sessionId: 'a' } };
    const handle = connect();
    await reached(handle, 'bound');
    await withoutPatience(() => assert.rejects(handle.updateTools([{ name: 'greet' }]), /TimeoutError: the answer to tools.update/));
    assert.equal(handle.state.kind, 'bound');
  });

  it('tells what it cannot read, and goes on', async () => {
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
