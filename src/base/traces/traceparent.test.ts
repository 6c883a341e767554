import assert from 'node:assert/strict';
import { formatTraceparent, newSpanIds, parseTraceparent } from './traceparent.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it('is read and written as the standard says', () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    assert.deepEqual(parseTraceparent(text), { traceId: TRACE, spanId: SPAN, isSampled: true });
    assert.equal(formatTraceparent({ traceId: TRACE, spanId: SPAN, isSampled: true }), text);
    assert.equal(parseTraceparent(`00-${TRACE}-${SPAN}-02`)?.isSampled, false);
    assert.equal(formatTraceparent({ traceId: TRACE, spanId: SPAN, isSampled: false }), `00-${TRACE}-${SPAN}-00`);
  });

  it('is none where something is wrong with it', () => {
    const wrong = [
      undefined,
      7,
      '',
      `00-${TRACE}-${SPAN}`,
      `00-${TRACE.toUpperCase()}-${SPAN}-01`,
      `ff-${TRACE}-${SPAN}-01`,
      `00-${'0'.repeat(32)}-${SPAN}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}-${SPAN}-01\n`,
    ];
    for (const text of wrong) assert.equal(parseTraceparent(text), undefined, String(text));
  });

  it('of a new span stays in the trace of its parent', () => {
    const first = newSpanIds();
    const second = newSpanIds(first);
    assert.equal(second.traceId, first.traceId);
    assert.notEqual(second.spanId, first.spanId);
    assert.notEqual(newSpanIds().traceId, first.traceId);
    assert.equal(newSpanIds({ ...first, isSampled: false }).isSampled, false);
    for (const ids of [first, second]) assert.deepEqual(parseTraceparent(formatTraceparent(ids)), ids);
  });

  it('never has the ids of another', () => {
    const ids = Array.from({ length: 2_000 }, () => newSpanIds());
    const all = new Set(ids.flatMap(({ traceId, spanId }) => [traceId, spanId]));
    assert.equal(all.size, 2 * ids.length);
    assert.ok(ids.every((one) => parseTraceparent(formatTraceparent(one))));
  });
});
