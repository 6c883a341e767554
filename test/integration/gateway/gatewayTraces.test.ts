/** Traces over real processes: what is watched, the turn that comes of it in a window, its call, the provider; at an endpoint of OTLP, in a file, in the records. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { TurnTraces } from '../../../src/extension/bridge/session/turnTraces.ts';
import { TurnMemory } from '../../../src/extension/bridge/storage/turnMemory.ts';
import { shownSpan } from '../../../src/views/traces/shownSpan.ts';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import { parseTraceparent } from '../../../src/base/traces/traceparent.ts';
import { sameJson } from '../../../src/base/sameJson.ts';
import { eventually } from '../../fakes/eventually.ts';
import { aTurn, FakeHostSession } from '../../fakes/fakeHostSession.ts';
import { keptIn, MemoryStorage } from '../../fakes/memoryStorage.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { RawProvider, TestOwner } from './gatewayHarness.ts';

const WAIT_MS = 15_000;
const SECRET = 'do not tell';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: unknown }[];
}
type OtlpJson = { resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: Span[] }[] }[] };

interface Heard {
  type: string;
  id: string;
  metadata?: { traceparent?: string };
  state?: string;
}

const spansIn = ({ resourceSpans }: OtlpJson) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

/** Stands in for a collector. */
class Collector {
  readonly spans: Span[] = [];
  readonly bodies: string[] = [];
  readonly paths = new Set<string | undefined>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(answer: (response: ServerResponse) => void = (response) => response.end('{}')): Promise<Collector> {
    const server = createServer((request, response) => void collector.#take(request).then(() => answer(response)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const collector = new Collector(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return collector;
  }

  async #take(request: IncomingMessage): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.paths.add(request.url);
    this.bodies.push(body);
    this.spans.push(...spansIn(JSON.parse(body) as OtlpJson));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('traces of a gateway', () => {
  let home: GatewayHome;
  const ends: (() => unknown)[] = [];
  beforeEach(() => (home = new GatewayHome()));
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    home.remove();
  });

  const collect = async (answer?: (response: ServerResponse) => void) => {
    const collector = await Collector.start(answer);
    ends.push(() => collector.stop());
    return collector;
  };
  const start = async (...args: string[]) => {
    const gateway = await startGatewayProcess(home, ['--port', '0', ...args]);
    ends.push(() => gateway.stop('SIGKILL'));
    return gateway;
  };
  const own = async (gateway: GatewayProcess) => {
    const owner = await TestOwner.of(gateway);
    ends.push(() => owner.dispose());
    const cwd = join(home.folder, 'code');
    mkdirSync(cwd, { recursive: true });
    const session = owner.client.addSession({ sessionId: 'a', label: 'x', cwd });
    await owner.next('tools/changed', undefined, WAIT_MS);
    return { owner, session };
  };
  /** A provider that tells what `traceparent` it has got with each call. */
  const provide = async (gateway: GatewayProcess, owner: TestOwner) => {
    const provider = await RawProvider.open(gateway.url);
    ends.push(() => provider.dispose());
    const got: unknown[] = [];
    provider.socket.on('message', (data) => {
      const { type, id, metadata, state } = JSON.parse(String(data)) as Heard;
      if (state === 'shutdown.pending') provider.say({ type: 'shutdown.ready', sessionId: 'a' });
      if (type !== 'tool.call') return;
      got.push(metadata?.traceparent);
      provider.say({ type: 'tool.result', id, data: SECRET });
    });
    provider.say({ type: 'auth', token: gateway.token });
    await provider.next('sessions');
    provider.say({ type: 'hello', name: 'dice', protocolVersion: 2, session: 'a', tools: [{ name: 'roll' }] });
    await provider.next('hello.ack');
    await owner.next('tools/changed', ({ tools }) => tools.some(({ name }) => name === 'roll'), WAIT_MS);
    return got;
  };
  const traces = async (owner: TestOwner) => (await owner.client.request('diagnostics', {})).traces;
  /** What a window does about turns, at a host that the test plays. */
  const windowOf = (session: OwnedSession) => {
    const host = new FakeHostSession();
    const turns = new TurnTraces({
      sessionId: session.id,
      host,
      memory: new TurnMemory(keptIn(new MemoryStorage())),
      choice: () => ({ isOn: true, hasContent: false }),
      tell: (spans) => session.tellSpans(spans),
      clock: systemClock,
    });
    const show = (text: string, isOver: boolean) => {
      host.turns = [aTurn({ text, isOver })];
      turns.update();
    };
    return { turns, show };
  };
  const parentIn = (spans: readonly Span[], { parentSpanId }: Span) => spans.find(({ spanId }) => spanId === parentSpanId)?.name;

  it('are one from a watch over the turn and its call to the provider, everywhere, without what was said', async () => {
    const collector = await collect();
    const file = join(home.folder, 'traces.jsonl');
    const gateway = await start();
    const { owner, session } = await own(gateway);
    const got = await provide(gateway, owner);
    const on = await owner.client.request('traces/configure', { endpoint: collector.url, file });
    assert.equal(on.isOn, true);
    await session.emitters.start({
      name: 'watch',
      command: 'echo "FAIL $TRACEPARENT"',
      maxRuns: 1,
      eventFilter: [{ match: 'FAIL', outcome: 'inject' }],
    });
    const { text, traceparent } = await owner.next('push/inject', undefined, WAIT_MS);
    const { turns, show } = windowOf(session);
    turns.injected(text, traceparent);
    show(text, false);
    const outcome = await session.call('roll', { note: SECRET }, undefined, undefined, undefined, undefined, undefined, {
      traceparent: turns.traceparentOf({ turnId: 'turn' }),
      hostCallId: 'call-1',
    });
    assert.ok(outcome.ok);
    show(text, true);
    const wanted = ['call provider', 'emitter_lines', 'emitter_run', 'execute_tool roll', 'inject', 'turn'];
    const sent = async () => (await traces(owner))?.destinations.map(({ name, sent: count, dropped }) => [name, count, dropped]);
    const all = ['records', `${collector.url}/v1/traces`, file].map((name) => [name, wanted.length, 0]);
    await eventually(async () => sameJson(await sent(), all), 'the spans everywhere', WAIT_MS);
    const { spans } = collector;
    assert.deepEqual(spans.map(({ name }) => name).sort(), wanted);
    const [traceId, ...others] = new Set(spans.map((span) => span.traceId));
    assert.deepEqual(others, [], 'one trace');
    assert.deepEqual(Object.fromEntries(spans.map((span) => [span.name, parentIn(spans, span)])), {
      emitter_run: undefined,
      emitter_lines: 'emitter_run',
      inject: 'emitter_lines',
      turn: 'inject',
      'execute_tool roll': 'turn',
      'call provider': 'execute_tool roll',
    });
    const idOf = (wantedName: string) => spans.find(({ name }) => name === wantedName)?.spanId;
    assert.deepEqual(got.map(parseTraceparent), [{ traceId, spanId: idOf('call provider'), isSampled: true }]);
    assert.deepEqual(parseTraceparent(/FAIL (\S+)/.exec(text)?.[1]), { traceId, spanId: idOf('emitter_run'), isSampled: true });
    assert.deepEqual([...collector.paths], ['/v1/traces']);
    for (const service of ['tapline-gateway', 'tapline-owner']) assert.match(collector.bodies.join(), new RegExp(service));
    assert.doesNotMatch(collector.bodies.join(), new RegExp(`${SECRET}|FAIL`));

    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    assert.deepEqual(
      new Set(lines.flatMap((line) => spansIn(JSON.parse(line) as OtlpJson)).map(({ spanId }) => spanId)),
      new Set(spans.map(({ spanId }) => spanId)),
    );
    const { records } = await owner.client.request('records/query', { kind: 'trace', sessionId: 'a', where: { traceId: traceId ?? '' } });
    assert.deepEqual(records.map(({ data }) => data.name).sort(), wanted);
    const call = records.map(({ data }) => shownSpan(data)).find((span) => span?.tool === 'roll');
    assert.equal(call?.call, 'call-1', 'as the host knows it');
  });

  it('are not made unless somebody wants them, and the trace of an owner is passed on all the same', async () => {
    const gateway = await start();
    const { owner, session } = await own(gateway);
    const got = await provide(gateway, owner);
    await session.call('roll', {});
    const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    for (const given of [parent, 'nonsense'])
      await session.call('roll', {}, undefined, undefined, undefined, undefined, undefined, { traceparent: given });
    assert.deepEqual(got, [undefined, parent, undefined]);
    session.tellSpans([{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x', start: 2e12, end: 2e12 }]);
    assert.equal((await traces(owner))?.isOn, false);
    const { records } = await owner.client.request('records/query', { kind: 'trace' });
    assert.deepEqual(records, []);
    await assert.rejects(owner.client.request('traces/configure', { endpoint: 'file:///etc/passwd' }), /endpoint/);
  });

  it('leave a gateway that ends, and are switched on by its command line', async () => {
    const collector = await collect();
    const gateway = await start('--traces-endpoint', collector.url, '--traces-content');
    const { owner, session } = await own(gateway);
    await provide(gateway, owner);
    await owner.client.request('traces/configure', {});
    assert.equal((await traces(owner))?.isOn, true, 'an owner does not change it');
    await session.call('roll', { note: 'asked' });
    await gateway.stop('SIGTERM');
    assert.deepEqual(collector.spans.map(({ name }) => name).sort(), ['call provider', 'execute_tool roll']);
    assert.match(collector.bodies.join(), new RegExp(`asked.*${SECRET}`));
  });

  it('hold up neither calls nor the end where the endpoint does not answer, which the diagnostics say', async () => {
    const collector = await collect(() => undefined);
    const gateway = await start();
    const { owner, session } = await own(gateway);
    await provide(gateway, owner);
    await owner.client.request('traces/configure', { endpoint: collector.url });
    for (let calls = 0; calls < 20; calls++) assert.ok((await session.call('roll', {})).ok);
    const atEndpoint = async () => (await traces(owner))?.destinations.find(({ name }) => name !== 'records');
    await eventually(async () => ((await atEndpoint())?.dropped ?? 0) >= 40, 'dropped spans', WAIT_MS);
    assert.ok((await atEndpoint())?.problem);
    assert.ok((await session.call('roll', {})).ok);
    await gateway.stop('SIGTERM');
    assert.match(gateway.stderr(), /Traces do not get to http.*: sending the last spans did not finish within 2 s/);
  });
});
