/** WebSocket services that are not agent hosts. Whatever they send, the client sends them little, and stops. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { type WebSocket, WebSocketServer } from 'ws';
import { AgentHostClient, type ConnectionState, type Logger } from '../../../src/ahp/index.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeHost } from '../../fakes/fakeHost.ts';
import { serveFakeHost } from '../../fakes/fakeHostServer.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of cleanUp.splice(0).reverse()) await end();
});

/** A service that answers each frame. `heard` is every frame that it got. */
async function serve(answer: (text: string) => string[]): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = [];
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket: WebSocket) => {
    socket.on('message', (data) => {
      heard.push((data as Buffer).toString('utf8'));
      for (const text of answer(heard.at(-1) ?? '')) socket.send(text);
    });
  });
  await once(server, 'listening');
  cleanUp.push(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

function connect(url: string) {
  const warnings: string[] = [];
  const logger: Logger = { ...nullLogger, warn: (text) => warnings.push(text) };
  const client = AgentHostClient.create({ url, logger });
  cleanUp.push(() => client.dispose());
  return { client, warnings };
}

function failureOf(state: ConnectionState) {
  assert.ok(state.kind === 'failed', state.kind);
  return state.reason;
}

describe('The client and a service that is no agent host', () => {
  for (const [name, answer] of [
    ['answers with text', () => ['unknown command']],
    ['answers with {"type":"error"}', () => ['{"type":"error","message":"unknown"}']],
    ['sends everything back', (text: string) => [text]],
    ['sends everything back in other words', (text: string) => [`you said: ${text}`]],
    [
      'answers with errors of JSON-RPC that belong to no request',
      () => ['{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}'],
    ],
    ['answers with several frames', () => ['hello', '{"type":"welcome"}', '[1]']],
    ['asks something for each frame', (text: string) => [JSON.stringify({ id: 1, method: 'what', params: text })]],
    [
      'does not know `initialize`',
      (text: string) => [
        JSON.stringify({ id: (JSON.parse(text) as { id: number }).id, error: { code: -32601, message: 'no such method' } }),
      ],
    ],
    [
      'answers `initialize` as something else would',
      (text: string) => [JSON.stringify({ id: (JSON.parse(text) as { id: number }).id, result: { capabilities: {} } })],
    ],
  ] as const) {
    it(`that ${name}: says little to it, and that no agent host is there`, async () => {
      const { url, heard } = await serve(answer);
      const { client, warnings } = connect(url);
      await eventually(() => client.state.kind !== 'connecting', 'the end of the attempt');
      const { kind, message } = failureOf(client.state);
      assert.equal(kind, 'notAgentHost');
      assert.match(message, /^No agent host is at 127\.0\.0\.1:\d+.*Correct the address\.$/);
      assert.ok(heard.length <= 4, `${heard.length} frames were sent to it`);
      assert.ok(warnings.length <= 2, warnings.join('\n'));
    });
  }

  it('takes a host that first asks for files of the client for one', async () => {
    const host = new FakeHost();
    const initialize = host.methods['initialize'];
    host.methods['initialize'] = async (params, connection) => {
      const asked = ['a', 'b', 'c', 'd'].map((uri) => connection.peer.request('resourceRead', { uri }, 5_000));
      const answers = await Promise.allSettled(asked);
      assert.ok(answers.every(({ status }) => status === 'rejected'));
      return initialize?.(params, connection);
    };
    const server = await serveFakeHost(host);
    cleanUp.push(() => server.close());
    const { client } = connect(server.url);
    await eventually(() => client.sessions.state === 'ready', 'a connection');
  });

  it('counts what a connected host says that is no message, and goes on', async () => {
    const host = new FakeHost();
    const server = await serveFakeHost(host);
    cleanUp.push(() => server.close());
    const { client, warnings } = connect(server.url);
    await eventually(() => client.sessions.state === 'ready', 'a connection');
    const answered: string[] = [];
    const { connection } = host;
    connection.receive = (text) => answered.push(text);
    for (let frame = 0; frame < 2_500; frame++) {
      host.connection.sendText(`noise ${frame}`);
      host.connection.peer.notify('action', { noise: frame });
      host.connection.peer.notify('notification', { noise: frame });
    }
    host.emit({ type: 'root/activeSessionsChanged', activeSessions: 7 });
    await eventually(() => client.root().confirmed?.activeSessions === 7, 'what came after it');
    assert.equal(client.state.kind, 'connected');
    assert.deepEqual(answered, []);
    assert.equal(warnings.length, 3 * 4);
    assert.match(warnings.at(-1) ?? '', /1000 times/);
  });
});
