import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { withTimeout } from '../../src/base/errors.ts';
import { Limit } from '../../src/tap/limits.ts';
import { TestGateway, type TestOwner } from './gatewayHarness.ts';

const greet = {
  name: 'greet',
  description: 'x',
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};
const hello = (fields: object = {}) => ({ type: 'hello', name: 'provider', protocolVersion: 2, ...fields });

describe('gateway over sockets', () => {
  let test: TestGateway;
  let owner: TestOwner;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
  });
  afterEach(() => test.stop());

  it('carries a call from the owner to a provider and back, with progress', async () => {
    const session = await owner.session('a');
    const peer = await test.authenticated();
    peer.say(hello({ session: 'a', tools: [greet] }));
    await owner.tools('a', ['greet']);
    const outcome = session.call('greet', { name: 'Alice' });
    const { id, args } = await peer.next('tool.call');
    assert.deepEqual(args, { name: 'Alice' });
    peer.say({ type: 'tool.progress', id, message: 'half' }).say({ type: 'tool.result', id, data: 'Hello, Alice!' });
    assert.deepEqual(await outcome, { ok: true, data: 'Hello, Alice!' });
    assert.equal((await owner.next('tool/progress')).message, 'half');
    const wrong = await session.call('greet', {});
    assert.ok(!wrong.ok && wrong.errorCode === 'INVALID_ARGUMENTS');
  });

  it('cancels a call when the owner’s signal says so, and when the owner goes', async () => {
    const session = await owner.session('a');
    const peer = await test.bound({ session: 'a', tools: [greet] });
    await owner.tools('a', ['greet']);
    const controller = new AbortController();
    const outcome = session.call('greet', { name: 'x' }, controller.signal);
    const { id } = await peer.next('tool.call');
    controller.abort('enough');
    assert.deepEqual((await peer.next('tool.cancel')).reason, 'enough');
    const cancelled = await outcome;
    assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');
    peer.say({ type: 'tool.result', id, errorCode: 'CANCELLED' });
    const lost = session.call('greet', { name: 'x' });
    await peer.next('tool.call');
    owner.dispose();
    await assert.rejects(lost, /link/);
    await peer.next('tool.cancel');
    assert.equal((await peer.next('session.lifecycle')).state, 'started');
    assert.equal((await peer.next('session.lifecycle')).state, 'shutdown.pending');
  });

  it('serves an owner everything else: hooks, transforms, streams, pushes, events, tokens, diagnostics', async () => {
    const session = await owner.session('a');
    const token = await session.issueToken();
    const peer = await test.authenticated(token);
    peer.say(
      hello({
        subscribe: ['user.message'],
        context: 'ctx',
        hooks: {
          onPreToolUse: [{ match: { tool: 'shell' }, action: 'gate', gateId: 'g' }],
          transforms: { s: { action: 'append', content: 'more' } },
        },
      }),
    );
    await peer.next('hello.ack');
    const decision = session.evaluateHooks('shell', { command: 'ls' });
    const { callId } = await peer.next('gate.check');
    peer.say({ type: 'gate.result', gateId: 'g', callId, decision: 'deny', reason: 'no' });
    assert.deepEqual(await decision, { decision: 'deny', reason: 'no', provider: 'provider', context: [] });
    const parts = await session.evaluateTransforms({ s: 'base' });
    assert.deepEqual([parts.sections[0]?.content, parts.context], ['base\nmore', [{ provider: 'provider', content: 'ctx' }]]);
    session.event('user.message', { content: 'hi' }, true);
    assert.deepEqual((await peer.next('session.event')).data, { content: 'hi' });
    peer.say({ type: 'push', level: 'inject', event: 'look' });
    assert.equal((await owner.next('push/inject')).text, 'look');
    assert.equal((await session.streams())[0]?.entries[0]?.event, 'look');
    const status = await owner.client.request('diagnostics', {});
    assert.equal(status.providers[0]?.name, 'provider');
    assert.ok(!JSON.stringify(status).includes(token));
    await session.update({ idle: false });
    await session.update({ idle: true });
    await peer.next('session.lifecycle');
    assert.equal((await peer.next('session.lifecycle')).state, 'idle');
    const ended = session.end();
    await peer.next('session.lifecycle');
    peer.say({ type: 'goodbye' });
    await ended;
    assert.equal(await peer.closed(), 1000);
  });

  it('keeps an owner to its own sessions and to well-formed requests', async () => {
    await owner.session('a');
    const other = await test.owner();
    const request = (method: string, params: object) => other.client.request(method as 'session/end', params);
    await assert.rejects(request('session/end', { sessionId: 'a' }), /no session "a"/);
    await assert.rejects(request('session/end', {}), /sessionId/);
    await assert.rejects(request('nonsense', {}), /no method/);
    await assert.rejects(request('toString', {}), /no method/);
    await assert.rejects(request('session/register', { sessionId: 'a', label: '' }), /registered already/);
  });

  it('pairs a web page by the code that the owner shows', async () => {
    await owner.session('a');
    const page = { headers: { Origin: 'http://page.example' } };
    const peer = await test.peer(page);
    peer.say({ type: 'auth', mode: 'pair' });
    await peer.next('auth.pairing');
    const { code, origin } = await owner.next('pairing/started');
    assert.equal(origin, 'http://page.example');
    peer.say({ type: 'auth.confirm', code });
    const { token } = await peer.next('sessions');
    const again = await test.peer(page);
    again.say({ type: 'auth', token });
    await again.next('sessions');
    const thief = await test.peer({ headers: { Origin: 'http://evil.example' } });
    thief.say({ type: 'auth', token });
    assert.equal((await thief.next('error')).code, 'AUTH_FAILED');
    await thief.closed();
  });

  it('reads file results from the provider’s own folder alone', async () => {
    const session = await owner.session('a');
    const peer = await test.authenticated(await session.issueToken());
    peer.say(hello({ tools: [{ name: 'shot' }] }));
    const { persistDir = '' } = await peer.next('hello.ack');
    await owner.tools('a', ['shot']);
    const outside = join(test.home, 'outside.png');
    writeFileSync(outside, 'secret');
    writeFileSync(join(persistDir, 'good.png'), 'image');
    symlinkSync(outside, join(persistDir, 'link.png'));
    mkdirSync(join(persistDir, 'folder'));
    const ask = async (path: string, size: number) => {
      const outcome = session.call('shot', {});
      const { id } = await peer.next('tool.call');
      peer.say({ type: 'tool.result', id, file: { path, mimeType: 'image/png', size, ttl: 300 } });
      return outcome;
    };
    assert.deepEqual(await ask(join(persistDir, 'good.png'), 5), {
      ok: true,
      file: { mimeType: 'image/png', size: 5, base64: Buffer.from('image').toString('base64') },
    });
    for (const [path, size, why] of [
      [outside, 6, /outside/],
      [join(persistDir, '..', '..', 'outside.png'), 6, /outside/],
      [join(persistDir, 'link.png'), 6, /outside/],
      [join(persistDir, 'folder'), 0, /regular/],
      [join(persistDir, 'good.png'), 4, /size/],
      ['good.png', 5, /absolute/],
      [join(persistDir, 'none.png'), 5, /ENOENT/],
    ] as const) {
      const outcome = await ask(path, size);
      assert.ok(!outcome.ok, path);
      assert.match(outcome.error, why);
    }
  });
});

describe('gateway against strangers', () => {
  let test: TestGateway;
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
  });
  afterEach(() => test.stop());
  const port = () => test.server.port;
  const upgraded = async (path: string, headers: Record<string, string>) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port()}${path}`, { headers });
    return withTimeout(
      new Promise<number>((resolve, reject) => {
        socket.once('open', () => (socket.terminate(), resolve(101)));
        socket.once('unexpected-response', (_request, response) => (socket.terminate(), resolve(response.statusCode ?? 0)));
        socket.once('error', reject);
      }),
      5000,
      'the upgrade',
    );
  };

  it('takes only its own names and port for Host', async () => {
    for (const host of [`127.0.0.1:${port()}`, `localhost:${port()}`, `LOCALHOST:${port()}`, `[::1]:${port()}`])
      assert.equal(await upgraded('/', { Host: host }), 101, host);
    for (const host of [
      'evil.example',
      `evil.example:${port()}`,
      '127.0.0.1',
      `127.0.0.1:${port() + 1}`,
      `localhost.evil.example:${port()}`,
    ]) {
      assert.equal(await upgraded('/', { Host: host }), 403, host);
    }
  });

  it('lets owners in by their secret in a header, and no page', async () => {
    const { ownerSecret, fileToken } = test.server.gateway.grants;
    assert.equal(await upgraded('/owner', { Authorization: `Bearer ${ownerSecret}` }), 101);
    assert.equal(await upgraded('/owner', {}), 401);
    assert.equal(await upgraded('/owner', { Authorization: `Bearer ${fileToken}` }), 401);
    assert.equal(await upgraded('/owner', { Authorization: `Bearer ${ownerSecret}`, Origin: 'http://evil.example' }), 403);
    assert.equal(await upgraded('/nonsense', {}), 404);
  });

  it('serves no page and no CORS header', async () => {
    const answer = (headers: Record<string, string>) =>
      new Promise<{ status?: number; headers: object }>((resolve, reject) =>
        get({ port: port(), host: '127.0.0.1', path: '/secret', headers }, (response) => {
          response.resume();
          resolve({ status: response.statusCode, headers: response.headers });
        }).once('error', reject),
      );
    const own = await answer({ Origin: 'http://page.example' });
    assert.equal(own.status, 404);
    assert.ok(!('access-control-allow-origin' in own.headers));
    assert.equal((await answer({ Host: 'evil.example' })).status, 403);
  });

  it('gives a page nothing but pairing, even with the right file token', async () => {
    const { fileToken } = test.server.gateway.grants;
    const page = await test.peer({ headers: { Origin: 'http://evil.example' } });
    page.say({ type: 'auth', token: fileToken });
    assert.equal((await page.next('error')).code, 'AUTH_FAILED');
    const own = await test.peer({ headers: { Origin: `http://localhost:${port()}` } });
    own.say({ type: 'auth', token: fileToken });
    await own.next('sessions');
  });

  it('answers a frame above 5 MiB, and closes at its hard cap with 1009', async () => {
    const frame = (bytes: number) => `{"type":"goodbye","x":"${'x'.repeat(bytes)}"}`;
    const peer = await test.authenticated();
    peer.say(frame(Limit.toolResultBytes));
    assert.equal((await peer.next('error')).code, 'PAYLOAD_TOO_LARGE');
    peer.say(frame(Limit.messageBytes));
    assert.equal((await peer.next('error')).code, 'PAYLOAD_TOO_LARGE');
    peer.say(frame(1000));
    assert.equal((await peer.next('error')).code, 'UNAUTHORIZED');
    peer.say(frame(Limit.frameBytes));
    assert.equal(await peer.closed(), 1009);
    const huge = await test.authenticated();
    huge.socket.on('error', () => undefined); // the reset that a peer sees that is still sending
    huge.say(frame(100 * 1024 * 1024));
    assert.ok([1006, 1009].includes(await huge.closed(20_000)));
    await test.authenticated();
  });

  it('refuses binary frames and deep JSON as what they are, and goes on', async () => {
    const peer = await test.authenticated();
    peer.socket.send(Buffer.from('{"type":"goodbye"}'), { binary: true });
    assert.equal((await peer.next('error')).code, 'INVALID_JSON');
    peer.say(`{"type":"hello","x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`);
    assert.match((await peer.next('error')).message, /nested/);
    peer.say('{"type":"hello","__proto__":{"name":"x"},"constructor":1}');
    assert.match((await peer.next('error')).message, /^name/);
    assert.equal(peer.closeCode, undefined);
  });

  it('has room for fifty connections', async () => {
    const peers = await Promise.all(Array.from({ length: Limit.connections }, () => test.peer()));
    assert.equal(await upgraded('/', {}), 503);
    peers[0]?.say({ type: 'auth', token: 'wrong' });
    await peers[0]?.closed();
    assert.equal(await upgraded('/', {}), 101);
  });

  it('closes who does not authenticate within 5 s, and is not held up by half an upgrade', async function () {
    this.timeout(20_000);
    const half = connect(port(), '127.0.0.1');
    half.on('error', () => undefined); // its reset is what is waited for
    half.write('GET / HTTP/1.1\r\nHost: ');
    const gone = new Promise((resolve) => half.once('close', resolve));
    half.resume();
    const silent = await test.peer();
    const live = await test.authenticated();
    assert.equal(await silent.closed(8000), 4001);
    await withTimeout(gone, 10_000, 'the end of half a request');
    assert.equal(live.closeCode, undefined);
  });

  it('outlives a flood', async () => {
    const flood = await test.authenticated();
    for (let at = 0; at < 20_000; at++) flood.say('{"type":"nonsense"}');
    const other = await test.authenticated();
    assert.equal(other.closeCode, undefined);
  });
});
