/** Who may connect to the host, what must come first, and what malformed traffic does. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type ClientRequest, get } from 'node:http';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ConnectionError } from '../../../src/ahp/client/connection/connectionState.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { ROOT_URI } from '../../../src/ahp/v1/root.ts';
import { Challenge } from '../../../src/base/server/challenge.ts';
import { type Logger, nullLogger } from '../../../src/base/log.ts';
import { MAX_REFUSALS_IN_A_ROW } from '../../../src/base/connection/refusals.ts';
import { CloseCode } from '../../../src/host/server/hostCloseCodes.ts';
import { RawClient, TestHost } from './hostHarness.ts';

describe('connections of the embedded host', () => {
  let host: TestHost;
  beforeEach(() => {
    host = new TestHost();
  });
  afterEach(() => host.stop());

  describe('opening', () => {
    const good = () => `${host.server.url}/?tkn=${host.server.token}`;
    beforeEach(() => host.start());
    const open = async (url: string, headers: Record<string, string> = {}) => {
      const client = await RawClient.open(url, { headers });
      client.socket.terminate();
    };

    it('needs the token', async () => {
      await open(good());
      await assert.rejects(open(`${host.server.url}/?tkn=${host.server.token}x`), /status 401/);
      await assert.rejects(open(`${host.server.url}/?tkn=`), /status 401/);
      await assert.rejects(open(host.server.url), /status 401/);
    });

    it('takes a proof of the token as well, and proves it in return', async () => {
      const prove = async (secret: string, headers: Record<string, string> = {}) => {
        const finishRequest = (asked: ClientRequest) => new Challenge(secret).send(asked);
        const client = await RawClient.open(host.server.url, { headers, finishRequest });
        client.socket.terminate();
      };
      await prove(host.server.token);
      await assert.rejects(prove(`${host.server.token}x`), /status 401/);
      await assert.rejects(prove(host.server.token, { Origin: 'http://evil.example' }), /status 403/);
      await assert.rejects(prove(host.server.token, { Host: 'evil.example' }), /status 403/);
    });

    it('has a token of its own for every host', async () => {
      const other = new TestHost();
      await other.start();
      assert.notEqual(other.server.token, host.server.token);
      assert.ok(other.server.token.length >= 32);
      await other.stop();
    });

    it('needs a loopback name as Host, on any port, which may be forwarded', async () => {
      const { port } = host.server;
      for (const name of [
        `127.0.0.1:${port}`,
        `localhost:${port}`,
        `LOCALHOST:${port}`,
        `[::1]:${port}`,
        '127.0.0.1',
        `127.0.0.1:${port + 1}`,
      ])
        await open(good(), { Host: name });
      for (const name of ['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`])
        await assert.rejects(open(good(), { Host: name }), /status 403/, name);
    });

    it('is reached through a forwarded port, and says so where the name is another one', async () => {
      const { port, token } = host.server;
      const forward = createServer((from) =>
        from
          .pipe(connect(port, '127.0.0.1'))
          .pipe(from)
          .on('error', () => from.destroy()),
      );
      await new Promise<void>((resolve) => forward.listen(0, '127.0.0.1', resolve));
      const transport = connectNodeTransport();
      try {
        const forwarded = `ws://127.0.0.1:${(forward.address() as AddressInfo).port}`;
        (await AgentHostClient.connect({ url: forwarded, token, transport })).close();
        const byAddress = AgentHostClient.connect({ url: `ws://[::ffff:127.0.0.1]:${port}`, token, transport });
        await assert.rejects(byAddress, (error: ConnectionError) => {
          assert.deepEqual([error.failure.kind, error.failure.brief], ['address', 'name refused']);
          assert.match(error.failure.message, /refused that name: it takes connections as 127\.0\.0\.1, localhost or \[::1\] only/);
          return true;
        });
        const withoutToken = AgentHostClient.connect({ url: `ws://127.0.0.1:${port}`, token: 'wrong', transport });
        await assert.rejects(withoutToken, (error: ConnectionError) => error.failure.kind === 'token');
      } finally {
        forward.close();
      }
    });

    it('refuses web pages, also with the token', async () => {
      await open(good(), { Origin: `http://127.0.0.1:${host.server.port}` });
      await open(good(), { Origin: 'http://localhost:9000', Host: '127.0.0.1:9000' });
      await assert.rejects(open(good(), { Origin: `http://localhost:${host.server.port}`, Host: '127.0.0.1:9000' }), /status 403/);
      for (const origin of [
        'https://evil.example',
        'null',
        `https://127.0.0.1:${host.server.port}`,
        'http://127.0.0.1',
        'vscode-webview://x',
      ])
        await assert.rejects(open(good(), { Origin: origin }), /status 403/, origin);
    });

    it('has nothing at other paths and nothing for plain HTTP', async () => {
      await assert.rejects(open(`${host.server.url}/other?tkn=${host.server.token}`), /status 404/);
      const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        get(good().replace('ws:', 'http:'), (response) => {
          let body = '';
          response.on('data', (data) => (body += String(data)));
          response.on('end', () => resolve({ status: response.statusCode, body }));
        }).on('error', reject);
      });
      assert.deepEqual({ status, body }, { status: 404, body: '' });
    });
  });

  it('listens on loopback only', async () => {
    await host.start();
    assert.equal(new URL(host.server.url).hostname, '127.0.0.1');
  });

  it('never logs the token', async () => {
    const lines: string[] = [];
    const log = (...args: unknown[]) => void lines.push(args.map(String).join(' '));
    const logger: Logger = { trace: log, debug: log, info: log, warn: log, error: log };
    await host.start({ logger, token: 'very-secret-token' });
    await assert.rejects(RawClient.open(`${host.server.url}/?tkn=very-secret-tokem`), /401/);
    const client = await host.connect();
    client.send('{"tkn": very-secret-token');
    client.notify('dispatchAction', { clientSeq: 'x' });
    await client.settled();
    client.socket.terminate();
    assert.equal(lines.length, 3, 'it did log each of them');
    assert.deepEqual(
      lines.filter((line) => line.includes('very-secret')),
      [],
    );
    assert.equal(host.server.url.includes('secret'), false);
  });

  describe('the handshake', () => {
    beforeEach(() => host.start());
    const hello = { protocolVersion: 1, clientId: 'a' };

    it('answers with the version, the sequence number and the snapshots that exist', async () => {
      const client = await host.open();
      const result = await client.initialize('a', [ROOT_URI, ROOT_URI, 'scripted:/none', 'agenthost-terminal:/none']);
      assert.equal(result.protocolVersion, 1);
      assert.equal(result.defaultDirectory, host.directoryUri);
      assert.deepEqual(
        result.snapshots.map(({ resource, fromSeq }) => [resource, fromSeq]),
        [[ROOT_URI, result.serverSeq]],
      );
      assert.deepEqual(result.snapshots[0]?.state, { agents: [host.agent.info], activeSessions: 0, terminals: [] });
    });

    it('must come first', async () => {
      const client = await host.open();
      for (const method of ['listSessions', 'subscribe', 'noSuchMethod']) {
        const error = await client.refusal(method, { resource: ROOT_URI });
        assert.equal(error.code, -32600);
        assert.match(error.message, /initialize or reconnect/);
      }
      client.notify('dispatchAction', { clientSeq: 1, action: { type: 'root/configChanged', config: {} } });
      assert.equal((await client.ask('initialize', hello)).error, undefined);
      assert.deepEqual(client.envelopes(), [], 'what came before was dropped');
    });

    it('refuses other versions and says which it speaks; then the right one is taken', async () => {
      const client = await host.open();
      for (const protocolVersion of [0, 2, 99, 1.5]) {
        const error = await client.refusal('initialize', { ...hello, protocolVersion });
        assert.equal(error.code, -32005);
        assert.deepEqual(error.data, { supportedVersions: [1] });
      }
      assert.equal((await client.ask('initialize', hello)).error, undefined);
    });

    it('names the field that is wrong', async () => {
      const client = await host.open();
      for (const [params, field] of [
        [{ ...hello, protocolVersion: '1' }, /params\.protocolVersion must be a number/],
        [{ protocolVersion: 1 }, /params\.clientId is missing/],
        [{ ...hello, clientId: '' }, /params\.clientId/],
        [{ ...hello, initialSubscriptions: [ROOT_URI, 7] }, /params\.initialSubscriptions\[1\]/],
        [{ ...hello, initialSubscriptions: null }, /params\.initialSubscriptions must be an array, not null/],
        [[], /params must be an object/],
      ] as const) {
        const error = await client.refusal('initialize', params);
        assert.equal(error.code, -32602);
        assert.match(error.message, field);
      }
      assert.equal((await client.ask('initialize', hello)).error, undefined);
    });

    it('comes once', async () => {
      const client = await host.connect('a');
      assert.equal((await client.refusal('initialize', hello)).code, -32600);
      assert.equal((await client.refusal('reconnect', { clientId: 'a', lastSeenServerSeq: 0, subscriptions: [] })).code, -32600);
      await client.settled();
    });

    it('of an unknown client is not a reconnect', async () => {
      const client = await host.open();
      const error = await client.refusal('reconnect', { clientId: 'stranger', lastSeenServerSeq: 0, subscriptions: [] });
      assert.equal(error.code, -32008);
      assert.equal((await client.ask('initialize', hello)).error, undefined);
    });
  });

  it('gives a client that says nothing a limited time', async () => {
    await host.start({ handshakeTimeoutMs: 50 });
    const silent = await host.open();
    const talking = await host.connect();
    assert.equal((await silent.whenClosed()).code, CloseCode.HandshakeTimeout);
    await talking.settled();
  });

  it('gives a socket that sends no request, or half of one, a limited time', async () => {
    await host.start({ handshakeTimeoutMs: 50 });
    const ended = (text: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(host.server.port, '127.0.0.1', () => socket.write(text));
        socket.on('error', () => socket.destroy());
        socket.on('close', () => resolve());
        socket.resume();
      });
    await Promise.all([ended(''), ended(`GET /?tkn=${host.server.token} HTTP/1.1\r\nHost: 127.0`)]);
    await (await host.connect()).settled();
  });

  describe('methods', () => {
    let client: RawClient;
    beforeEach(async () => {
      await host.start();
      client = await host.connect();
    });

    it('unknown ones and notifications with an id get their own errors', async () => {
      assert.equal((await client.refusal('noSuchMethod', {})).code, -32601);
      assert.equal((await client.refusal('toString', {})).code, -32601);
      const error = await client.refusal('dispatchAction', { clientSeq: 1, action: {} });
      assert.equal(error.code, -32600);
      assert.match(error.message, /notification/);
    });

    it('a subscription to what does not exist is refused by kind', async () => {
      assert.equal((await client.refusal('subscribe', { resource: 'scripted:/none' })).code, -32001);
      assert.equal((await client.refusal('subscribe', { resource: 'agenthost-terminal:/none' })).code, -32008);
      assert.equal((await client.snapshot(ROOT_URI)).resource, ROOT_URI);
    });

    it('unsubscribe ends the envelopes of a resource, and of that one only', async () => {
      const session = await host.session(client);
      const other = await host.connect('client-b', [ROOT_URI, session]);
      other.notify('unsubscribe', { resource: session });
      await other.settled();
      await client.dispatch({ type: 'session/titleChanged', session, title: 'Unheard' });
      host.agent.setInfo({ displayName: 'Renamed' });
      await other.action('root/agentsChanged');
      assert.deepEqual(other.actions('session/titleChanged'), []);
    });
  });

  describe('malformed traffic', () => {
    beforeEach(() => host.start());

    it('is answered where JSON-RPC says so, and the connection goes on', async () => {
      const client = await host.connect();
      for (const [frame, code] of [
        ['{', -32700],
        ['', -32700],
        ['[]', -32600],
        ['null', -32600],
        ['7', -32600],
        ['{"id":1}', -32600],
        ['{"jsonrpc":"2.0","method":7}', -32600],
      ] as const) {
        const before = client.frames.length;
        client.send(frame);
        const answer = await client.until(`an answer to ${frame}`, () => client.frames[before]);
        assert.deepEqual([answer.id, answer.error?.code], [null, code], frame);
      }
      await client.settled();
    });

    it('is not answered for ever: a peer that answers each error with the next bad frame is told ten times', async () => {
      const warnings: string[] = [];
      await host.server.close();
      await host.start({ logger: { ...nullLogger, warn: (text: string) => warnings.push(text) } });
      for (const bad of [(text: string) => `you said: ${text}`, () => '{"type":"error"}', () => '['.repeat(10_000)]) {
        const client = await host.connect(`mirror ${bad('')}`.slice(0, 20));
        client.socket.on('message', (data) => {
          if ((JSON.parse(String(data)) as { error?: unknown }).error) client.send(bad(String(data)));
        });
        client.send(bad('hello'));
        await client.until('the last answer', () => client.frames.some(({ error }) => error?.message.includes('no more such frames')));
        await client.settled();
        assert.equal(client.frames.filter(({ id }) => id === null).length, MAX_REFUSALS_IN_A_ROW);
      }
      assert.equal(warnings.length, 3 * 2, warnings.join('\n'));
    });

    it('of any small kind never breaks the host', async () => {
      const client = await host.connect();
      const values = [undefined, null, 0, -1, 1e99, '', 'x', [], {}, [null], { a: 1 }, true, '__proto__', { __proto__: 1 }, 'scripted:/x'];
      let seed = 12345;
      const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
      const any = () => values[random(values.length)];
      const methods = [
        'subscribe',
        'createSession',
        'fetchTurns',
        'resourceRead',
        'resourceWrite',
        'authenticate',
        'createTerminal',
        'constructor',
      ];
      const keys = [
        'session',
        'resource',
        'uri',
        'terminal',
        'claim',
        'fork',
        'config',
        'activeClient',
        'model',
        'cwd',
        'data',
        'token',
        'limit',
      ];
      for (let i = 0; i < 300; i++) {
        const params = random(5) === 0 ? any() : Object.fromEntries(keys.filter(() => random(2)).map((key) => [key, any()]));
        if (random(3)) client.send({ jsonrpc: '2.0', id: 100_000 + i, method: methods[random(methods.length)], params });
        else client.notify('dispatchAction', { clientSeq: random(2) ? i : any(), action: { type: any(), ...(params as object) } });
      }
      await client.settled();
      assert.equal(client.closed, undefined);
      const answers = client.frames.filter(({ id }) => (id ?? 0) >= 100_000);
      assert.ok(answers.length > 100);
      assert.deepEqual(
        answers.filter(({ error }) => error?.code === -32603),
        [],
        'none of them is an internal error',
      );
    });

    it('binary frames and too big ones end the connection, not the host', async () => {
      const binary = await host.connect('binary');
      binary.socket.send(Buffer.from('{}'));
      assert.equal((await binary.whenClosed()).code, 1003);
      const big = await host.connect('big');
      big.send(`"${'x'.repeat(16 * 1024 * 1024)}"`);
      assert.equal((await big.whenClosed()).code, 1009);
      const good = await host.connect('good');
      await good.settled();
      assert.equal(host.server.clientCount, 1);
    });

    it('bytes that are not HTTP end their connection only', async () => {
      const socket = connect(host.server.port, '127.0.0.1');
      const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
      socket.on('error', () => socket.destroy());
      socket.resume();
      socket.write('\x00\x01 nonsense\r\n\r\n');
      await closed;
      await (await host.connect()).settled();
    });
  });

  it('cuts off a client that does not read, which can come back', async () => {
    await host.start({ maxBufferedBytes: 100_000 });
    const slow = await host.connect('slow');
    const session = await host.session(slow);
    const active = await host.connect('active', [session]);
    slow.socket.pause();
    const text = 'x'.repeat(256 * 1024);
    // More than the sockets of both sides can hold.
    for (let sent = 0; host.server.clientCount === 2 && sent < 400; sent++)
      await active.dispatch({ type: 'session/titleChanged', session, title: text + sent });
    assert.equal(host.server.clientCount, 1);
    slow.socket.terminate();
    const again = await host.open();
    assert.equal((await again.ask('reconnect', { clientId: 'slow', lastSeenServerSeq: 0, subscriptions: [session] })).error, undefined);
  });

  it('pings who is silent, and gives up who never answers', async () => {
    await host.start({ pingIntervalMs: 20 });
    const dead = await RawClient.open(`${host.server.url}?tkn=${host.server.token}`, { autoPong: false });
    await dead.initialize('dead', []);
    const alive = await host.connect('alive');
    assert.equal((await dead.whenClosed()).code, CloseCode.Unresponsive);
    // Idle for as long as another one needs to be given up.
    const other = await RawClient.open(`${host.server.url}?tkn=${host.server.token}`, { autoPong: false });
    await other.initialize('other', []);
    await other.whenClosed();
    assert.equal(alive.closed, undefined);
    await alive.settled();
    assert.equal(host.server.clientCount, 1);
  });

  it('a second connection of a client takes over', async () => {
    await host.start();
    const first = await host.connect('a');
    const second = await host.connect('a');
    assert.equal((await first.whenClosed()).code, CloseCode.Replaced);
    await second.settled();
    assert.equal(host.server.clientCount, 1);
  });

  it('close ends connections and what runs, and says who is there until then', async () => {
    await host.start();
    let changes = 0;
    host.server.onDidChangeActivity(() => changes++);
    const client = await host.connect();
    assert.deepEqual([host.server.clientCount, changes], [1, 1]);
    const session = await host.session(client);
    host.agent.onTurn = (turn) => new Promise((resolve) => turn.signal.addEventListener('abort', () => resolve()));
    await client.dispatch({ type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'x' } });
    assert.deepEqual([host.server.isBusy, changes], [true, 2]);
    await host.server.close();
    assert.equal((await client.whenClosed()).code, 1001);
    assert.equal(host.agent.disposedSessions, 1);
    await assert.rejects(host.open(), /ECONNREFUSED/);
  });
});
