import assert from 'node:assert/strict';
import type { ReceivedSpan } from '../../../ahp/telemetry/receivedSpans.ts';
import { newSpanIds, type SpanIds } from '../../../base/traces/traceparent.ts';
import { toldSpan, TraceLimit } from '../../../tap/wire/traces/toldSpan.ts';
import { JoinedSpans } from './joinedSpans.ts';

describe('The spans of a host in the traces of a window', () => {
  const span = ({ traceId, spanId }: SpanIds, fields: Partial<ReceivedSpan> = {}): ReceivedSpan => ({
    ...{ traceId, spanId, name: 'turn', start: 2e12, end: 2e12 + 5, attributes: {}, service: 'a-host' },
    ...fields,
  });
  const ofTurn = (id: string) => ({ 'tapline.turn.id': id });
  const setUp = (parent?: SpanIds) => {
    const joined = new JoinedSpans();
    const ours = newSpanIds(parent);
    joined.began('t', { ids: ours, parent });
    const join = (spans: ReceivedSpan[], { hasContent = false, isOurs = false } = {}) => {
      const told = joined.join(spans, hasContent, () => isOurs);
      for (const one of told) toldSpan.parse(one);
      return told;
    };
    return { ours, join };
  };

  it('are below the turns that they name', () => {
    const { ours, join } = setUp();
    const turn = newSpanIds();
    const call = newSpanIds(turn);
    const told = join([
      span(call, { parentSpanId: turn.spanId, attributes: ofTurn('t'), name: 'execute_tool x' }),
      span(turn, { attributes: ofTurn('t') }),
    ]);
    assert.deepEqual(
      told.map(({ traceId, spanId, parentSpanId }) => [traceId, spanId, parentSpanId]),
      [
        [ours.traceId, call.spanId, turn.spanId],
        [ours.traceId, turn.spanId, ours.spanId],
      ],
    );
    assert.deepEqual(told[1]?.attributes, { ...ofTurn('t'), 'tapline.service': 'a-host', 'tapline.host.trace': turn.traceId });
  });

  it('stay in the trace that the host was given, below our turn', () => {
    const given = newSpanIds();
    const { ours, join } = setUp(given);
    const turn = newSpanIds(given);
    const [told] = join([span(turn, { parentSpanId: given.spanId, attributes: ofTurn('t') })]);
    assert.deepEqual([told?.traceId, told?.parentSpanId], [given.traceId, ours.spanId]);
    assert.equal(told?.attributes?.['tapline.host.trace'], undefined);
  });

  it('of a subagent follow the trace in which its turn was begun', () => {
    const { ours, join } = setUp();
    const turn = newSpanIds();
    const sub = newSpanIds(turn);
    const below = span(sub, { parentSpanId: turn.spanId, attributes: ofTurn('of the subagent') });
    const [told] = join([below, span(turn, { attributes: ofTurn('t') })]);
    assert.deepEqual([told?.traceId, told?.parentSpanId], [ours.traceId, turn.spanId]);
    assert.equal(join([{ ...below, spanId: newSpanIds().spanId }])[0]?.traceId, ours.traceId, 'also later');
  });

  it('of which nothing is known are left out, but where the host says that they are of the session', () => {
    const { join } = setUp();
    const other = span(newSpanIds(), { attributes: ofTurn('another') });
    assert.deepEqual(join([other]), []);
    const [told] = join([other], { isOurs: true });
    assert.deepEqual([told?.traceId, told?.parentSpanId], [other.traceId, undefined]);
  });

  it('have no texts but names and codes, unless content is wanted', () => {
    const { join } = setUp();
    const attributes = { ...ofTurn('t'), 'gen_ai.input.messages': 'secret', 'gen_ai.tool.name': 'shell', count: 7, is: true };
    const [plain] = join([span(newSpanIds(), { attributes })]);
    const { 'gen_ai.input.messages': _secret, ...others } = attributes;
    const { 'tapline.host.trace': _trace, 'tapline.service': _service, ...kept } = plain?.attributes ?? {};
    assert.deepEqual(kept, others);
    const [whole] = join([span(newSpanIds(), { attributes })], { hasContent: true });
    assert.equal(whole?.attributes?.['gen_ai.input.messages'], 'secret');
  });

  it('are as the gateway takes them, however much there is in them', () => {
    const { join } = setUp();
    const many = Object.fromEntries(Array.from({ length: TraceLimit.attributes }, (_, index) => [`a${index}`, index]));
    const [told] = join([
      span(newSpanIds(), {
        attributes: { ...ofTurn('t'), ...many },
        name: 'n'.repeat(200),
        service: 's'.repeat(1_000),
        error: 'e'.repeat(200),
      }),
    ]);
    assert.ok(told);
  });
});
