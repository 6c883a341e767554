/** The door of the MCP server's port: who is let in, and when a session ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { withTimeout } from '../../../src/base/errors.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { startHttpServer } from '../../../src/mcp/server/http/httpServer.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { type HttpMcpProcess, McpClient, MCP_WAIT_MS, startHttpMcp } from '../../support/mcpServers.ts';
import { TestOwner } from '../gateway/gatewayHarness.ts';

const initializeAs = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name, version: '1' } },
});
const initialize = initializeAs('raw');

describe('the port of the MCP server', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let server: HttpMcpProcess;
  let owner: TestOwner;
  before(async () => {
    home = new GatewayHome();
    gateway = await startGatewayProcess(home);
    server = await startHttpMcp(home);
    owner = await TestOwner.of(gateway);
  });
  after(async () => {
    owner.dispose();
    assert.equal(await server.stop(), 0);
    await gateway.stop();
    await endDaemons(home.lockFile);
    home.remove();
  });

  const port = () => Number(new URL(server.said.url).port);
  const good = () => ({
    Authorization: `Bearer ${server.said.token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  });
  /** Status and body of a request, which is an `initialize` unless told otherwise. */
  const ask = async (headers: Record<string, string> = {}, { method = 'POST', path = '/mcp', body = JSON.stringify(initialize) } = {}) => {
    const asked = request({ host: '127.0.0.1', port: port(), method, path, headers: { ...good(), ...headers }, agent: false });
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
    asked.end(method === 'POST' ? body : undefined);
    const [response] = await withTimeout(answered, MCP_WAIT_MS, 'the answer');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    return { status: response.statusCode, text, headers: response.headers };
  };
  const sessions = async () => (await owner.client.request('diagnostics', {})).sessions.map(({ label }) => label);
  const untilSessions = async (count: number) => {
    const ends = Date.now() + MCP_WAIT_MS;
    while ((await sessions()).length !== count) assert.ok(Date.now() < ends, `${count} sessions at the gateway`);
  };

  it('is said in one JSON line, and takes a client with the token', async () => {
    assert.deepEqual(Object.keys(server.said), ['url', 'token']);
    assert.match(server.said.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    assert.ok(server.said.token.length >= 43);
    assert.equal((await ask()).status, 200);
    assert.ok(!server.stderr().includes(server.said.token));
  });

  it('takes nobody with a wrong token, of another Host, or from a web page', async () => {
    const { token } = server.said;
    for (const Authorization of ['', 'Bearer', 'Bearer wrong', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token]) {
      const { status, headers } = await ask({ Authorization });
      assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer'], Authorization);
    }
    for (const Host of ['evil.example', `evil.example:${port()}`, `localhost.evil.example:${port()}`])
      assert.equal((await ask({ Host })).status, 403, Host);
    for (const Origin of ['https://evil.example', 'null', `http://localhost:${port() + 1}`, `https://localhost:${port()}`])
      assert.equal((await ask({ Origin })).status, 403, Origin);
    assert.equal(
      (await ask({ Host: 'evil.example', Authorization: '' })).status,
      403,
      'a stranger does not learn whether the token is good',
    );
    for (const fine of [
      { Host: `localhost:${port()}` },
      { Host: '127.0.0.1:9000', Origin: 'http://127.0.0.1:9000' },
      { Origin: `http://127.0.0.1:${port()}` },
    ] as Record<string, string>[])
      assert.equal((await ask(fine)).status, 200, JSON.stringify(fine));
  });

  it('takes no request with two Hosts', async () => {
    const socket = connect({ host: '127.0.0.1', port: port() });
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    const host = `127.0.0.1:${port()}`;
    socket.end(`GET /mcp HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\nAuthorization: Bearer ${server.said.token}\r\n\r\n`);
    await withTimeout(once(socket, 'close'), MCP_WAIT_MS, 'the answer');
    assert.match(answer, /^HTTP\/1\.1 400 /);
  });

  it('gives no page a way in by CORS', async () => {
    const { status, headers } = await ask({ Origin: 'https://evil.example' }, { method: 'OPTIONS' });
    assert.equal(status, 403);
    assert.ok(!Object.keys(headers).some((name) => name.startsWith('access-control')));
  });

  it('says what is wrong with a request', async () => {
    assert.equal((await ask({}, { path: '/' })).status, 404);
    assert.equal((await ask({ 'Mcp-Session-Id': 'unknown' })).status, 404);
    assert.equal((await ask({}, { method: 'PUT' })).status, 405);
    assert.equal((await ask({}, { body: '{' })).status, 400);
    assert.equal((await ask({}, { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) })).status, 400);
    assert.equal((await ask({ 'Content-Type': 'text/plain' })).status, 415);
  });

  it('does not read a body without end', async () => {
    const chunk = ' '.repeat(64 * 1024);
    const cases: [Record<string, string>, number][] = [
      [{ 'Content-Length': String(5 * 1024 * 1024) }, 1],
      [{ 'Transfer-Encoding': 'chunked' }, 65],
    ];
    for (const [size, chunks] of cases) {
      const headers = { ...good(), ...size };
      const asked = request({ host: '127.0.0.1', port: port(), method: 'POST', path: '/mcp', headers, agent: false });
      const answered = new Promise<number | undefined>((resolve) => asked.once('response', ({ statusCode }) => resolve(statusCode)));
      asked.on('error', () => undefined); // it is cut off
      for (let sent = 0; sent < chunks; sent++) asked.write(chunk);
      assert.equal(await withTimeout(answered, MCP_WAIT_MS, 'the refusal'), 413);
      asked.destroy();
    }
  });

  it('keeps no session of a request that was no good, and at most 50 others, of which one that is not used makes room', async () => {
    const other = await startHttpMcp(home);
    const headers = { ...good(), Authorization: `Bearer ${other.said.token}` };
    const post = async (body: object, session: Record<string, string> = {}) => {
      const response = await fetch(other.said.url, { method: 'POST', headers: { ...headers, ...session }, body: JSON.stringify(body) });
      await response.text();
      return { status: response.status, session: { 'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? '' } };
    };
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };
    const controller = new AbortController();
    try {
      for (let at = 0; at < 60; at++) assert.equal((await post(ping)).status, 400);
      const opened = [];
      for (let at = 0; at < 51; at++) opened.push(await post(initializeAs(`client ${at % 3}`)));
      assert.deepEqual(new Set(opened.map(({ status }) => status)), new Set([200]));
      assert.equal((await post(ping, opened[0]?.session)).status, 404);
      // Kept: the stream of a response that nobody holds any more is ended when memory is cleared.
      const inUse = await Promise.all(
        opened.slice(1).map(({ session }) => fetch(other.said.url, { headers: { ...headers, ...session }, signal: controller.signal })),
      );
      assert.equal((await post(initializeAs('client 4'))).status, 503);
      assert.deepEqual(new Set(inUse.map(({ status }) => status)), new Set([200]));
    } finally {
      controller.abort();
      await other.stop();
    }
  });

  describe('with clients that want more than their share', () => {
    let other: HttpMcpProcess;
    let gone: AbortController;
    beforeEach(async () => {
      other = await startHttpMcp(home);
      gone = new AbortController();
    });
    afterEach(async () => {
      gone.abort();
      await other.stop();
    });
    const headers = () => ({ ...good(), Authorization: `Bearer ${other.said.token}` });
    const post = async (body: object, session: Record<string, string> = {}) => {
      const response = await fetch(other.said.url, { method: 'POST', headers: { ...headers(), ...session }, body: JSON.stringify(body) });
      const text = await response.text();
      return { status: response.status, text, session: { 'Mcp-Session-Id': response.headers.get('mcp-session-id') ?? '' } };
    };
    const ready = async (name: string) => {
      const opened = await post(initializeAs(name));
      assert.match(opened.text, /"serverInfo"/, name);
      assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, opened.session)).status, 202);
      return opened.session;
    };
    const listen = async (session: Record<string, string>) => {
      const stream = await fetch(other.said.url, { headers: { ...headers(), ...session }, signal: gone.signal });
      assert.equal(stream.status, 200);
      return stream;
    };
    const isThere = async (session: Record<string, string>) =>
      (await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, session)).status === 200;

    it('gives one client half of the sessions, and tells it', async () => {
      const greedy = [];
      // Kept: the stream of a response that nobody holds any more is ended when memory is cleared.
      const streams = [];
      for (let at = 0; at < 25; at++) {
        greedy.push(await ready('greedy'));
        streams.push(await listen(greedy[at] ?? {}));
      }
      const { status, text, session } = await post(initializeAs('greedy'));
      assert.equal(status, 200);
      assert.match(text, /"error":\{"code":-32000,"message":"25 sessions of “greedy” are in use\. End one of them first\."\}/);
      assert.ok(!(await isThere(session)));
      for (let at = 0; at < 25; at++) await ready('modest');
      for (const one of greedy) assert.ok(await isThere(one));
      assert.equal(streams.length, 25);
    });

    it('lets an unused session of the client itself make room, and not one of others', async () => {
      const first = await ready('modest');
      const greedy = [];
      for (let at = 0; at < 60; at++) greedy.push(await ready('greedy'));
      assert.ok(await isThere(first));
      for (const [at, one] of greedy.entries()) assert.equal(await isThere(one), at >= 35, String(at));
    });

    it('lets those make room that never became a session, and then the one that was not used for longest', async () => {
      const sockets: Socket[] = [];
      const ended: Promise<unknown>[] = [];
      try {
        const first = await ready('first');
        const kept = await ready('kept');
        const stream = await listen(kept);
        for (let at = 0; at < 60; at++) {
          const socket = connect({ host: '127.0.0.1', port: Number(new URL(other.said.url).port) });
          sockets.push(socket);
          ended.push(once(socket.on('error', () => undefined).resume(), 'close'));
          const lines = Object.entries({ Host: new URL(other.said.url).host, ...headers(), 'Content-Length': '1000' });
          socket.write(`POST /mcp HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n{`);
        }
        await withTimeout(Promise.all(ended.slice(0, 5)), MCP_WAIT_MS, 'the end of those that send nothing more');
        assert.ok(await isThere(first));
        const unfinished = (await post(initializeAs('unfinished'))).session;
        const many = [];
        for (let at = 0; at < 46; at++) many.push(await ready(`many ${at % 3}`));
        assert.ok(await isThere(first), 'it was used');
        for (const one of many) assert.ok(await isThere(one));
        many.push(await ready('one more'));
        assert.ok(await isThere(unfinished), 'there was room');
        assert.ok(await isThere(first));
        many.push(await ready('one more'));
        assert.ok(!(await isThere(unfinished)), 'its client never took the answer');
        await ready('one more');
        assert.ok(!(await isThere(many[0] ?? {})), 'it was not used for longest');
        assert.ok((await isThere(first)) && (await isThere(kept)));
        assert.equal(stream.status, 200);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    });
  });

  it('ends connections that say nothing', async () => {
    const newSession = () => assert.fail('nobody has asked for one');
    const own = await startHttpServer({ port: 0, token: 'token', idleMs: 1_000, newSession, logger: nullLogger, headersTimeoutMs: 50 });
    try {
      const ends = ['', 'POST /mcp HT', 'POST /mcp HTTP/1.1\r\nHost: x\r\n'].map((sent) => {
        const socket = connect({ host: '127.0.0.1', port: Number(new URL(own.url).port) }, () => socket.write(sent));
        return once(socket.on('error', () => undefined).resume(), 'close');
      });
      await withTimeout(Promise.all(ends), MCP_WAIT_MS, 'the end of the connections');
      assert.equal((await fetch(own.url)).status, 401, 'who says something is answered');
    } finally {
      await own.close();
    }
  });

  it('ends a session at DELETE', async () => {
    const client = await McpClient.overHttp(server.said);
    await client.toolNames();
    assert.deepEqual(await sessions(), ['Test Client (MCP)']);
    await (client.client.transport as StreamableHTTPClientTransport).terminateSession();
    await untilSessions(0);
    await client.close();
  });

  it('ends a session that nobody uses, and not one whose client listens', async () => {
    const short = await startHttpMcp(home, ['--idle-seconds', '2']);
    try {
      const listening = await McpClient.overHttp(short.said);
      const leaving = await McpClient.overHttp(short.said);
      await Promise.all([listening.toolNames(), leaving.toolNames()]);
      await untilSessions(2);
      await leaving.close();
      await untilSessions(1);
      assert.ok((await listening.toolNames()).length);
      await listening.close();
      await untilSessions(0);
    } finally {
      await short.stop();
    }
  });

  it('has the token that the user has chosen', async () => {
    const token = 'chosen-by-the-user-0123456789';
    const own = await startHttpMcp(home, [], { TAPLINE_MCP_TOKEN: token });
    assert.equal(own.said.token, token);
    await own.stop();
  });
});
