import assert from 'node:assert/strict';
import type { TelemetrySpan } from '../../ahp/telemetry/telemetryAttributes.ts';
import { parseTraceparent } from '../../base/traces/traceparent.ts';
import type { RunEvent } from '../runs/runEvents.ts';
import { RunSpans } from './runSpans.ts';

describe('the spans of runs', () => {
  const setUp = () => {
    const told: TelemetrySpan[] = [];
    const spans = new RunSpans((some) => told.push(...some));
    const events: RunEvent[] = [];
    const happen = (at: number, event: Record<string, unknown>) => {
      const happened = { at, ...event } as unknown as RunEvent;
      events.push(happened);
      spans.event('r', happened);
    };
    const facts = () => told.map(({ name, start, end, error }) => [name, start, end - start, error]);
    return { told, spans, happen, facts, events };
  };
  const definition = { jobName: 'all', requireUserInput: false, work: {}, tasks: {}, models: {} };
  const started = { type: 'jobStarted', jobId: 'r', definition, userInput: 'secret', workingDirectory: '/secret' };
  const step = { type: 'workStarted', workId: 0, step: '0#0', taskId: 't', taskName: 'one' };
  const session = { type: 'taskSessionStarted', taskId: 't', sessionId: 's', model: 'm', isDriving: true };

  it('are a run, its steps and their sessions, each below what it is for', () => {
    const { told, spans, happen, facts } = setUp();
    happen(1, { ...started, queued: {} });
    happen(5, { type: 'jobBegan' });
    happen(6, step);
    happen(6, { type: 'taskStarted', taskId: 't', taskName: 'one', model: 'm' });
    happen(7, session);
    const above = parseTraceparent(spans.traceparentOf('s'));
    happen(8, { type: 'taskPrompt', taskId: 't', sessionId: 's', prompt: 'secret' });
    happen(20, { type: 'taskSessionStopped', taskId: 't', sessionId: 's', succeeded: true });
    assert.equal(spans.traceparentOf('s'), undefined);
    happen(21, { type: 'taskSucceeded', taskId: 't' });
    happen(22, { type: 'workStopped', workId: 0, step: '0#0', taskId: 't', succeeded: true });
    happen(23, { type: 'jobSucceeded' });
    assert.deepEqual(facts(), [
      ['portal_queue all', 1, 4, undefined],
      ['portal_session', 7, 13, undefined],
      ['portal_step one', 6, 16, undefined],
      ['portal_run all', 5, 18, undefined],
    ]);
    const [queue, inSession, ofStep, run] = told;
    assert.deepEqual([above?.traceId, above?.spanId], [run?.traceId, inSession?.spanId]);
    assert.deepEqual([inSession?.parentSpanId, ofStep?.parentSpanId, queue?.parentSpanId], [ofStep?.spanId, run?.spanId, run?.spanId]);
    assert.equal(new Set(told.map(({ traceId }) => traceId)).size, 1);
    assert.doesNotMatch(JSON.stringify(told), /secret/);
  });

  it('say how it ended, with what was not over', () => {
    const { happen, facts } = setUp();
    happen(1, started);
    happen(2, step);
    happen(3, session);
    happen(9, { type: 'jobStopped', by: 'you' });
    assert.deepEqual(facts(), [
      ['portal_session', 3, 6, 'run_ended'],
      ['portal_step one', 2, 7, 'run_ended'],
      ['portal_run all', 1, 8, 'stopped'],
    ]);
  });

  it('go on in another process with the same ids, and each time that a run is continued it has another span', () => {
    const { told, happen, events } = setUp();
    happen(1, started);
    happen(2, step);
    const kept = [...events];
    happen(3, { type: 'jobInterrupted' });
    const other = setUp();
    other.spans.restore('r', kept);
    assert.equal(other.told.length, 0, 'they were told of');
    other.happen(3, { type: 'jobInterrupted' });
    assert.deepEqual(other.told, told);
    other.happen(10, { type: 'jobContinued', redo: [] });
    other.happen(12, { type: 'jobSucceeded' });
    const again = other.told.at(-1);
    assert.deepEqual([again?.name, again?.start, again?.traceId], ['portal_run all', 10, told[0]?.traceId]);
    assert.notEqual(again?.spanId, told.at(-1)?.spanId);
  });

  it('end with the process that had them, where another takes the run over', () => {
    const { told, spans, happen, facts } = setUp();
    spans.restore('r', [
      { at: 1, ...started },
      { at: 2, ...step },
      { at: 3, ...session },
    ] as unknown as RunEvent[]);
    happen(9, { type: 'jobTakenOver' });
    assert.deepEqual(facts(), [
      ['portal_session', 3, 6, 'interrupted'],
      ['portal_step one', 2, 7, 'interrupted'],
    ]);
    assert.equal(spans.traceparentOf('s'), undefined);
    happen(10, { ...step, taskId: 'again' });
    happen(12, { type: 'jobSucceeded' });
    assert.deepEqual(facts().slice(2), [
      ['portal_step one', 10, 2, 'run_ended'],
      ['portal_run all', 1, 11, undefined],
    ]);
    assert.equal(told[2]?.parentSpanId, told[3]?.spanId);
  });

  it('have the time in the queue, where the store says that the run begins, told by the process that runs it', () => {
    const begun = [
      { at: 1, ...started, queued: {} },
      { at: 5, type: 'jobBegan' },
    ] as unknown as RunEvent[];
    const { spans, happen, facts } = setUp();
    spans.restore('r', begun);
    assert.deepEqual(facts(), [], 'it may be that of another');
    happen(6, step);
    happen(7, { type: 'jobSucceeded' });
    assert.deepEqual(facts()[0], ['portal_queue all', 1, 4, undefined]);
    assert.equal(facts().length, 3);
    const other = setUp();
    other.spans.restore('r', begun);
    other.spans.restore('r', [{ at: 6, ...step }] as unknown as RunEvent[]);
    other.happen(8, { type: 'jobTakenOver' });
    assert.deepEqual(
      other.facts().map(([name]) => name),
      ['portal_step one'],
      'the first one has told of it',
    );
  });

  it('are known of a run that goes on, however many others end meanwhile', () => {
    const { told, spans, happen } = setUp();
    happen(1, started);
    happen(2, session);
    const { traceId = '', spanId = '' } = parseTraceparent(spans.traceparentOf('s')) ?? {};
    for (let at = 0; at < 1_100; at++)
      for (const event of [started, { type: 'jobSucceeded' }]) spans.event(`other ${at}`, { at: 3, ...event } as unknown as RunEvent);
    spans.fromHost([
      { traceId, spanId: 'b'.repeat(16), parentSpanId: spanId, name: 'turn', start: 4, end: 5, attributes: {}, service: 'h' },
    ]);
    assert.equal(told.at(-1)?.name, 'turn');
    happen(9, { type: 'jobSucceeded' });
    assert.deepEqual([told.at(-1)?.name, told.at(-1)?.start], ['portal_run all', 1]);
  });

  it('are those of a task that runs alone, in a session that it has borrowed', () => {
    const { told, spans } = setUp();
    const event = (at: number, more: Record<string, unknown>) => spans.event('t', { at, taskId: 't', ...more } as unknown as RunEvent);
    event(1, { type: 'taskStarted', taskName: 'one', model: 'm', borrowedSessionId: 's' });
    const above = parseTraceparent(spans.traceparentOf('s'));
    event(2, { type: 'taskFailed', reason: 'secret' });
    const [run] = told;
    assert.deepEqual([run?.name, run?.error, run?.spanId], ['portal_run one', 'failed', above?.spanId]);
    assert.equal(spans.traceparentOf('s'), undefined);
  });

  it('come with those that hosts tell of its turns, without what was said', () => {
    const { told, spans, happen } = setUp();
    happen(1, started);
    happen(2, step);
    happen(3, session);
    const { traceId = '', spanId = '' } = parseTraceparent(spans.traceparentOf('s')) ?? {};
    const turn = {
      spanId: 'b'.repeat(16),
      name: 'turn',
      start: 4,
      end: 5,
      attributes: { 'tapline.turn.id': 'u', said: 'secret' },
      service: 'h',
    };
    spans.fromHost([
      { ...turn, traceId, parentSpanId: spanId },
      { ...turn, traceId: 'c'.repeat(32) },
    ]);
    assert.equal(told.length, 1);
    assert.equal(Object.keys(told[0]?.attributes ?? {})[0], 'tapline.service', 'what is too much is cut at the end');
    assert.deepEqual(told[0]?.attributes, { 'tapline.turn.id': 'u', 'tapline.service': 'h' });
    happen(6, { type: 'jobSucceeded' });
    spans.fromHost([{ ...turn, traceId, parentSpanId: spanId }]);
    assert.equal(told.at(-1)?.name, 'turn', 'they come a moment after the end');
  });
});
