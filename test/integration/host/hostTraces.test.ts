/** What a host tells of its spans: those of our own host over real sockets, and what others may send. */
import assert from 'node:assert/strict';
import type { ResponsePart, ToolCallResponsePart } from '../../../src/ahp/channels/chat/state.ts';
import type { InitializeResult } from '../../../src/ahp/channels/commands.ts';
import { ROOT_CHANNEL } from '../../../src/ahp/channels/root.ts';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import { otlpTraces } from '../../../src/ahp/telemetry/otlpJson.ts';
import type { ReceivedSpan } from '../../../src/ahp/telemetry/receivedSpans.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { newSpanIds } from '../../../src/base/traces/traceparent.ts';
import { CuttingTransport } from '../../fakes/cuttingTransport.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { type FakeHostServer, serveFakeHost } from '../../fakes/fakeHostServer.ts';
import { DemoHost } from './demoHarness.ts';
import { RawClient } from './hostHarness.ts';

const uri = 'demo:/traced';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const ABOVE = '00f067aa0ba902b7';

const isCall = (part: ResponsePart): part is ToolCallResponsePart => part.kind === 'toolCall';

describe('the traces of our host', function () {
  this.timeout(60_000);
  let host: DemoHost;
  beforeEach(() => (host = new DemoHost()));
  afterEach(() => host.stop());

  const readBy = (client: AgentHostClient) => {
    const spans: ReceivedSpan[] = [];
    const reading = client.traces.read((batch) => spans.push(...batch));
    const named = async (name: string) => {
      const find = () => spans.find((span) => span.name === name);
      await eventually(find, `the span ${name}`);
      return find()!;
    };
    return { spans, reading, named };
  };
  const open = async (client: AgentHostClient) => {
    await client.command('createSession', { channel: uri, provider: 'demo', config: {} });
    const session = client.session(uri);
    await whenLive(session);
    await eventually(() => session.state?.lifecycle === 'ready', 'the session');
    const chat = client.chat(session.state?.defaultChat ?? '');
    await whenLive(chat);
    return chat;
  };

  it('are those of a session, a turn, a call and a wait for the user, in the trace that the message has named', async () => {
    await host.start();
    const client = await host.client();
    const { named, spans } = readBy(client);
    const chat = await open(client);
    chat.send({ text: 'run echo secret', _meta: { traceparent: `00-${TRACE}-${ABOVE}-01` } });
    const calls = () => (chat.state?.activeTurn?.responseParts ?? []).flatMap((part) => (isCall(part) ? [part.toolCall] : []));
    await eventually(() => calls()[0]?.status === 'pending-confirmation', 'the question');
    const toolCallId = calls()[0]?.toolCallId ?? '';
    chat.approve({ turnId: chat.state?.activeTurn?.id ?? '', toolCallId });
    const turn = await named('turn');
    assert.deepEqual([turn.traceId, turn.parentSpanId, turn.service], [TRACE, ABOVE, 'tapline-host']);
    const inside = spans.filter(({ parentSpanId }) => parentSpanId === turn.spanId);
    assert.deepEqual(
      inside.map(({ name }) => name),
      ['wait_for_user run_command', 'execute_tool run_command'],
    );
    for (const span of inside) {
      assert.equal(span.traceId, TRACE);
      assert.equal(span.attributes['gen_ai.tool.call.id'], toolCallId);
      assert.equal(span.attributes['ahp.session'], uri);
      assert.ok(span.start >= turn.start && span.end <= turn.end);
    }
    const created = await named('create_session');
    assert.notEqual(created.traceId, TRACE);
    assert.doesNotMatch(JSON.stringify(spans), /secret/);
  });

  it('go to nobody who has not subscribed, nor to who has had enough', async () => {
    await host.start();
    const client = await host.client();
    const other = await RawClient.open(host.address);
    const hello = { channel: ROOT_CHANNEL, clientId: 'other', protocolVersions: ['1.0.0'], initialSubscriptions: [uri] };
    const { telemetry } = (await other.ask('initialize', hello)).result as InitializeResult;
    assert.equal(typeof telemetry?.traces, 'string');
    const { reading, named, spans } = readBy(client);
    const chat = await open(client);
    await named('create_session');
    reading.dispose();
    reading.dispose();
    await chat.send('help').settled;
    await eventually(() => chat.state?.turns.length === 1, 'the end of the turn');
    // What the host sends before its answer is there with it.
    const again = readBy(client);
    await chat.send('help').settled;
    await again.named('turn');
    assert.equal(again.spans.length, 1);
    assert.deepEqual(
      spans.map(({ name }) => name),
      ['create_session'],
    );
    await other.ask('listSessions', { channel: ROOT_CHANNEL });
    assert.ok(other.frames.every(({ method }) => method !== 'otlp/exportTraces'));
    other.socket.terminate();
  });

  it('go on after a reconnect, and do not make it a new beginning', async () => {
    await host.start({ clientReturnMs: 30_000 });
    const cutting = new CuttingTransport(connectNodeTransport());
    const client = await host.client({ transport: cutting.open, random: () => 0 });
    const { named } = readBy(client);
    const chat = await open(client);
    await named('create_session');
    cutting.cut();
    await eventually(() => client.state.kind !== 'connected', 'the loss of the connection');
    client.reconnectNow();
    await eventually(() => client.state.kind === 'connected', 'the connection');
    await chat.send('help').settled;
    await named('turn');
  });

  it('may be named among the first subscriptions, and in a reconnect', async () => {
    await host.start({ clientReturnMs: 30_000 });
    const first = await RawClient.open(host.address);
    const traces = 'ahp-otlp://traces';
    const hello = { channel: ROOT_CHANNEL, clientId: 'raw', protocolVersions: ['1.0.0'], initialSubscriptions: [ROOT_CHANNEL, traces] };
    const { snapshots, serverSeq } = (await first.ask('initialize', hello)).result as InitializeResult;
    assert.deepEqual(
      snapshots.map(({ resource }) => resource),
      [ROOT_CHANNEL],
    );
    assert.deepEqual((await first.ask('subscribe', { channel: traces })).result, {});
    first.socket.terminate();
    const second = await RawClient.open(host.address);
    const back = { channel: ROOT_CHANNEL, clientId: 'raw', subscriptions: [ROOT_CHANNEL, traces], lastSeenServerSeq: serverSeq };
    assert.deepEqual((await second.ask('reconnect', back)).result, { type: 'replay', actions: [], missing: [] });
    await second.ask('createSession', { channel: uri, provider: 'demo', config: {} });
    await second.until('the spans', () => second.frames.find(({ method }) => method === 'otlp/exportTraces'));
    second.socket.terminate();
  });
});

describe('the traces of other hosts', function () {
  this.timeout(60_000);
  const CHANNEL = 'ahp-otlp:/theirs';
  let host: TracingHost;
  let server: FakeHostServer;
  let client: AgentHostClient;
  const warnings: string[] = [];

  class TracingHost extends FakeChannelHost {
    telemetry: unknown = { traces: CHANNEL };
    readonly asked: string[] = [];
    constructor() {
      super('1.0.0');
      const { initialize, subscribe, unsubscribe } = this.methods;
      this.methods['initialize'] = async (...given) => ({ ...(await (initialize?.(...given) as object)), telemetry: this.telemetry });
      this.methods['subscribe'] = (params, connection) => {
        if (params.channel !== CHANNEL) return subscribe?.(params, connection);
        this.asked.push('subscribe');
        return {};
      };
      this.methods['unsubscribe'] = (params, connection) => {
        if (params.channel === CHANNEL) this.asked.push('unsubscribe');
        return unsubscribe?.(params, connection);
      };
    }
  }

  beforeEach(async () => {
    host = new TracingHost();
    server = await serveFakeHost(host);
    warnings.length = 0;
  });
  afterEach(async () => {
    client.dispose();
    await server.close();
  });
  const connect = async () => {
    const logger = { ...nullLogger, warn: (text: string) => void warnings.push(text) };
    client = await AgentHostClient.connect({ url: server.url, transport: connectNodeTransport(), logger });
  };
  const spans = (count: number, attributes: Record<string, string> = {}) =>
    otlpTraces(
      { service: 'theirs' },
      Array.from({ length: count }, () => ({ ...newSpanIds(), name: 'x', start: 2e12, end: 2e12, attributes })),
    );
  /** Comes after all that was told before. */
  const told = () => client.listSessions();

  it('are asked for while somebody wants them', async () => {
    await connect();
    const reading = [client.traces.read(() => undefined), client.traces.read(() => undefined)];
    await told();
    assert.deepEqual(host.asked, ['subscribe']);
    for (const one of reading) one.dispose();
    await told();
    assert.deepEqual(host.asked, ['subscribe', 'unsubscribe']);
  });

  it('that are malformed, huge or not asked for change nothing', async () => {
    await connect();
    const got: ReceivedSpan[] = [];
    const tell = (channel: unknown, payload: unknown) => host.tell('otlp/exportTraces', { channel, payload });
    tell(CHANNEL, spans(1));
    await told();
    const reading = client.traces.read((batch) => got.push(...batch));
    await told();
    for (const payload of [undefined, 7, [], { resourceSpans: 'x' }, { resourceSpans: [null, { scopeSpans: [{ spans: [null, {}] }] }] }])
      tell(CHANNEL, payload);
    tell('ahp-otlp:/another', spans(1));
    tell(undefined, spans(1));
    host.tell('otlp/exportLogs', { channel: CHANNEL, payload: {} });
    await told();
    assert.deepEqual(got, []);
    tell(CHANNEL, spans(1_000, { long: 'x'.repeat(5_000) }));
    tell(CHANNEL, spans(1));
    await told();
    assert.equal(got.length, 501);
    assert.equal(client.state.kind, 'connected');
    assert.ok(warnings.some((text) => /cannot be read/.test(text)));
    assert.ok(warnings.some((text) => /left out/.test(text)));
    assert.ok(!warnings.some((text) => /unknown notification/.test(text)), warnings.join('\n'));
    for (let count = 0; count < 30; count++) tell(CHANNEL, spans(400));
    await told();
    assert.ok(got.length <= 6_000, `${got.length} in a minute`);
    reading.dispose();
    const before = got.length;
    tell(CHANNEL, spans(1));
    await told();
    assert.equal(got.length, before);
  });

  it('are none where the channel is no text', async () => {
    for (const telemetry of [undefined, null, 7, {}, { traces: 7 }, { traces: 'x'.repeat(2_000) }, { traces: '' }]) {
      host.telemetry = telemetry;
      await connect();
      client.traces.read(() => undefined);
      assert.equal(client.traces.areOffered, false);
      await told();
      assert.deepEqual(host.asked, []);
      client.dispose();
    }
  });
});
