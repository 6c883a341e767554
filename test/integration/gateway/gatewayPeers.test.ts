/** Peers that flood, do not read, or hang, and the gateway on IPv6. Each runs next to a well-behaved peer. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { WebSocket } from 'ws';
import { withTimeout } from '../../../src/base/errors.ts';
import { MAX_REFUSALS_IN_A_ROW } from '../../../src/base/connection/refusals.ts';
import { MAX_UNANSWERED_PINGS, PING_INTERVAL_MS } from '../../../src/base/server/socket/peerSocket.ts';
import { startGatewayServer } from '../../../src/gateway/gatewayServer.ts';
import { CloseCode } from '../../../src/tap/wire/closeCodes.ts';
import { Limit } from '../../../src/tap/wire/limits.ts';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { type RawProvider, TestGateway, type TestOwner } from './gatewayHarness.ts';

const echo = { name: 'echo', description: 'x', parameters: {} };
const MB = 1024 * 1024;

/** Answers every call. */
function serve(peer: RawProvider): RawProvider {
  peer.socket.on('message', (data) => {
    const { type, id } = JSON.parse(String(data)) as { type: string; id: string };
    if (type === 'tool.call') peer.say({ type: 'tool.result', id, data: 'here' });
  });
  return peer;
}

describe('gateway and peers that flood', () => {
  let test: TestGateway;
  let owner: TestOwner;
  let session: OwnedSession;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
    session = await owner.session('a');
    serve(await test.bound({ name: 'good', session: 'a', tools: [echo] }));
    await owner.tools('a', ['echo']);
  });
  afterEach(() => test.stop());
  const answered = async () => assert.deepEqual(await session.call('echo', {}), { ok: true, data: 'here' });

  for (const [what, frame] of [
    ['garbage', 'x'],
    ['unknown types', '{"type":"nonsense"}'],
    ['legal messages', '{"type":"tool.progress","id":"none","message":"x"}'],
  ] as const) {
    it(`of ${what}: they are told, then closed, while others are served`, async () => {
      const flood = await test.bound({ name: 'flood', session: 'a' });
      for (let at = 0; at < Limit.framesPerSecond * 10; at++) {
        flood.say(frame);
        if (at % 1000 === 0) await answered();
      }
      assert.equal(await flood.closed(), CloseCode.Flooding);
      const limited = flood.heard.filter((message) => message.type === 'error' && message.code === 'RATE_LIMITED');
      assert.ok(limited.length >= 1 && limited.length < 10, `${limited.length}`);
      await answered();
    });
  }

  for (const [what, mirrored] of [
    ['as it was', (text: string) => text],
    ['in other words', (text: string) => `you said: ${text}`],
  ] as const) {
    it(`a peer that sends everything back ${what} is told ten times in a row`, async () => {
      const mirror = await test.bound({ name: 'mirror', session: 'a' });
      const errors = () => mirror.heard.filter(({ type }) => type === 'error').length;
      let isMirror = true;
      mirror.socket.on('message', (data) => isMirror && mirror.say(mirrored(String(data))));
      mirror.say('hello');
      await eventually(() => errors() >= MAX_REFUSALS_IN_A_ROW, 'the errors');
      isMirror = false;
      mirror.say({ type: 'stream.query', queryId: 'q', streams: ['s'] });
      await mirror.next('stream.history');
      assert.equal(errors(), MAX_REFUSALS_IN_A_ROW);
      mirror.say('hello');
      await eventually(() => errors() === MAX_REFUSALS_IN_A_ROW + 1, 'an error again');
      await answered();
    });
  }

  it('of pings', async () => {
    const flood = await test.bound({ name: 'flood', session: 'a' });
    const flooding = () => {
      for (let at = 0; at < 20 && flood.closeCode === undefined; at++) flood.socket.ping();
      return flood.closeCode !== undefined;
    };
    await eventually(flooding, 'its end', 20_000);
    assert.equal(flood.closeCode, CloseCode.Flooding);
    await answered();
  });

  it('a peer that sends much and then waits is not closed', async () => {
    const busy = await test.bound({ name: 'busy', session: 'a' });
    for (let at = 0; at < Limit.framesPerSecond * 2 - 10; at++) busy.say({ type: 'tool.progress', id: 'none', message: 'x' });
    busy.say({ type: 'stream.query', queryId: 'q', streams: ['s'] });
    await busy.next('stream.history');
    assert.deepEqual(
      busy.heard.filter(({ type }) => type === 'error'),
      [],
    );
  });

  it('a peer that answers very many calls is not limited', async () => {
    const calls = Limit.framesPerSecond * 4;
    let left = calls;
    const one = async () => {
      while (left-- > 0) await answered();
    };
    await Promise.all(Array.from({ length: 50 }, one));
    assert.equal((await owner.client.request('diagnostics', {})).counters['error.RATE_LIMITED'], undefined);
  });
});

describe('gateway and peers that do not read', () => {
  let test: TestGateway;
  let owner: TestOwner;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
  });
  afterEach(() => test.stop());

  it('closes a provider that leaves too much unread; one that reads as much is served', async () => {
    const session = await owner.session('a');
    const slow = await test.bound({ name: 'slow', session: 'a', tools: [{ ...echo, name: 'slow' }] });
    const good = serve(await test.bound({ name: 'good', session: 'a', tools: [echo] }));
    await owner.tools('a', ['slow', 'echo']);
    slow.socket.pause();
    const args = { text: 'x'.repeat(MB) };
    const calls = Array.from({ length: 40 }, () => session.call('slow', args));
    for (let at = 0; at < 40; at++) assert.ok((await session.call('echo', args)).ok);
    const ends = (await withTimeout(Promise.all(calls), 20_000, 'the end of the calls')).map((outcome) => !outcome.ok && outcome.errorCode);
    // Calls under way are lost. For later ones the tool does not exist.
    assert.deepEqual([...new Set(ends)], ['DISCONNECTED', 'NOT_FOUND']);
    const { providers } = await owner.client.request('diagnostics', {});
    assert.deepEqual(
      providers.map(({ name }) => name),
      ['good'],
    );
    assert.equal(good.closeCode, undefined);
    slow.socket.resume();
    assert.ok([CloseCode.TooSlow, 1006].includes(await slow.closed(10_000)));
  });

  it('closes a provider that pings and does not read the pongs', async () => {
    const slow = await test.bound({ name: 'slow', session: await owner.session('a').then(({ id }) => id) });
    const good = await test.authenticated();
    slow.socket.pause();
    const payload = Buffer.alloc(125);
    await eventually(
      () => {
        for (let at = 0; at < 100; at++) slow.socket.ping(payload);
        return test.server.gateway.connections.size === 1;
      },
      'its end',
      20_000,
    );
    assert.equal(good.closeCode, undefined);
  });

  it('closes an owner that leaves too much unread, and ends its sessions; others are served', async () => {
    const session = await owner.session('a');
    serve(await test.bound({ name: 'good', session: 'a', tools: [echo] }));
    await owner.tools('a', ['echo']);
    const { url, gateway } = test.server;
    const hung = new WebSocket(`${url}/owner`, { headers: { Authorization: `Bearer ${gateway.grants.ownerSecret}` } });
    await new Promise((resolve) => hung.once('open', resolve));
    const ask = (id: number, method: string, params: object) => hung.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    ask(1, 'initialize', { protocolVersion: 1, name: 'hung' });
    ask(2, 'session/register', { sessionId: 'b', label: 'b' });
    await eventually(() => gateway.sessions.get('b'), 'its session');
    hung.pause();
    const large = { ts: new Date(0).toISOString(), event: 'x'.repeat(MB), level: 'keep' } as const;
    const big = { name: 'big', account: 'big', budgetKey: 'big' };
    for (const stream of ['one', 'two']) gateway.sessions.get('b')?.streams.append(big, stream, large);
    for (let id = 3; id < 100; id++) ask(id, 'stream/query', { sessionId: 'b', last: 200 });
    await eventually(() => test.server.ownerCount === 1, 'its end', 20_000);
    assert.equal(gateway.sessions.get('b'), undefined);
    assert.ok((await session.call('echo', {})).ok);
    hung.terminate();
  });
});

describe('gateway and peers that hang', () => {
  const clock = new FakeClock();
  let test: TestGateway;
  let owner: TestOwner;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start({ clock });
    owner = await test.owner();
  });
  afterEach(() => test.stop());
  /** Lets one ping interval pass and waits for what was sent. */
  const interval = async (...heard: Promise<unknown>[]) => {
    clock.advance(PING_INTERVAL_MS);
    await Promise.all(heard);
  };
  const pinged = (socket: WebSocket) => withTimeout(new Promise((resolve) => socket.once('ping', resolve)), 5000, 'a ping');

  it('closes a provider that answers no pings, and keeps one that does', async () => {
    const [hung, live] = [await test.authenticated(), await test.authenticated()];
    hung.socket.pause();
    for (let at = 0; at < MAX_UNANSWERED_PINGS; at++) await interval(pinged(live.socket));
    // Messages arrive in order, so after this one the last pong has arrived.
    live.say('x');
    await live.next('error');
    assert.equal(test.server.gateway.connections.size, 2);
    await interval(pinged(live.socket));
    assert.equal(test.server.gateway.connections.size, 1);
    hung.socket.resume();
    assert.equal(await hung.closed(), CloseCode.Unresponsive);
    assert.equal(live.closeCode, undefined);
  });

  it('waits for a provider that blocks while it works, as long as its longest call may take', async () => {
    const minutes = 5;
    const session = await owner.session('a');
    const blocked = await test.bound({ name: 'blocked', session: 'a', tools: [{ ...echo, timeout: minutes * 60_000 }] });
    clock.advance(10);
    await owner.tools('a', ['echo']);
    const outcome = session.call('echo', {});
    const { id } = await blocked.next('tool.call');
    blocked.socket.pause();
    const live = await test.authenticated();
    for (let at = 0; at < (minutes * 60_000) / PING_INTERVAL_MS - 1; at++) await interval(pinged(live.socket));
    blocked.socket.resume();
    blocked.say({ type: 'tool.result', id, data: 'at last' });
    assert.deepEqual(await outcome, { ok: true, data: 'at last' });
    blocked.socket.pause();
    const stuck = session.call('echo', {});
    await eventually(() => test.server.gateway.status().providers[0]?.pendingCalls === 1, 'the call');
    for (let at = 0; at <= (minutes * 60_000) / PING_INTERVAL_MS; at++) await interval(pinged(live.socket));
    const failed = await stuck;
    assert.ok(!failed.ok && failed.errorCode === 'TIMEOUT');
    await eventually(() => test.server.gateway.status().providers.length === 0, 'its end');
    blocked.socket.resume();
    assert.equal(await blocked.closed(), CloseCode.Unresponsive);
  });

  it('destroys the socket when the close is not answered', async () => {
    const hung = await test.authenticated();
    hung.socket.pause();
    for (let at = 0; at <= MAX_UNANSWERED_PINGS; at++) await interval();
    assert.equal(test.server.gateway.connections.size, 0);
    clock.advance(2000);
    hung.socket.resume();
    await hung.closed();
  });

  it('closes an owner that answers no pings, and keeps one that does', async () => {
    const { url, gateway } = test.server;
    const hung = new WebSocket(`${url}/owner`, { headers: { Authorization: `Bearer ${gateway.grants.ownerSecret}` } });
    await new Promise((resolve) => hung.once('open', resolve));
    hung.pause();
    assert.equal(test.server.ownerCount, 2);
    for (let at = 0; at <= MAX_UNANSWERED_PINGS; at++) {
      await interval();
      await owner.client.request('diagnostics', {});
    }
    assert.equal(test.server.ownerCount, 1);
    assert.equal(owner.client.state.kind, 'connected');
    hung.terminate();
  });
});

describe('gateway on IPv6', () => {
  let test: TestGateway;
  beforeEach(() => (test = new TestGateway()));
  afterEach(() => test.stop());
  const status = (address: string, headers: Record<string, string>, path = '/') =>
    withTimeout(
      new Promise<number>((resolve, reject) => {
        const socket = new WebSocket(`ws://${address}:${test.server.port}${path}`, { headers });
        socket.once('open', () => (socket.terminate(), resolve(101)));
        socket.once('unexpected-response', (_request, response) => (socket.terminate(), resolve(response.statusCode ?? 0)));
        socket.once('error', reject);
      }),
      5000,
      'the upgrade',
    );

  it('listens on ::1 where it is asked to, with the same rules', async () => {
    await test.start({ alsoV6: true });
    const { port, gateway } = test.server;
    for (const address of ['127.0.0.1', '[::1]']) {
      assert.equal(await status(address, {}), 101, address);
      for (const host of [`localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`])
        assert.equal(await status(address, { Host: host }), 101);
      for (const host of ['evil.example', `[::2]:${port}`, `[::ffff:127.0.0.1]:${port}`])
        assert.equal(await status(address, { Host: host }), 403, `${address} as ${host}`);
      assert.equal(await status(address, { Authorization: `Bearer ${gateway.grants.ownerSecret}` }, '/owner'), 101);
      assert.equal(await status(address, {}, '/owner'), 401);
    }
    const page = await test.peer({ headers: { Origin: `http://[::1]:${port}` } });
    page.say({ type: 'auth', token: gateway.grants.fileToken });
    await page.next('sessions');
  });

  it('does not listen on ::1 otherwise', async () => {
    await test.start();
    await assert.rejects(status('[::1]', {}), /ECONNREFUSED/);
  });

  it('leaves nothing behind when one of the two ports is taken, and finds a free pair when any will do', async () => {
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(0, '::1', resolve));
    const { port } = stranger.address() as { port: number };
    await test.start({ alsoV6: true });
    const options = { clock: new FakeClock(), logger: { ...console, trace: () => undefined }, version: 'x', home: test.home, alsoV6: true };
    await assert.rejects(startGatewayServer({ ...options, port }), { code: 'EADDRINUSE' });
    const free = createServer();
    await new Promise<void>((resolve, reject) => free.once('error', reject).listen(port, '127.0.0.1', resolve));
    free.close();
    stranger.close();
  });
});
