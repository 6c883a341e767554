import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { nullLogger } from '../../base/log.ts';
import { MAX_UNANSWERED_PINGS, PING_INTERVAL_MS } from '../../base/server/peerSocket.ts';
import { MAX_PAGE_MESSAGE_BYTES, PAGE_ENDED, PAGE_NOT_FOUND, SIGN_OF_LIFE_MS } from '../../views/portal/pageWire.ts';
import { Access, cookieName } from '../door/access.ts';
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

  const own = () => ({ Host: `127.0.0.1:${port}`, Origin: `http://127.0.0.1:${port}`, Cookie: `${cookieName(port)}=${access.token}` });
  function connect(headers: Record<string, string | undefined> = {}, path = '/pages/x/socket?a=b'): WebSocket {
    const given = Object.entries({ ...own(), ...headers }).filter(([, value]) => value !== undefined) as [string, string][];
    const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: Object.fromEntries(given) });
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
      ['no cookie', { Cookie: undefined }, 401],
      ['the cookie of another portal', { Cookie: `${cookieName(port)}=${new Access(false).token}` }, 401],
      ['the cookie of another port', { Cookie: `${cookieName(port + 1)}=${access.token}` }, 401],
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
    sockets = new PageSockets(server, port, { access: new Access(true), pages, clock, logger: nullLogger });
    assert.equal(await status(connect({ Cookie: undefined })), 'open');
    assert.equal(await status(connect({ Cookie: undefined, Origin: 'https://evil.example' })), 403);
    assert.equal(await status(connect({ Cookie: undefined, Origin: undefined })), 403);
  });

  it('closes for a page that there is not', async () => {
    assert.equal(await closed(connect({}, '/pages/x/socket?none')), PAGE_NOT_FOUND);
    const client = connect();
    await once(client, 'open');
    const end = closed(client);
    opened[0]?.port.end('it is over');
    assert.equal(await end, PAGE_ENDED);
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
