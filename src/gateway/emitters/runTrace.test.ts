import assert from 'node:assert/strict';
import { systemClock } from '../../base/clock.ts';
import { nullLogger } from '../../base/log.ts';
import type { OwnerEvents } from '../../tap/wire/owner/ownerMessages.ts';
import type { RecordInput } from '../../tap/wire/records/record.ts';
import { parseTraceparent } from '../../base/traces/traceparent.ts';
import { Session } from '../sessions/session.ts';
import { openSpanExport } from '../traces/export/spanExport.ts';
import { Tracing } from '../traces/tracing.ts';
import { Injector } from './injector.ts';
import { RunTrace } from './runTrace.ts';

interface Kept {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  failed?: boolean;
  links?: { traceId: string; spanId: string }[];
  attributes: Record<string, unknown>;
}

describe('the trace of a run', () => {
  const setUp = async ({ isOn = true, content = false } = {}) => {
    const kept: RecordInput[] = [];
    const tracing = new Tracing({
      open: async (config) => {
        const records = { add: async (records: readonly RecordInput[]) => void kept.push(...records) };
        return openSpanExport({ config, records, version: '1', clock: systemClock, logger: nullLogger });
      },
      logger: nullLogger,
    });
    await tracing.configure({ enabled: isOn, content });
    const told: OwnerEvents['push/inject'][] = [];
    const owner = {
      name: 'test',
      notify: (_event: string, params: object) => void told.push(params as OwnerEvents['push/inject']),
      ask: () => Promise.reject(new Error('nobody answers')),
    };
    const session = new Session('s', owner, { tracing });
    const run = (isContinuous = false) => new RunTrace({ session, emitter: 'e', run: 1, command: 'echo $KEY', isContinuous });
    const injector = new Injector('emitter e', { provider: 'tap', stream: 'e' }, ([parent, ...links], startedAt) =>
      session.startSpan('inject', { parent, links, startedAt }),
    );
    session.inbox.attach(injector);
    const spans = async () => {
      await tracing.close();
      return kept.map(({ data }) => data as unknown as Kept);
    };
    return { session, told, run, injector, spans };
  };
  const ended = (code: number | null) => ({ kind: 'ended' as const, code, problem: '' });

  it('has the lines that came at once, of which some were shown, below it', async () => {
    const { run, spans } = await setUp();
    const trace = run();
    const ids = parseTraceparent(trace.traceparent);
    trace.passed();
    const first = trace.shown('surface');
    assert.equal(trace.shown('inject'), first);
    trace.passed();
    assert.notEqual(trace.shown('inject'), first);
    trace.ended(ended(3));
    const [lines, more, whole] = await spans();
    assert.deepEqual([lines?.name, more?.name, whole?.name], ['emitter_lines', 'emitter_lines', 'emitter_run']);
    assert.deepEqual(lines?.attributes, { 'tapline.emitter': 'e', 'tapline.lines.surface': 1, 'tapline.lines.inject': 1 });
    assert.deepEqual([whole?.traceId, whole?.spanId, whole?.failed], [ids?.traceId, ids?.spanId, true]);
    assert.deepEqual(whole?.attributes, { 'tapline.emitter': 'e', 'tapline.run': 1, 'process.exit.code': 3, 'error.type': 'exit 3' });
    for (const span of [lines, more]) assert.deepEqual([span?.traceId, span?.parentSpanId], [ids?.traceId, ids?.spanId]);
  });

  it('does not grow for as long as a command runs on: its lines have their own, linked with it', async () => {
    const { run, spans } = await setUp();
    const trace = run(true);
    const ids = parseTraceparent(trace.traceparent);
    trace.shown('surface');
    trace.passed();
    trace.ended(ended(0));
    const [lines, whole] = await spans();
    assert.equal(whole?.failed, undefined);
    assert.notEqual(lines?.traceId, ids?.traceId);
    assert.deepEqual([lines?.parentSpanId, lines?.links], [undefined, [{ traceId: ids?.traceId, spanId: ids?.spanId }]]);
  });

  it('goes on with what is given to the agent, from when its first line came until then', async () => {
    const { session, told, run, injector, spans } = await setUp();
    session.inbox.setIdle(false);
    const [one, other] = [run(), run()];
    injector.add('a', one.shown('inject'));
    injector.add('b', one.shown('inject'));
    injector.add('c', other.shown('inject'));
    session.inbox.setIdle(true);
    for (const trace of [one, other]) trace.ended(ended(0));
    const all = await spans();
    const inject = all.find(({ name }) => name === 'inject');
    const [first, second] = all.filter(({ name }) => name === 'emitter_lines');
    assert.deepEqual([inject?.traceId, inject?.parentSpanId], [first?.traceId, first?.spanId]);
    assert.deepEqual(inject?.links, [{ traceId: second?.traceId, spanId: second?.spanId }]);
    assert.equal(told[0]?.text, 'a\nb\nc');
    assert.deepEqual(parseTraceparent(told[0]?.traceparent), { traceId: inject?.traceId, spanId: inject?.spanId, isSampled: true });
    assert.ok(!('span' in (told[0] ?? {})));
  });

  it('says what was given to nobody', async () => {
    const { session, spans } = await setUp();
    session.inbox.setIdle(false);
    const given = () => ({ provider: 'ci', stream: 'ci', text: 'x', isPrompt: false, span: session.startSpan('inject') });
    for (let left = 30; left > 0; left--) session.inbox.add('ci', given());
    const { dropped } = session.inbox;
    assert.ok(dropped > 0);
    assert.deepEqual(
      (await spans()).map(({ name, attributes }) => [name, attributes['error.type']]),
      Array.from({ length: dropped }, () => ['inject', 'dropped']),
    );
  });

  it('has the command where content is wanted', async () => {
    const { run, spans } = await setUp({ content: true });
    run().notBegun();
    const [whole] = await spans();
    assert.deepEqual([whole?.attributes['tapline.content.command'], whole?.failed], ['echo $KEY', true]);
  });

  it('is nothing while there are no traces', async () => {
    const { run, told, injector, session } = await setUp({ isOn: false });
    const trace = run();
    assert.deepEqual([trace.traceparent, trace.shown('inject')], [undefined, undefined]);
    injector.add('a', trace.shown('inject'));
    session.inbox.poke();
    trace.ended(ended(0));
    assert.deepEqual(told, [{ sessionId: 's', provider: 'tap', stream: 'e', text: 'a', isPrompt: false }]);
  });
});
