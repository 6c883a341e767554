import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { Challenge, type FindKey, isProven, onlyKey, proofHeaders, proveOnUpgrade, UnprovenListener } from './challenge.ts';

const secret = 'a-secret-of-this-run';

describe('a challenge', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  interface Heard {
    port: number;
    requests: IncomingMessage[];
    /** Whether each was proved by the client. */
    proven: boolean[];
    messages: string[];
  }
  const serve = async (findKey: FindKey, extra?: (asked: IncomingMessage) => Record<string, string>, at = 0): Promise<Heard> => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, '127.0.0.1', resolve));
    const heard: Heard = { port: (server.address() as AddressInfo).port, requests: [], proven: [], messages: [] };
    const hear = (asked: IncomingMessage) => {
      heard.requests.push(asked);
      heard.proven.push(isProven(asked, findKey));
    };
    server.on('request', (asked, response) => {
      hear(asked);
      response.writeHead(200, { ...proofHeaders(asked, findKey), ...extra?.(asked) }).end();
    });
    const webSockets = new WebSocketServer({ noServer: true });
    proveOnUpgrade(webSockets, findKey);
    server.on('upgrade', (asked, socket, head) => {
      hear(asked);
      webSockets.handleUpgrade(asked, socket, head, (webSocket) => {
        webSocket.on('message', (data) => heard.messages.push(String(data)));
        webSocket.on('error', () => undefined);
        webSocket.send('from the server');
      });
    });
    return heard;
  };
  /** Whether the answer to a plain request proves it. */
  const isMet = (port: number, by = secret, headers: Record<string, string> = {}, host = '127.0.0.1'): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const challenge = new Challenge(by);
      const asked = request({ host, port, headers, agent: false }, (response) => {
        response.resume();
        resolve(challenge.isMetBy(response));
      });
      asked.once('error', reject);
      challenge.send(asked);
    });
  /** What comes of a WebSocket, in order. */
  const opened = (port: number, host = '127.0.0.1'): Promise<string[]> =>
    new Promise((resolve) => {
      const events: string[] = [];
      const socket = new WebSocket(`ws://${host}:${port}`, { finishRequest: (asked) => new Challenge(secret).send(asked) });
      socket.on('open', () => {
        events.push('open');
        socket.send('from the client');
      });
      socket.on('message', (data) => {
        events.push(String(data));
        socket.close();
      });
      socket.on('error', (error) => events.push(error.name));
      socket.on('close', () => resolve(events));
    });

  it('is met by who knows the secret, and shows that the client does; neither says it', async () => {
    const heard = await serve(onlyKey(secret));
    assert.equal(await isMet(heard.port), true);
    assert.deepEqual(await opened(heard.port), ['open', 'from the server']);
    assert.deepEqual(await opened(heard.port, 'localhost'), ['open', 'from the server']);
    assert.deepEqual(heard.proven, [true, true, true]);
    for (const { url, rawHeaders } of heard.requests) assert.ok(!`${url} ${rawHeaders.join(' ')}`.includes(secret));
    const nonces = heard.requests.map(({ headers }) => headers['tapline-challenge']);
    assert.equal(new Set(nonces).size, nonces.length);
  });

  it('is not met by who does not, whatever is answered; a WebSocket does not open', async () => {
    const reflected = (asked: IncomingMessage) => ({ 'Tapline-Proof': String(asked.headers.authorization).replace('Tapline ', '') });
    for (const heard of [
      await serve(() => undefined),
      await serve(onlyKey('another')),
      await serve(
        () => undefined,
        () => ({ 'Tapline-Proof': '' }),
      ),
      await serve(() => undefined, reflected),
    ]) {
      assert.equal(await isMet(heard.port), false);
      assert.deepEqual(await opened(heard.port), ['UnprovenListener']);
      assert.deepEqual(heard.messages, []);
      assert.deepEqual(heard.proven, [false, false]);
    }
  });

  it('is not met by what was answered to another one, on the same port', async () => {
    const first = await serve(onlyKey(secret));
    const answer = await new Promise<string>((resolve) => {
      const asked = request({ host: '127.0.0.1', port: first.port, agent: false }, ({ headers }) =>
        resolve(String(headers['tapline-proof'])),
      );
      new Challenge(secret).send(asked);
    });
    assert.match(answer, /^[\w-]{43}$/);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const replaying = await serve(
      () => undefined,
      () => ({ 'Tapline-Proof': answer }),
      first.port,
    );
    assert.equal(await isMet(replaying.port), false);
  });

  it('that is passed on gets a proof of the other address, and proves nothing there', async () => {
    const real = await serve(onlyKey(secret));
    const pass = (asked: IncomingMessage) =>
      new Promise<IncomingMessage>((resolve) => {
        const headers = { ...asked.headers, host: `127.0.0.1:${real.port}` };
        request({ host: '127.0.0.1', port: real.port, headers, agent: false }, (response) => resolve(response.resume())).end();
      });
    const relay = async (port: number, host: string) => {
      const server = createServer(async (asked, response) => {
        const { headers } = await pass(asked);
        response.writeHead(200, { 'Tapline-Proof': String(headers['tapline-proof']) }).end();
      });
      servers.push(server);
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
      return (server.address() as AddressInfo).port;
    };
    assert.equal(await isMet(await relay(0, '127.0.0.1')), false);
    assert.deepEqual(real.proven, [false]);
    if (process.platform === 'linux') {
      // All of 127.0.0.0/8 is this computer: a name may lead to the right port at another address.
      assert.equal(await isMet(await relay(real.port, '127.0.0.2'), secret, {}, '127.0.0.2'), false);
      assert.deepEqual(real.proven, [false, false]);
    }
    assert.equal(await isMet(real.port), true);
  });

  it('is answered to names of this computer alone', async () => {
    const heard = await serve(onlyKey(secret));
    assert.equal(await isMet(heard.port, secret, { Host: `evil.example:${heard.port}` }), false);
    assert.equal(await isMet(heard.port, secret, { Host: `localhost:${heard.port}` }), true);
    assert.deepEqual(heard.proven, [false, true]);
  });

  it('is no challenge when it is malformed, and nothing is proved to who asks for none', async () => {
    const heard = await serve((id) => onlyKey(secret)(id) ?? onlyKey(secret)(''));
    const plain = (challenge: string | undefined) =>
      new Promise<string | undefined>((resolve, reject) => {
        const headers = challenge === undefined ? {} : { 'Tapline-Challenge': challenge };
        const asked = request({ host: '127.0.0.1', port: heard.port, headers, agent: false }, (response) => {
          response.resume();
          resolve(response.headers['tapline-proof'] as string | undefined);
        });
        asked.once('error', reject);
        asked.end();
      });
    const nonce = 'n'.repeat(43);
    assert.match((await plain(`${'0'.repeat(16)}.${nonce}`)) ?? '', /^[\w-]{43}$/);
    for (const bad of [
      undefined,
      '',
      nonce,
      `.${nonce}`,
      `${'0'.repeat(15)}.${nonce}`,
      `${'0'.repeat(16)}.short`,
      `${'0'.repeat(16)}.${nonce}, x`,
    ])
      assert.equal(await plain(bad), undefined, bad);
  });

  it('needs a secret', () => {
    assert.throws(() => new Challenge(''), /no secret/);
    assert.ok(new Challenge('x'));
    assert.equal(new UnprovenListener('x') instanceof Error, true);
  });
});
