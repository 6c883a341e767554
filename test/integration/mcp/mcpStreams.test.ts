/** Streams of the MCP server that begin with an event to come back to, and what a client gets that does. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { WebSocket } from 'ws';
import { withTimeout } from '../../../src/base/errors.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { Disposable } from '../../../src/base/lifecycle.ts';
import { connectProvider } from '../../../src/tap/provider/provider.ts';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { type HttpMcpProcess, McpClient, MCP_WAIT_MS, startHttpMcp } from '../../support/mcpServers.ts';

const NEWEST = '2025-11-25';
const OLDER = '2025-06-18';

interface StreamEvent {
  id: string;
  retry: string;
  data: string;
}

/** The events of one answer, as they come. */
class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = '';

  constructor(response: Response) {
    assert.equal(response.status, 200);
    assert.ok(response.body);
    this.#reader = response.body.getReader();
  }

  /** Undefined when the stream has ended. */
  async next(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const lines = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 2) ?? '';
        if (!lines.every((line) => line.startsWith(':'))) return { id: field('id'), retry: field('retry'), data: field('data') };
        continue;
      }
      const { done, value } = await withTimeout(this.#reader.read(), MCP_WAIT_MS, 'the next event');
      if (done) return undefined;
      this.#text += Buffer.from(value).toString();
    }
  }

  async message(): Promise<{ id?: number; method?: string; result?: { content: unknown }; error?: { message: string } }> {
    return JSON.parse((await this.next())?.data ?? '') as { method?: string };
  }
}

describe('the streams of the MCP server', () => {
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let server: HttpMcpProcess;
  let provider: ProviderHandle;
  const calls = new Emitter<(result: string) => void>();
  let gone: AbortController;
  const disposables: Disposable[] = [];
  before(async () => {
    home = new GatewayHome();
    gateway = await startGatewayProcess(home);
    server = await startHttpMcp(home);
  });
  after(async () => {
    await server.stop();
    await endDaemons(home.lockFile);
    await gateway.stop('SIGKILL');
    home.remove();
  });
  beforeEach(async () => {
    gone = new AbortController();
    provider = connectProvider('slow', {
      session: 'all',
      tools: [{ name: 'slow' }],
      onToolCall: () => new Promise<string>((resolve) => calls.fire(resolve)),
      onError: () => undefined,
      connect: () => ({ socket: new WebSocket(gateway.url), token: readFileSync(home.tokenFile, 'utf8') }),
    });
    const client = await McpClient.overHttp(server.said);
    await client.untilTools((names) => names.includes('slow'));
    await client.close();
  });
  afterEach(() => {
    for (const one of disposables.splice(0)) one.dispose();
    gone.abort();
    provider.close();
  });

  const headers = (more: Record<string, string>) => ({
    Authorization: `Bearer ${server.said.token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...more,
  });
  const post = (body: object, more: Record<string, string> = {}, { signal } = gone) =>
    fetch(server.said.url, { method: 'POST', headers: headers(more), body: JSON.stringify(body), signal });
  const get = (more: Record<string, string>, { signal } = gone) => fetch(server.said.url, { headers: headers(more), signal });
  const open = async (protocolVersion: string) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    await answer.text();
    const own = { 'Mcp-Session-Id': answer.headers.get('mcp-session-id') ?? '', 'Mcp-Protocol-Version': protocolVersion };
    assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, own)).status, 202);
    // Until the session at the gateway has the tool.
    for (let listed = ''; !listed.includes('"slow"');) {
      const tools = new EventReader(await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' }, own));
      if (protocolVersion === NEWEST) await tools.next();
      listed = (await tools.next())?.data ?? assert.fail('no list');
    }
    return own;
  };
  const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'slow', arguments: {} } };

  it('begin with an event that has an id, a time to wait and no data, at GET and at POST', async () => {
    const own = await open(NEWEST);
    for (const response of [await get(own), await post(call, own)]) {
      const first = await new EventReader(response).next();
      assert.ok(first?.id);
      assert.deepEqual([first.data, Number(first.retry) > 0], ['', true]);
    }
  });

  it('begin with their first message for a client of an older version, which cannot read such an event', async () => {
    const own = await open(OLDER);
    const stream = new EventReader(await get(own));
    provider.close();
    assert.equal((await stream.message()).method, 'notifications/tools/list_changed');
  });

  it('give a client that comes back to GET what was sent meanwhile', async () => {
    const own = await open(NEWEST);
    const cut = new AbortController();
    const first = await new EventReader(await get(own, cut)).next();
    cut.abort();
    // Another session hears of the same change, and no later.
    const other = await McpClient.overHttp(server.said);
    await other.toolNames();
    const before = other.listChanges;
    provider.close();
    await other.listChangedSince(before);
    await other.untilTools((names) => !names.includes('slow'));
    await other.close();
    const again = new EventReader(await get({ ...own, 'Last-Event-ID': first?.id ?? '' }));
    assert.equal((await again.message()).method, 'notifications/tools/list_changed');
  });

  /** Calls that have come to the provider, on a stream that can be cut. */
  const lostCall = async (body: object) => {
    const own = await open(NEWEST);
    const cut = new AbortController();
    const finishes: ((result: string) => void)[] = [];
    const wanted = Array.isArray(body) ? body.length : 1;
    const called = new Promise<void>((resolve) =>
      disposables.push(calls.event((finish) => void (finishes.push(finish) === wanted && resolve()))),
    );
    const stream = new EventReader(await post(body, own, cut));
    const first = await stream.next();
    await withTimeout(called, MCP_WAIT_MS, 'the call');
    const resume = async (id = first?.id ?? '') => new EventReader(await get({ ...own, 'Last-Event-ID': id }));
    return { stream, cut, finishes, resume, own };
  };
  /** Until the server has the outcome of a call that came to the gateway before this one. */
  const settled = async (own: Record<string, string>) => {
    const called = new Promise<(result: string) => void>((resolve) => disposables.push(calls.event(resolve)));
    const stream = new EventReader(await post({ ...call, id: 99 }, own));
    await stream.next();
    (await withTimeout(called, MCP_WAIT_MS, 'a later call'))('later');
    assert.equal((await stream.message()).id, 99);
  };

  it('give a client that lost its call the result, and end then', async () => {
    for (const answersFirst of [true, false]) {
      const { cut, finishes, resume, own } = await lostCall(call);
      cut.abort();
      if (answersFirst) {
        finishes[0]?.('the result');
        await settled(own);
      }
      const again = await resume();
      if (!answersFirst) finishes[0]?.('the result');
      const { id, result } = await again.message();
      assert.deepEqual([id, result?.content], [3, [{ type: 'text', text: 'the result' }]]);
      assert.equal(await again.next(), undefined);
    }
  });

  it('say to a client that lost a result of more than 2 MiB that it is lost, and end then', async () => {
    const { cut, finishes, resume, own } = await lostCall(call);
    cut.abort();
    finishes[0]?.('x'.repeat(3 * 1024 * 1024));
    await settled(own);
    const again = await resume();
    const last = await again.next();
    const { id, error } = JSON.parse(last?.data ?? '') as Awaited<ReturnType<EventReader['message']>>;
    assert.equal(id, 3);
    assert.match(error?.message ?? '', /too large to be sent again.*may have had effect/);
    assert.equal(await again.next(), undefined);
    assert.equal(await (await resume(last?.id)).next(), undefined, 'nothing follows the last event');
  });

  it('give a client that has its result of more than 2 MiB nothing more when it comes back, and end at once', async () => {
    const { stream, finishes, resume } = await lostCall(call);
    finishes[0]?.('x'.repeat(3 * 1024 * 1024));
    const last = await stream.next();
    assert.match(last?.data.slice(0, 100) ?? '', /"result"/);
    assert.equal(await stream.next(), undefined);
    assert.equal(await (await resume(last?.id)).next(), undefined);
  });

  it('of two requests in one body go on until both have their answers', async () => {
    const { stream, cut, finishes, resume } = await lostCall([call, { ...call, id: 4 }]);
    finishes[0]?.('one');
    assert.deepEqual((await stream.message()).result?.content, [{ type: 'text', text: 'one' }]);
    cut.abort();
    const again = await resume();
    assert.deepEqual((await again.message()).result?.content, [{ type: 'text', text: 'one' }]);
    finishes[1]?.('two');
    assert.deepEqual((await again.message()).result?.content, [{ type: 'text', text: 'two' }]);
    assert.equal(await again.next(), undefined);
  });

  it('give nothing of another session, or to an id that was never given', async () => {
    const [own, other] = [await open(NEWEST), await open(NEWEST)];
    const first = await new EventReader(await post(call, own)).next();
    for (const id of [first?.id ?? '', 'x', 'x:1', `${crypto.randomUUID()}:1`])
      assert.equal((await get({ ...other, 'Last-Event-ID': id })).status, 400, id);
  });
});
