import assert from 'node:assert/strict';
import { otlpTraces } from './otlpJson.ts';
import { ReceivedLimit, receivedSpans } from './receivedSpans.ts';
import type { TelemetrySpan } from './telemetryAttributes.ts';

const START = Date.parse('2026-11-27T12:00:00Z');
const span = (fields: Partial<TelemetrySpan> = {}): TelemetrySpan => ({
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'turn', start: START, end: START + 7, attributes: {} },
  ...fields,
});
const source = { service: 'a-host', version: '1' };

describe('spans that a host has sent', () => {
  it('are what the host has written', () => {
    const one = span({ parentSpanId: 'c'.repeat(16), attributes: { text: 'x', count: 7, part: 0.5, is: true }, error: 'timeout' });
    const received = receivedSpans(JSON.parse(JSON.stringify(otlpTraces(source, [one, span({ isToOthers: true })]))));
    const attributes = { ...one.attributes, 'error.type': 'timeout' };
    assert.deepEqual(received, {
      spans: [
        { ...one, attributes, service: 'a-host' },
        { ...span(), service: 'a-host' },
      ],
      leftOut: 0,
    });
  });

  const written = (change: (raw: Record<string, unknown>) => void) => {
    const payload = JSON.parse(JSON.stringify(otlpTraces(source, [span(), span({ spanId: 'd'.repeat(16) })])));
    change(payload.resourceSpans[0].scopeSpans[0].spans[0]);
    return payload as unknown;
  };

  it('are left out where something is wrong with them, and the others are not', () => {
    const wrong: Record<string, unknown> = {
      traceId: ['', 7, 'a'.repeat(31), 'g'.repeat(32), '0'.repeat(32), `${'a'.repeat(32)}\n`],
      spanId: [undefined, '0'.repeat(16), 'b'.repeat(17)],
      name: ['', 7, null],
      startTimeUnixNano: ['soon', '', -1, `${START}`, null, String(BigInt(START + 8) * 1_000_000n), '9'.repeat(400)],
      endTimeUnixNano: [undefined, '0', String(BigInt(START + ReceivedLimit.durationMs + 10) * 1_000_000n)],
    };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values as unknown[]) {
        const received = receivedSpans(written((raw) => (raw[field] = value)));
        assert.deepEqual([received?.spans.length, received?.leftOut], [1, 1], `${field}: ${JSON.stringify(value)}`);
      }
    const other = receivedSpans(
      written((raw) => Object.assign(raw, { attributes: 7, status: 'bad', parentSpanId: 'x', kind: {}, flags: [] })),
    );
    assert.equal(other?.spans.length, 2, 'what can be done without');
  });

  it('are no batch where the payload is something else', () => {
    for (const payload of [undefined, null, 7, 'x', [], {}, { resourceSpans: {} }]) assert.equal(receivedSpans(payload), undefined);
    for (const inner of [[], [7], [{}], [{ scopeSpans: 7 }], [{ scopeSpans: [{ spans: {} }] }]])
      assert.deepEqual(receivedSpans({ resourceSpans: inner }), { spans: [], leftOut: 0 });
  });

  it('are cut to size', () => {
    const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, 'x'.repeat(100_000)]));
    const huge = span({ name: 'n'.repeat(100_000), attributes, error: 'e'.repeat(10_000) });
    const many = Array.from({ length: 3_000 }, () => huge);
    const received = receivedSpans(otlpTraces(source, many));
    assert.deepEqual([received?.spans.length, received?.leftOut], [ReceivedLimit.spans, 3_000 - ReceivedLimit.spans]);
    const [first] = received?.spans ?? [];
    assert.equal(first?.name.length, ReceivedLimit.name);
    assert.ok((first?.error?.length ?? Infinity) <= ReceivedLimit.name);
    const kept = Object.values(first?.attributes ?? {});
    assert.equal(kept.length, ReceivedLimit.attributes);
    assert.ok(kept.every((value) => String(value).length <= ReceivedLimit.text));
  });

  it('have no attribute that is a list or a map, and none that changes what an object is', () => {
    const values = [
      { arrayValue: { values: [] } },
      { kvlistValue: {} },
      { intValue: 'x' },
      { doubleValue: 'NaN' },
      null,
      { stringValue: 7 },
    ];
    const attributes = [
      ...values.map((value, index) => ({ key: `k${index}`, value })),
      { key: '__proto__', value: { stringValue: 'x' } },
      { key: 7 },
    ];
    const [first] = receivedSpans(written((raw) => (raw['attributes'] = attributes)))?.spans ?? [];
    assert.ok(first);
    assert.equal(Object.getPrototypeOf(first.attributes), Object.prototype);
    assert.deepEqual(
      Object.keys(first.attributes).filter((key) => key !== '__proto__'),
      [],
    );
  });
});
