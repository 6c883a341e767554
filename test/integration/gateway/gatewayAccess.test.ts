/** Invalid upgrades, foreign origins and silent peers, each next to a well-behaved provider. */
import assert from 'node:assert/strict';
import { type ClientRequest, get } from 'node:http';
import { networkInterfaces } from 'node:os';
import { WebSocket } from 'ws';
import { Challenge } from '../../../src/base/server/challenge.ts';
import { CloseCode } from '../../../src/tap/wire/closeCodes.ts';
import { Limit } from '../../../src/tap/wire/limits.ts';
import { encodeFrame, Opcode, RawSocket, upgradeRequest } from '../../support/rawSocket.ts';
import { eventually } from '../../fakes/eventually.ts';
import { besides, ControlledGateway } from './gatewayControl.ts';
import type { RawProvider } from './gatewayHarness.ts';

describe('gateway and unauthenticated peers', () => {
  let test: ControlledGateway;
  beforeEach(async () => {
    test = new ControlledGateway();
    await test.start();
  });
  afterEach(() => test.stop());
  const alike = (title: string, body: () => Promise<void>, timeoutMs?: number) => besides(() => test, title, body, timeoutMs);
  const connect = async () => test.keep(await RawSocket.connect(test.port));
  const asked = async (request: string) => (await connect()).write(request).status();
  const upgraded = (headers: Record<string, string | undefined>, line?: string) => asked(upgradeRequest(test.port, headers, line));

  alike('accepts only names of this computer as Host, on any port, which may be forwarded', async () => {
    const { port } = test;
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `LocalHost:${port}`,
      `[::1]:${port}`,
      `127.0.0.1:${port + 1}`,
      'localhost',
      '[::1]:1',
    ])
      assert.equal(await upgraded({ Host: host }), 101, host);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.:${port}`,
      `127.0.0.1.:${port}`,
      '127.0.0.1:',
      '127.0.0.1:x',
      `127.0.0.1:0${port}`,
      `127.0.0.1:${port}:80`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f.0.0.1:${port}`,
      `0.0.0.0:${port}`,
      `[::]:${port}`,
      `::1:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `[0:0:0:0:0:0:0:1]:${port}`,
      `user@127.0.0.1:${port}`,
      `127.0.0.1:${port}, evil.example`,
      '',
    ])
      assert.equal(await upgraded({ Host: host }), 403, host);
    assert.ok([400, 403].includes(await upgraded({ Host: undefined })));
    for (const second of [`127.0.0.1:${port}`, 'evil.example'])
      for (const line of ['GET / HTTP/1.1', 'GET /owner HTTP/1.1', 'GET /other HTTP/1.1'])
        assert.equal(await upgraded({ hOST: second }, line), 400, `two: ${line}, ${second}`);
    const plain = (hosts: string[]) => asked(`GET / HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}\r\n`);
    const own = `127.0.0.1:${port}`;
    assert.deepEqual([await plain([own]), await plain([own, own]), await plain([own, 'evil.example'])], [404, 400, 400]);
    assert.equal(await upgraded({ Host: undefined }, 'GET / HTTP/1.0'), 403);
  });

  alike('gives a page of another origin nothing but pairing', async () => {
    const { port } = test;
    const answer = async (origin: string | undefined) => {
      const socket = await connect();
      socket.write(upgradeRequest(port, { Origin: origin }));
      assert.match(await socket.head(), /^HTTP\/1\.1 101 /, origin);
      socket.say({ type: 'auth', token: test.server.gateway.grants.fileToken });
      const { opcode, payload } = await socket.frame();
      assert.equal(opcode, 1);
      return (JSON.parse(payload.toString()) as { type: string; code?: string }).code ?? 'sessions';
    };
    for (const origin of [undefined, `http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://[::1]:${port}`])
      assert.equal(await answer(origin), 'sessions', origin);
    for (const origin of [
      'null',
      'file://',
      '',
      'http://evil.example',
      'http://localhost',
      `http://localhost:${port + 1}`,
      `https://localhost:${port}`,
      `http://localhost:${port}.evil.example`,
      `http://localhost.:${port}`,
      `http://evil.example:${port}`,
      'vscode-webview://abc',
      'chrome-extension://abc',
    ])
      assert.equal(await answer(origin), 'AUTH_FAILED', origin);
  });

  alike('upgrades only valid requests', async () => {
    assert.equal(await upgraded({}), 101);
    for (const [headers, line, status] of [
      [{}, 'POST / HTTP/1.1', 405],
      [{}, 'HEAD / HTTP/1.1', 405],
      [{}, 'GET /other HTTP/1.1', 404],
      [{}, 'GET //owner HTTP/1.1', 404],
      [{}, 'GET /owner/ HTTP/1.1', 404],
      [{}, 'GET http://evil.example/ HTTP/1.1', 404],
      [{ Upgrade: 'h2c' }, undefined, 400],
      [{ Upgrade: undefined }, undefined, 404],
      [{ 'Sec-WebSocket-Key': undefined }, undefined, 400],
      [{ 'Sec-WebSocket-Key': 'short' }, undefined, 400],
      [{ 'Sec-WebSocket-Version': '12' }, undefined, 400],
      [{ 'Sec-WebSocket-Version': undefined }, undefined, 400],
      [{ 'Sec-WebSocket-Protocol': ',' }, undefined, 400],
    ] as const)
      assert.equal(await upgraded(headers, line), status, `${line} ${JSON.stringify(headers)}`);
    assert.equal(await asked('nonsense\r\n\r\n'), 400);
    assert.equal(await asked(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${test.port}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`), 431);
  });

  alike('compresses nothing, even on request', async () => {
    const socket = await connect();
    socket.write(upgradeRequest(test.port, { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' }));
    const head = await socket.head();
    assert.match(head, /^HTTP\/1\.1 101 /);
    assert.doesNotMatch(head, /extensions/i);
  });

  alike('serves no page and no CORS header', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/secret'],
      ['GET', '/owner'],
      ['OPTIONS', '/'],
      ['POST', '/'],
    ] as const) {
      const socket = await connect();
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: localhost:${test.port}\r\nOrigin: http://page.example\r\nContent-Length: 0\r\n\r\n`,
      );
      const head = await socket.head();
      assert.match(head, /^HTTP\/1\.1 404 /);
      assert.doesNotMatch(head, /access-control/i);
      await socket.ended();
    }
    const status = await new Promise((resolve, reject) =>
      get({ port: test.port, host: '127.0.0.1', path: '/', headers: { Host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).once('error', reject),
    );
    assert.equal(status, 403);
  });

  alike('admits owners by their secret in a header, and no page', async () => {
    const { ownerSecret, fileToken } = test.server.gateway.grants;
    const owner = (headers: Record<string, string>) => upgraded(headers, 'GET /owner HTTP/1.1');
    assert.equal(await owner({ Authorization: `Bearer ${ownerSecret}` }), 101);
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      `Bearer ${fileToken}`,
      `Bearer ${ownerSecret}x`,
      `Basic ${ownerSecret}`,
      ownerSecret,
    ])
      assert.equal(await owner(authorization === undefined ? {} : { Authorization: authorization }), 401, authorization);
    for (const origin of ['http://evil.example', 'null', `http://localhost:${test.port}`])
      assert.equal(await owner({ Authorization: `Bearer ${ownerSecret}`, Origin: origin }), 403, origin);
    assert.equal(await owner({ Authorization: `Bearer ${ownerSecret}`, Host: 'evil.example' }), 403);
    assert.equal(await upgraded({}, `GET /owner?token=${ownerSecret} HTTP/1.1`), 401, 'not in a URL');
  });

  alike('admits owners that prove the secret, and proves it to them alone', async () => {
    const { ownerSecret, fileToken } = test.server.gateway.grants;
    const open = (path: string, secret: string, headers: Record<string, string> = {}) =>
      new Promise<string>((resolve) => {
        const options = { headers, finishRequest: (asked: ClientRequest) => new Challenge(secret).send(asked) };
        const socket = new WebSocket(`${test.server.url}${path}`, options);
        socket.once('open', () => {
          resolve('open');
          socket.terminate();
        });
        socket.once('error', ({ name, message }) => resolve(`${name}: ${message}`));
      });
    assert.equal(await open('/owner', ownerSecret), 'open');
    for (const token of [fileToken, ownerSecret, test.server.gateway.grants.issueSpawnToken('a')])
      assert.equal(await open('/', token), 'open');
    for (const secret of [fileToken, `${ownerSecret}x`, 'x']) assert.match(await open('/owner', secret), /401/);
    for (const secret of [`${fileToken}x`, 'x']) assert.match(await open('/', secret), /UnprovenListener/);
    assert.match(await open('/owner', ownerSecret, { Origin: 'http://evil.example' }), /403/);
    assert.match(await open('/owner', ownerSecret, { Host: 'evil.example' }), /403/);
    const socket = await connect();
    socket.write(upgradeRequest(test.port));
    assert.doesNotMatch(await socket.head(), /tapline/i, 'to who asks for no proof');
  });

  alike('is on loopback alone', async () => {
    const others = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.filter(({ internal }) => !internal));
    for (const { address, family, scopeid } of others) {
      const host = family === 'IPv6' && scopeid ? undefined : address;
      if (host !== undefined) await assert.rejects(RawSocket.connect(test.port, host), /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/, host);
    }
    await assert.rejects(RawSocket.connect(test.port, '127.0.0.2'), /ECONNREFUSED|EADDRNOTAVAIL/, 'not on all of 127.0.0.0/8');
    test.keep(await RawSocket.connect(test.port, '127.0.0.1'));
  });

  alike('has room for fifty authenticated connections, and for another when one has ended; others read why', async () => {
    const peers: RawProvider[] = [];
    while (peers.length < Limit.connections - 1) peers.push(await test.authenticated()); // one place is taken by the well-behaved provider
    for (const headers of [{}, { Origin: 'https://page.example' }] as Record<string, string>[]) {
      const late = await test.peer({ headers });
      const { code, message } = await late.next('error');
      assert.deepEqual([code, message], ['RATE_LIMITED', 'fifty are connected, which is the most; end one of them, or try again later']);
      assert.equal(await late.closed(), CloseCode.TryAgainLater);
      assert.equal(late.closeReason, 'fifty are connected, which is the most; end one of them, or try again later');
      assert.deepEqual(late.heard, [], 'it is told nothing else');
    }
    await test.serves();
    peers[0]?.dispose();
    await peers[0]?.closed();
    await eventually(() => test.server.gateway.connections.size < Limit.connections, 'its place');
    assert.equal((await test.authenticated()).closeCode, undefined);
  });

  alike('admits programs and other pages, however many connections a page opens', async () => {
    const { grants } = test.server.gateway;
    const { token } = grants.issuePairedToken('https://honest.example');
    const evil = (at: number) => test.peer({ headers: { Origin: `https://tab.evil${at % 7}.example` } });
    const opened = await Promise.all(Array.from({ length: Limit.connections * 2 }, (_, at) => evil(at)));
    const program = await test.bound({ name: 'late', session: 'a' });
    const page = await test.peer({ headers: { Origin: 'https://honest.example' } });
    page.say({ type: 'auth', token });
    await page.next('sessions');
    await eventually(() => opened.filter(({ closeCode }) => closeCode === undefined).length < Limit.pageConnections, 'the end of the rest');
    assert.deepEqual([program.closeCode, page.closeCode], [undefined, undefined]);
  });

  alike('reads little of a peer before it has authenticated, and anything afterwards', async () => {
    const megabytes = Buffer.alloc(4 * 1024 * 1024, 'x').toString();
    const stranger = await connect();
    stranger.write(upgradeRequest(test.port, { Origin: 'https://page.example' }));
    await stranger.head();
    // It is cut off long before the frame is whole, and before the time in which it has to authenticate is over.
    stranger.write(encodeFrame(Opcode.Text, megabytes).subarray(0, Limit.bytesBeforeAuth * 5));
    assert.equal(await stranger.closeCode(), undefined);
    const known = await test.bound({ name: 'talkative', session: 'a', tools: [{ name: 'much' }] });
    await test.owner0.tools('a', ['echo', 'much']);
    const outcome = test.session.call('much', {});
    const { id } = await known.next('tool.call');
    known.say({ type: 'tool.result', id, data: megabytes });
    assert.deepEqual(await outcome, { ok: true, data: megabytes });
  });

  alike('lets the pages of one site connect a few times a second, and others all the same', async () => {
    const visit = (origin?: string) => upgraded({ Origin: origin });
    for (let at = 0; at < Limit.siteVisits; at++) assert.equal(await visit(`https://tab${at}.evil.example`), 101);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => visit(`https://more${at}.evil.example`)));
    assert.ok(answers.includes(429), answers.join());
    assert.deepEqual([await visit('https://honest.example'), await visit()], [101, 101]);
  });

  alike('admits a program however many connections without a token are open', async () => {
    const strangers = await Promise.all(Array.from({ length: Limit.connections * 2 }, () => test.peer()));
    await eventually(
      () => strangers.filter(({ closeCode }) => closeCode !== undefined).length === Limit.connections,
      'the end of the oldest',
    );
    const program = await test.bound({ name: 'late', session: 'a' });
    assert.equal(program.closeCode, undefined);
  });

  alike('gives a page that has been paired its share of connections, and no more', async () => {
    const headers = { Origin: 'https://page.example' };
    const { token } = test.server.gateway.grants.issuePairedToken(headers.Origin);
    for (let at = 0; at < Limit.originConnections; at++) {
      const peer = await test.peer({ headers });
      peer.say({ type: 'auth', token });
      await peer.next('sessions');
    }
    const further = await test.peer({ headers });
    assert.match((await further.next('error')).message, /^ten pages of this address are connected/);
    assert.equal(await further.closed(), CloseCode.TryAgainLater);
    assert.equal(await upgraded({ Origin: 'https://other.example' }), 101);
    assert.equal(await upgraded({}), 101);
  });

  alike('leaves others their pairing requests and codes when a page asks for all that it can get', async () => {
    const ask = async (origin?: string) => {
      const peer = await test.peer(origin === undefined ? {} : { headers: { Origin: origin } });
      peer.say({ type: 'auth', mode: 'pair' });
      await peer.any('auth.pairing', 'error');
      return peer;
    };
    for (let at = 0; at < 10; at++) await ask(`https://tab${at}.evil.example`);
    await ask('null');
    for (const [origin, name] of [
      ['https://honest.example', 'page'],
      [undefined, 'program'],
    ] as const) {
      const peer = await ask(origin);
      const { code } = await test.owner0.next('pairing/started', (pairing) => pairing.origin === origin);
      peer.say({ type: 'auth.confirm', code });
      await peer.next('sessions');
      peer.say({ type: 'hello', name, protocolVersion: 2, session: 'a' });
      await peer.next('hello.ack');
    }
  });

  alike(
    'closes peers that do not authenticate within 5 s, and is not held up by half an upgrade',
    async () => {
      const half = await connect();
      half.write('GET / HTTP/1.1\r\nHost: ');
      const headless = await connect();
      headless.write(upgradeRequest(test.port).slice(0, -2));
      const dumb = await connect(); // connects and sends nothing
      const silent = test.keep(await RawSocket.open(test.port));
      const live = await test.authenticated();
      await test.serves();
      assert.equal(await silent.closeCode(), 4001);
      assert.deepEqual([await half.status(), await headless.status()], [408, 408]);
      await dumb.ended();
      assert.equal(live.closeCode, undefined);
    },
    40_000,
  );
});
