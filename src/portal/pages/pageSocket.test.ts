import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { nullLogger } from '../../base/log.ts';
import { MAX_UNANSWERED_PINGS, PING_INTERVAL_MS } from '../../base/server/socket/peerSocket.ts';
import { MAX_PAGE_MESSAGE_BYTES, PAGE_NOT_FOUND, SIGN_OF_LIFE_MS } from '../../views/portal/wire/pageWire.ts';
import { claimText, PAGE_PROTOCOL, sessionOf } from '../../views/portal/wire/pageSessionWire.ts';
import { Access, ownHost } from '../door/access.ts';
import type { SocketPagePort } from './openPage.ts';
import { MAX_MESSAGES, MAX_SOCKETS, PageClose, PageSockets } from './pageSocket.ts';

describe('the WebSocket of a page', () => {
  let server: Server;
  let sockets: PageSockets;
  let port: number;
  let access: Access;
  let clock: FakeClock;
  /** What pages were opened with, and what was heard from them. */
  let opened: { query: string; port: SocketPagePort }[];
  let heard: unknown[];
  let onDisposed: () => void;
  let disposed: Promise<void>;
  const clients: WebSocket[] = [];

  beforeEach(async () => {
    server = createServer((_request, response) => response.end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
    access = new Access(false);
    clock = new FakeClock();
    [opened, heard] = [[], []];
    disposed = new Promise((resolve) => (onDisposed = resolve));
    const open = (query: URLSearchParams, page: SocketPagePort) => {
      if (query.has('none')) return undefined;
      if (query.has('broken')) throw new Error('broken');
      opened.push({ query: query.toString(), port: page });
      page.onMessage((message) => {
        if (message === 'break') throw new Error('broken');
        heard.push(message);
      });
      return { dispose: () => onDisposed() };
    };
    sockets = new PageSockets(server, port, { access, pages: new Map([['/pages/x/socket', open]]), clock, logger: nullLogger });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate();
    sockets.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** What a browser says of the session of a page that was opened with the token of that portal. */
  function protocolsOf({ sessions }: Access, host = ownHost(port)): string {
    assert.ok(sessions);
    const key = Buffer.from(sessions.keyFor(sessions.offer(), host) ?? '', 'base64url');
    const nonce = randomBytes(32).toString('base64url');
    const parts = { nonce, ...(sessions.answer(nonce, host, ownHost(port)) ?? assert.fail()) };
    return `${PAGE_PROTOCOL}, ${sessionOf(parts, createHmac('sha256', key).update(claimText(parts)).digest('base64url'))}`;
  }
  const PROTOCOLS = 'Sec-WebSocket-Protocol';
  const own = () => ({ Host: ownHost(port), Origin: `http://${ownHost(port)}` });
  function connect(headers: Record<string, string | undefined> = {}, path = '/pages/x/socket?a=b'): WebSocket {
    const { [PROTOCOLS]: protocols = access.token === undefined ? '' : protocolsOf(access), ...others } = headers;
    const given = Object.entries({ ...own(), ...others }).filter(([, value]) => value !== undefined) as [string, string][];
    const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols === '' ? [] : protocols.split(', '), {
      headers: Object.fromEntries(given),
    });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  }
  const status = async (client: WebSocket) => {
    const answer = once(client, 'unexpected-response') as Promise<[unknown, { statusCode: number }]>;
    return Promise.race([answer.then(([, { statusCode }]) => statusCode), once(client, 'open').then(() => 'open')]);
  };
  const closed = async (client: WebSocket) => ((await once(client, 'close')) as [number])[0];
  const told = async (client: WebSocket) => JSON.parse(String(((await once(client, 'message')) as [Buffer])[0])) as unknown;

  it('opens for the portal’s own page', async () => {
    const client = connect();
    assert.equal(await status(client), 'open');
    assert.equal(opened[0]?.query, 'a=b');
    client.send(JSON.stringify({ n: 1, message: { type: 'ready' } }));
    assert.deepEqual(await told(client), { seen: 1 });
    assert.deepEqual(heard, [{ type: 'ready' }]);
    const message = told(client);
    await opened[0]?.port.post([{ type: 'show' }]);
    assert.deepEqual(await message, { messages: [{ type: 'show' }] });
    client.close();
    await disposed;
    await assert.rejects(async () => opened[0]?.port.post([]));
  });

  it('stays shut for everybody else', async () => {
    const cases: [string, Record<string, string | undefined>, number][] = [
      ['a page of another site', { Origin: 'https://evil.example' }, 403],
      ['a page of another port', { Origin: `http://127.0.0.1:${port + 1}` }, 403],
      ['a page of another name of this computer', { Origin: `http://localhost:${port}` }, 403],
      ['a page over TLS', { Origin: `https://127.0.0.1:${port}` }, 403],
      ['a page without an origin', { Origin: 'null' }, 403],
      ['a program', { Origin: undefined }, 403],
      ['a page that was rebound', { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` }, 403],
      ['another site, as the browser says', { 'Sec-Fetch-Site': 'cross-site' }, 403],
      ['no session', { [PROTOCOLS]: '' }, 401],
      ['a name without a session', { [PROTOCOLS]: PAGE_PROTOCOL }, 401],
      ['the token', { [PROTOCOLS]: `${PAGE_PROTOCOL}, ${access.token}` }, 401],
      ['a session of another run with the same token', { [PROTOCOLS]: protocolsOf(new Access(false, access.token)) }, 401],
      ['a session of a page at another address', { [PROTOCOLS]: protocolsOf(access, ownHost(port + 1)) }, 401],
    ];
    for (const [who, headers, expected] of cases) assert.equal(await status(connect(headers)), expected, who);
    assert.equal(await status(connect({}, '/pages/y/socket')), 404);
    assert.equal(await status(connect({}, '/pages/x//socket')), 404);
    assert.deepEqual(opened, []);
  });

  it('needs its own page also where no token is needed', async () => {
    sockets.close();
    server.removeAllListeners('upgrade');
    const pages = new Map([['/pages/x/socket', () => ({ dispose: () => undefined })]]);
    access = new Access(true);
    sockets = new PageSockets(server, port, { access, pages, clock, logger: nullLogger });
    assert.equal(await status(connect()), 'open');
    assert.equal(await status(connect({ Origin: 'https://evil.example' })), 403);
    assert.equal(await status(connect({ Origin: undefined })), 403);
  });

  it('closes for a page that there is not', async () => {
    assert.equal(await closed(connect({}, '/pages/x/socket?none')), PAGE_NOT_FOUND);
    const client = connect();
    await once(client, 'open');
    const end = closed(client);
    opened[0]?.port.end('it is over');
    assert.equal(await end, PAGE_NOT_FOUND);
  });

  it('closes for a page that fails, and goes on', async () => {
    assert.equal(await closed(connect({}, '/pages/x/socket?broken')), PageClose.Failed);
    const client = connect();
    await once(client, 'open');
    client.send(JSON.stringify({ n: 1, message: 'break' }));
    assert.equal(await closed(client), PageClose.Failed);
    await disposed;
    assert.equal(await status(connect()), 'open');
  });

  it('closes on what is no message, and on a flood', async () => {
    for (const sent of ['{', '{"message":{}}', '{"n":"1","message":{}}', Buffer.from('{"n":1,"message":{}}')]) {
      const client = connect();
      await once(client, 'open');
      client.send(sent, { binary: typeof sent !== 'string' });
      assert.equal(await closed(client), PageClose.BadMessage, String(sent));
    }
    const client = connect();
    await once(client, 'open');
    for (let n = 1; n <= MAX_MESSAGES + 1; n++) client.send(JSON.stringify({ n, message: {} }));
    assert.equal(await closed(client), PageClose.TooMany);
    assert.equal(heard.length, MAX_MESSAGES);
  });

  it('closes on a message that is too large', async () => {
    const client = connect();
    await once(client, 'open');
    client.send(JSON.stringify({ n: 1, message: 'x'.repeat(MAX_PAGE_MESSAGE_BYTES) }));
    assert.equal(await closed(client), 1009);
    assert.deepEqual(heard, []);
  });

  it('gives signs of life, and closes when it gets none', async () => {
    const client = connect();
    await once(client, 'open');
    const message = told(client);
    clock.advance(SIGN_OF_LIFE_MS);
    assert.deepEqual(await message, {});
    // Its answers do not come to a clock that is ahead.
    clock.advance(MAX_UNANSWERED_PINGS * PING_INTERVAL_MS);
    assert.equal(await closed(client), PageClose.Unresponsive);
  });

  it('is one of a bounded number, and ends with the server', async () => {
    const all = Array.from({ length: MAX_SOCKETS }, () => connect());
    assert.ok((await Promise.all(all.map(status))).every((one) => one === 'open'));
    assert.equal(await status(connect()), 503);
    const ends = all.map(closed);
    sockets.close();
    await Promise.all(ends);
  });
});
