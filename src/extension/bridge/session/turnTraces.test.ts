import assert from 'node:assert/strict';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { aCall, aTurn, FakeHostSession } from '../../../../test/fakes/fakeHostSession.ts';
import { keptIn, MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import { toldSpan, type ToldSpanInput } from '../../../tap/wire/traces/toldSpan.ts';
import { parseTraceparent } from '../../../base/traces/traceparent.ts';
import type { HostedCall } from '../hosted/hostedSession.ts';
import { TurnMemory } from '../storage/turnMemory.ts';
import { TurnTraces } from './turnTraces.ts';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('The traces of turns', () => {
  const setUp = (choice = { isOn: true, hasContent: false }, storage = new MemoryStorage()) => {
    const host = new FakeHostSession();
    const clock = new FakeClock();
    clock.advance(Date.parse('2026-11-27') - clock.now());
    const told: ToldSpanInput[] = [];
    const memory = new TurnMemory(keptIn(storage, clock));
    const traces = new TurnTraces({ sessionId: 's', host, memory, choice: () => choice, tell: (spans) => void told.push(...spans), clock });
    const turn = (...calls: Partial<HostedCall>[]) => {
      host.turns = [aTurn({ parts: calls.map((call) => ({ kind: 'call', call: aCall(call) })) })];
      traces.update();
    };
    const over = () => {
      host.turns = host.turns.map((last) => ({ ...last, isOver: true }));
      traces.update();
      for (const span of told) toldSpan.parse(span);
      return told.splice(0);
    };
    const below = () => parseTraceparent(traces.traceparentOf({ turnId: 'turn' }));
    return { host, clock, traces, told, choice, turn, over, below };
  };

  it('have a span for each turn, which its calls are below', () => {
    const { clock, told, turn, over, below, traces } = setUp();
    turn();
    const ids = below();
    assert.ok(ids);
    clock.advance(70);
    assert.deepEqual(told, [], 'it is not over');
    assert.equal(traces.traceparentOf({ turnId: 'another' }), undefined);
    const [span, ...more] = over();
    assert.deepEqual(more, []);
    assert.deepEqual([span?.name, span?.traceId, span?.spanId, span?.parentSpanId], ['turn', ids.traceId, ids.spanId, undefined]);
    assert.equal((span?.end ?? 0) - (span?.start ?? 0), 70);
    assert.deepEqual(span?.attributes, { 'tapline.turn.id': 'turn' }, 'not what was asked');
    assert.equal(below(), undefined);
  });

  it('are the same in another window, and after a reload', () => {
    const [one, other] = [setUp(), setUp()];
    one.turn();
    other.turn();
    assert.deepEqual(one.below(), other.below());
  });

  it('go on where something was given to the agent', () => {
    const { host, traces, turn, over, below } = setUp();
    traces.injected('hello', PARENT);
    traces.injected('another', 'nonsense');
    turn();
    const parent = parseTraceparent(PARENT);
    assert.equal(below()?.traceId, parent?.traceId);
    const [span] = over();
    assert.deepEqual([span?.traceId, span?.parentSpanId], [parent?.traceId, parent?.spanId]);
    host.turns = [aTurn({ id: 'later' })];
    traces.update();
    assert.notEqual(parseTraceparent(traces.traceparentOf({ turnId: 'later' }))?.traceId, parent?.traceId, 'once only');
  });

  it('go on there also in a window that is loaded again in the middle of the turn, which began when it began', () => {
    const storage = new MemoryStorage();
    const before = setUp(undefined, storage);
    before.traces.injected('hello', PARENT);
    before.turn();
    const after = setUp(undefined, storage);
    after.clock.advance(70);
    after.turn();
    assert.deepEqual(after.below(), before.below());
    const [span] = after.over();
    assert.equal(span?.parentSpanId, parseTraceparent(PARENT)?.spanId);
    assert.equal((span?.end ?? 0) - (span?.start ?? 0), 70);
    after.host.turns = [aTurn({ id: 'later' })];
    after.traces.update();
    const next = setUp(undefined, storage);
    next.turn();
    assert.notEqual(next.below()?.traceId, parseTraceparent(PARENT)?.traceId, 'of another turn');
  });

  it('are begun anew where what was kept is nonsense', () => {
    const storage = new MemoryStorage();
    void storage.update('tapline.tracedTurns', { s: { turnId: 'turn', start: 'soon' }, other: 7 });
    const { turn, below } = setUp(undefined, storage);
    turn();
    assert.ok(below());
  });

  it('have what the agent runs itself, and what waits for the user; lent tools are the gateway’s', () => {
    const { clock, told, turn, over } = setUp();
    turn({ callId: 'own', toolName: 'shell', clientId: undefined, status: 'waiting' }, { callId: 'lent', status: 'running' });
    clock.advance(5);
    turn({ callId: 'own', toolName: 'shell', clientId: undefined, status: 'running' }, { callId: 'lent', status: 'done' });
    clock.advance(20);
    turn({ callId: 'own', toolName: 'shell', clientId: undefined, status: 'failed' }, { callId: 'lent', status: 'done' });
    const facts = told.map(({ name, start, end, error }) => [name, end - start, error]);
    assert.deepEqual(facts, [
      ['wait_for_user shell', 5, undefined],
      ['execute_tool shell', 20, 'failed'],
    ]);
    const spans = over();
    const turnSpan = spans.at(-1);
    for (const span of spans.slice(0, -1)) assert.equal(span.parentSpanId, turnSpan?.spanId);
    assert.equal(spans.length, 3);
  });

  it('have the prompt where that is wanted', () => {
    const { turn, over } = setUp({ isOn: true, hasContent: true });
    turn();
    assert.equal(over()[0]?.attributes?.['tapline.content.prompt'], 'hello');
  });

  it('are not there while they are not wanted', () => {
    const { choice, turn, over, below } = setUp();
    choice.isOn = false;
    turn({ clientId: undefined });
    assert.equal(below(), undefined);
    assert.deepEqual(over(), []);
  });

  it('have the spans of the host below them, while traces are on', () => {
    const { host, told, turn, choice, traces, below } = setUp();
    turn();
    const theirs = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'turn', start: 2e12, end: 2e12, service: 'x' };
    const ofTurn = { ...theirs, attributes: { 'tapline.turn.id': 'turn' } };
    const ids = below();
    host.sendSpans(ofTurn, { ...theirs, attributes: {} }, { ...theirs, attributes: { 'ahp.session': 'ours' } });
    assert.deepEqual(
      told.map(({ traceId, parentSpanId }) => [traceId, parentSpanId]),
      [
        [ids?.traceId, ids?.spanId],
        [ids?.traceId, ids?.spanId],
        [ids?.traceId, ids?.spanId],
      ],
      'what is in the same trace is of the same turn',
    );
    told.length = 0;
    choice.isOn = false;
    traces.update();
    host.sendSpans(ofTurn);
    assert.deepEqual(told, []);
  });

  it('go on where the message of the turn says so', () => {
    const { host, traces, over } = setUp();
    host.turns = [aTurn({ traceparent: PARENT })];
    traces.update();
    const [span] = over();
    const parent = parseTraceparent(PARENT);
    assert.deepEqual([span?.traceId, span?.parentSpanId], [parent?.traceId, parent?.spanId]);
  });
});
