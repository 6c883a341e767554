import assert from 'node:assert/strict';
import { systemClock } from '../../base/clock.ts';
import { nullLogger } from '../../base/log.ts';
import { RecordLimit, recordInput, type RecordInput } from '../../tap/wire/records/record.ts';
import { newSpanIds } from '../../base/traces/traceparent.ts';
import type { TracesConfig } from '../../tap/wire/traces/tracesConfig.ts';
import { openSpanExport } from './export/spanExport.ts';
import { contentName, endFailed, SESSION_ATTRIBUTE, traceparentOf, Tracing } from './tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;
const OFF: TracesConfig = { enabled: false, content: false };
const ON: TracesConfig = { enabled: true, content: false };

describe('tracing', () => {
  const setUp = (fixed?: TracesConfig) => {
    const kept: RecordInput[] = [];
    const opened: TracesConfig[] = [];
    const tracing = new Tracing({
      open: async (config) => {
        opened.push(config);
        const records = { add: async (records: readonly RecordInput[]) => void kept.push(...records) };
        return openSpanExport({ config, records, version: '1', clock: systemClock, logger: nullLogger });
      },
      fixed,
      logger: nullLogger,
    });
    const records = async () => {
      await tracing.close();
      for (const record of kept) recordInput.parse(record);
      return kept;
    };
    return { tracing, opened, records };
  };

  it('is off at first: spans are nothing, and what makes them is not loaded', () => {
    const { tracing, opened } = setUp();
    const span = tracing.start('x', { attributes: { a: 1 } });
    assert.equal(span.isRecording(), false);
    assert.equal(traceparentOf(span), undefined);
    span.end();
    assert.deepEqual([opened, tracing.status], [[], { isOn: false, content: false, destinations: [] }]);
  });

  it('passes the trace of others on while it is off', () => {
    const { tracing } = setUp();
    const span = tracing.start('x', { parent: PARENT });
    assert.equal(traceparentOf(span), PARENT);
    assert.equal(traceparentOf(tracing.start('y', { parent: span })), PARENT);
    assert.equal(traceparentOf(tracing.start('z', { parent: 'nonsense' })), undefined);
  });

  it('keeps spans as records, below their parents, without what was said', async () => {
    const { tracing, records } = setUp();
    await tracing.configure(ON);
    const turn = tracing.start('turn', { parent: PARENT, attributes: { [SESSION_ATTRIBUTE]: 'a', 'tapline.run': 7 } });
    const call = tracing.start('call', { parent: turn, links: [tracing.start('other')], startedAt: 1_700_000_000_000 });
    endFailed(call, 'TIMEOUT');
    turn.end();
    const told = { ...newSpanIds(), name: 'told', start: 1_700_000_000_000, end: 1_700_000_000_250 };
    const attributes = { [contentName('arguments')]: 'secret', tool: 'x' };
    tracing.tell('b', [{ ...told, parentSpanId: SPAN, attributes, error: 'failed' }]);
    assert.equal(tracing.hasContent, false);
    const [ofCall, ofTurn, ofOwner] = await records();
    assert.equal(ofTurn?.sessionId, 'a');
    assert.deepEqual(
      [ofTurn?.data.traceId, ofTurn?.data.parentSpanId, ofTurn?.data.name, ofTurn?.data.attributes],
      [TRACE, SPAN, 'turn', { 'tapline.run': 7 }],
    );
    assert.deepEqual([ofCall?.data.traceId, ofCall?.data.parentSpanId], [TRACE, ofTurn?.data.spanId]);
    assert.deepEqual(
      [ofCall?.at, ofCall?.data.startedAt, ofCall?.data.failed, ofCall?.data.attributes],
      [1_700_000_000_000, 1_700_000_000_000, true, { 'error.type': 'TIMEOUT' }],
    );
    assert.equal((ofCall?.data.links as unknown[]).length, 1);
    const { traceId, spanId } = told;
    const rest = { name: 'told', startedAt: told.start, durationMs: 250, failed: true, attributes: { tool: 'x', 'error.type': 'failed' } };
    assert.deepEqual(ofOwner, {
      kind: 'trace',
      id: `${traceId}.${spanId}`,
      at: told.start,
      sessionId: 'b',
      rank: 0,
      data: { traceId, spanId, parentSpanId: SPAN, ...rest },
    });
  });

  it('adds what was said where that is wanted, and cuts it', async () => {
    const { tracing, records } = setUp();
    await tracing.configure({ ...ON, content: true });
    assert.equal(tracing.hasContent, true);
    tracing.start('x', { attributes: { [contentName('result')]: 'y'.repeat(100_000) } }).end();
    const ids = newSpanIds();
    tracing.tell('b', [{ ...ids, name: 'told', start: 2e12, end: 2e12, attributes: { [contentName('arguments')]: 'asked' } }]);
    const [own, told] = (await records()).map(({ data }) => data.attributes as Record<string, string>);
    assert.equal(own?.[contentName('result')]?.length, 4_000);
    assert.equal(told?.[contentName('arguments')], 'asked');
  });

  it('never makes a record that is too long', async () => {
    const { tracing, records } = setUp();
    await tracing.configure(ON);
    const attributes = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a${at}`, '"'.repeat(1_000)]));
    tracing.start('x', { attributes }).end();
    const [record] = await records();
    assert.ok(JSON.stringify(record?.data).length <= RecordLimit.dataLength);
    assert.deepEqual([record?.data.name, record?.data.omitted], ['x', 'the attributes are too long']);
  });

  it('follows the owner that has said so last, unless it was told by its command line', async () => {
    const { tracing, opened } = setUp();
    await tracing.configure(ON);
    assert.equal(tracing.isOn, true);
    await tracing.configure({ ...ON });
    await tracing.configure(OFF);
    assert.deepEqual([tracing.isOn, opened.length], [false, 1]);
    const byCommandLine = setUp({ ...ON, content: true }).tracing;
    await byCommandLine.configure(OFF);
    assert.deepEqual([byCommandLine.isOn, byCommandLine.hasContent], [true, true]);
    await byCommandLine.close();
    assert.equal(byCommandLine.isOn, false);
  });

  it('says why there are none', async () => {
    const tracing = new Tracing({ open: () => Promise.reject(new Error('no such file')), logger: nullLogger });
    await tracing.configure(ON);
    assert.deepEqual([tracing.isOn, tracing.status.problem], [false, 'no such file']);
    await tracing.configure(OFF);
    assert.equal(tracing.status.problem, undefined);
  });

  it('keeps what is told last of a turn that has gone on', async () => {
    const { tracing, records } = setUp();
    await tracing.configure(ON);
    const turn = { ...newSpanIds(), name: 'turn', start: 1_700_000_000_000, end: 1_700_000_000_250, attributes: {} };
    tracing.tell('a', [turn]);
    tracing.tell('a', [
      { ...turn, end: turn.end + 500 },
      { ...turn, name: 'other', end: turn.end + 900 },
    ]);
    assert.deepEqual(
      (await records()).map(({ data }) => [data.name, data.durationMs]),
      [
        ['turn', 250],
        ['turn', 750],
      ],
      'the file keeps the last one',
    );
  });

  it('keeps a span of which several owners tell once', async () => {
    const { tracing, records } = setUp();
    await tracing.configure(ON);
    const told = { ...newSpanIds(), name: 'told', start: 1_700_000_000_000, end: 1_700_000_000_250, attributes: {} };
    tracing.tell('a', [told]);
    tracing.tell('b', [told, { ...told, ...newSpanIds() }]);
    assert.deepEqual(
      (await records()).map(({ sessionId }) => sessionId),
      ['a', 'b'],
    );
  });
});
