import assert from 'node:assert/strict';
import type { ChatState, ResponsePart } from '../../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { chatState, said } from '../../../../test/fakes/models.ts';
import { ObservedTimes } from './observedTimes.ts';

const session = (...responseParts: ResponsePart[]): ChatState =>
  chatState({ status: 8, activeTurn: { id: 't', message: said(''), responseParts } });
const thought: ResponsePart = { kind: 'reasoning', id: 'r', content: '' };
const call = (fields: Partial<ToolCallState>): ResponsePart => ({
  kind: 'toolCall',
  toolCall: { toolCallId: 'c', toolName: 'x', displayName: 'X', invocationMessage: '', ...fields } as ToolCallState,
});

describe('ObservedTimes', () => {
  it('knows what it saw from start to end', () => {
    const times = new ObservedTimes();
    times.observe(session(thought), 100, true);
    assert.equal(times.duration('r'), undefined);
    times.observe(session(thought, call({ status: 'running' })), 400, true);
    times.observe(session(thought, call({ status: 'completed' })), 1400, true);
    assert.equal(times.duration('r'), 300);
    assert.equal(times.duration('c'), 1000);
  });
  it('knows how long a turn took that it saw begin and end, and no other', () => {
    const ended = (id: string) => chatState({ turns: [{ id, message: said(''), responseParts: [], state: 'complete' }] });
    const times = new ObservedTimes();
    times.observe(session(), 100, true);
    assert.equal(times.turnDuration('t'), undefined);
    times.observe(ended('t'), 900, true);
    times.observe(ended('t'), 5_000, true);
    assert.equal(times.turnDuration('t'), 800);
    const late = new ObservedTimes();
    late.observe(session(), 100, false);
    late.observe(session(thought), 200, true);
    late.observe(ended('t'), 900, true);
    assert.equal(late.turnDuration('t'), undefined);
  });
  it('does not guess for what a snapshot brought', () => {
    const times = new ObservedTimes();
    times.observe(session(thought), 100, false);
    times.observe(session(thought, call({ status: 'running' })), 400, true);
    assert.equal(times.duration('r'), undefined);
  });
  it('does not count the time that the user took', () => {
    const times = new ObservedTimes();
    times.observe(session(call({ status: 'pending-confirmation' })), 0, true);
    times.observe(session(call({ status: 'running' })), 60_000, true);
    times.observe(session(call({ status: 'completed' })), 61_000, true);
    assert.equal(times.duration('c'), 1000);
  });
  it('does not count it either where the host lets the call run for a moment before it asks', () => {
    const times = new ObservedTimes();
    times.observe(session(call({ status: 'running' })), 0, true);
    times.observe(session(call({ status: 'pending-confirmation' })), 100, true);
    times.observe(session(call({ status: 'running' })), 60_000, true);
    assert.equal(times.duration('c'), undefined);
    times.observe(session(call({ status: 'completed' })), 61_000, true);
    assert.equal(times.duration('c'), 1100, 'what ran before the question and after it');
  });
  it('does not guess where the beginning was not seen, before the question or after it', () => {
    const times = new ObservedTimes();
    times.observe(session(call({ status: 'running' })), 0, false);
    times.observe(session(call({ status: 'pending-confirmation' })), 100, true);
    times.observe(session(call({ status: 'running' })), 60_000, true);
    times.observe(session(call({ status: 'completed' })), 61_000, true);
    assert.equal(times.duration('c'), undefined);
    const others = new ObservedTimes();
    others.observe(session(call({ status: 'running' })), 0, true);
    others.observe(session(call({ status: 'pending-confirmation' })), 100, true);
    others.observe(session(call({ status: 'running' })), 60_000, false);
    others.observe(session(call({ status: 'completed' })), 61_000, true);
    assert.equal(others.duration('c'), undefined);
  });
  it('has no duration for what was refused', () => {
    const times = new ObservedTimes();
    times.observe(session(call({ status: 'running' })), 0, true);
    times.observe(session(call({ status: 'pending-confirmation' })), 100, true);
    times.observe(session(call({ status: 'cancelled' })), 60_000, true);
    assert.equal(times.duration('c'), undefined);
    const others = new ObservedTimes();
    others.observe(session(call({ status: 'pending-confirmation' })), 100, true);
    others.observe(session(call({ status: 'cancelled' })), 60_000, true);
    assert.equal(others.duration('c'), undefined);
  });
  it('closes what the end of a turn closes', () => {
    const times = new ObservedTimes();
    const before = session(thought);
    times.observe(before, 100, true);
    const { activeTurn, ...rest } = before;
    assert.ok(activeTurn);
    times.observe({ ...rest, turns: [{ ...activeTurn, state: 'cancelled' }] }, 900, true);
    assert.equal(times.duration('r'), 800);
  });
});
