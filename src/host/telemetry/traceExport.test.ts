import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { receivedSpans } from '../../ahp/telemetry/receivedSpans.ts';
import type { TelemetrySpan } from '../../ahp/telemetry/telemetryAttributes.ts';
import { Emitter } from '../../base/event.ts';
import { newSpanIds } from '../../base/traces/traceparent.ts';
import type { Client } from '../state/clients.ts';
import { TraceBatch, TraceExport, TRACES_CHANNEL } from './traceExport.ts';

describe('the spans that go to clients', () => {
  const setUp = () => {
    const clock = new FakeClock();
    const spans = new Emitter<TelemetrySpan>();
    const clients = new Set<Client>();
    const traces = new TraceExport({ source: { service: 'x' }, spans: spans.event, clients, clock });
    const connect = (...channels: string[]) => {
      const got: { method: string; params: object }[] = [];
      const notify = (method: string, params: object) => void got.push({ method, params });
      const client: Client = {
        clientId: 'c',
        channels: new Set(channels),
        notify,
        request: () => Promise.reject(new Error()),
        replaced: () => undefined,
      };
      clients.add(client);
      const batches = () => got.map(({ params }) => receivedSpans((params as { payload: unknown }).payload)?.spans.map(({ name }) => name));
      return { client, got, batches };
    };
    const end = (name: string, text = '') => {
      const { traceId, spanId } = newSpanIds();
      spans.fire({ traceId, spanId, name, start: 2e12, end: 2e12, attributes: { text } });
    };
    return { clock, traces, connect, end };
  };

  it('go to those who have subscribed, together after a moment', () => {
    const { clock, connect, end } = setUp();
    const reader = connect(TRACES_CHANNEL);
    const other = connect('ahp-root://');
    end('a');
    end('b');
    assert.equal(reader.got.length, 0);
    clock.advance(TraceBatch.delayMs);
    assert.deepEqual(reader.batches(), [['a', 'b']]);
    assert.deepEqual(
      [reader.got[0]?.method, (reader.got[0]?.params as { channel: string }).channel],
      ['otlp/exportTraces', TRACES_CHANNEL],
    );
    assert.deepEqual(other.got, []);
    reader.client.channels.delete(TRACES_CHANNEL);
    end('c');
    clock.advance(TraceBatch.delayMs);
    assert.equal(reader.got.length, 1, 'it does not want them any more');
  });

  it('are not kept for those who come later', () => {
    const { clock, connect, end } = setUp();
    end('a');
    const reader = connect(TRACES_CHANNEL);
    clock.advance(TraceBatch.delayMs);
    assert.equal(reader.got.length, 0);
  });

  it('do not wait when they are many or long', () => {
    const { connect, end, traces } = setUp();
    const reader = connect(TRACES_CHANNEL);
    for (let count = 0; count <= TraceBatch.spans; count++) end(`${count}`);
    assert.deepEqual(
      reader.batches().map((names) => names?.length),
      [TraceBatch.spans],
    );
    for (let count = 0; count < 5; count++) end('long', 'x'.repeat(TraceBatch.characters / 2));
    assert.ok(reader.got.length >= 4, `${reader.got.length} batches`);
    for (const { params } of reader.got) assert.ok(JSON.stringify(params).length < TraceBatch.characters * 1.1);
    traces.dispose();
    assert.equal(reader.batches().flat().length, TraceBatch.spans + 6, 'also those that waited');
  });
});
