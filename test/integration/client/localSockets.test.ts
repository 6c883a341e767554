/** The client over unix sockets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AgentHostClient, type AgentHostClientOptions, ConnectionError } from '../../../src/ahp/index.ts';
import { socketAddress } from '../../../src/ahp/client/connection/hostUrl.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { startHostServer } from '../../../src/host/server/hostServer.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeHost, sessionState, sessionSummary } from '../../fakes/fakeHost.ts';
import { serveFakeHost } from '../../fakes/fakeHostServer.ts';

const TOKEN = 's3cret/+&';
const NOBODY = 65534;

describe('The client over unix sockets', () => {
  const cleanUp: (() => unknown)[] = [];
  let folder: string;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-sockets-')));
    cleanUp.push(() => rmSync(folder, { recursive: true }));
  });
  afterEach(async () => {
    for (const end of cleanUp.splice(0).reverse()) await end();
  });

  async function connect(url: string, options: Partial<AgentHostClientOptions> = {}): Promise<AgentHostClient> {
    const client = await AgentHostClient.connect({ url, ...options });
    cleanUp.push(() => client.close());
    return client;
  }

  async function listen(server: Server, at: string): Promise<void> {
    const open = new Set<Socket>();
    server.on('connection', (socket: Socket) => open.add(socket));
    server.listen(at);
    await once(server, 'listening');
    cleanUp.push(async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  /** The failure of a connection with a token, which it does not tell. */
  async function failureAt(path: string): Promise<ConnectionError['failure']> {
    const url = `${socketAddress(path)}?tkn=hidden`;
    const failure = await connect(url, { name: 'box' }).then(
      () => assert.fail('it connected'),
      (error: unknown) => (error instanceof ConnectionError ? error.failure : Promise.reject(error as Error)),
    );
    assert.doesNotMatch(JSON.stringify(failure), /hidden/);
    return failure;
  }

  for (const name of ['host.sock', 'my host: 50%?#.sock']) {
    it(`connects with a token, works, and comes back after a loss: ${name}`, async () => {
      const host = new FakeHost();
      host.states.set('demo:/1', sessionState('demo:/1', 'first'));
      host.summaries = [sessionSummary('demo:/1', 'first')];
      const server = await serveFakeHost(host, { token: TOKEN, socket: join(folder, name) });
      cleanUp.push(() => server.close());
      const client = await connect(server.url, { token: TOKEN });
      await eventually(() => client.sessions.summaries.length === 1, 'the list');
      server.dropAll();
      await eventually(() => client.state.kind === 'reconnecting', 'the loss');
      assert.ok(client.state.kind === 'reconnecting');
      assert.doesNotMatch(client.state.reason.message, /s3cret/);
      client.reconnectNow();
      await eventually(() => client.state.kind === 'connected', 'the next connection');
    });
  }

  it('reaches the built-in host behind a socket', async () => {
    const host = await startHostServer({ agents: [], logger: nullLogger });
    cleanUp.push(() => host.close());
    const { host: address, port } = new URL(host.url);
    const path = join(folder, 'forward.sock');
    await listen(
      createServer((near) => {
        const far = connectSocket(Number(port), '127.0.0.1');
        near.on('error', () => far.destroy()).on('close', () => far.destroy());
        far.on('error', () => near.destroy()).on('close', () => near.destroy());
        // The host wants its own port there, as it does from every client.
        near.once('data', (head) => {
          far.write(head.toString('latin1').replace(/^Host: .*$/im, `Host: ${address}`), 'latin1');
          near.pipe(far);
        });
        far.pipe(near);
      }),
      path,
    );
    const client = await connect(socketAddress(path), { token: host.token });
    await client.sessions.refresh();
    assert.equal(client.dialect?.version, '1.0.0');
    const refused = await failureAt(path);
    assert.deepEqual([refused.kind, refused.brief], ['token', 'wrong token']);
  });

  it('says what is wrong with the socket, and what to do', async () => {
    const path = join(folder, 'host.sock');
    const missing = await failureAt(path);
    assert.equal(missing.kind, 'unreachable');
    assert.equal(
      missing.message,
      `box (${path}) cannot be reached: there is no such socket. Start the agent host there, or correct the address.`,
    );
    writeFileSync(path, '');
    assert.match((await failureAt(path)).message, /no program listens at that path/);
    assert.match((await failureAt(join(folder, 'x'.repeat(120)))).message, /the path is too long for a socket/);
  });

  it('says that this user may not use the socket', async () => {
    const path = join(folder, 'host.sock');
    await listen(createServer(), path);
    chmodSync(path, 0);
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) {
      chmodSync(folder, 0o711);
      process.seteuid?.(NOBODY);
    }
    try {
      const failure = await failureAt(path);
      assert.equal(failure.kind, 'unreachable');
      assert.match(failure.message, /^You may not use the socket .*host\.sock\. Start its agent host as your own user/);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('tells what is no agent host', async () => {
    const web = join(folder, 'web.sock');
    await listen(
      createHttpServer((_request, response) => response.writeHead(404).end()),
      web,
    );
    assert.match((await failureAt(web)).message, /No agent host is at box .*web\.sock\): the address answered 404/);
    const other = join(folder, 'ssh.sock');
    await listen(
      createServer((socket) => void socket.on('error', () => undefined).end('SSH-2.0-OpenSSH_9.2\r\n')),
      other,
    );
    const failure = await failureAt(other);
    assert.equal(failure.kind, 'notAgentHost');
    assert.match(failure.message, /what answers there does not speak HTTP\. Correct the address\.$/);
  });
});
