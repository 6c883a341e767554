import assert from 'node:assert/strict';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { aCall, aTurn, FakeHostSession } from '../../../../test/fakes/fakeHostSession.ts';
import { withContext } from '../../../base/text/contextBlock.ts';
import type { HostedPart } from '../hosted/hostedSession.ts';
import { SessionEvents } from './sessionEvents.ts';

const text = (words: string): HostedPart => ({ kind: 'text', text: words });
const part = (fields: Parameters<typeof aCall>[0]): HostedPart => ({ kind: 'call', call: aCall(fields) });

describe('The events of a session', () => {
  const setUp = () => {
    const host = new FakeHostSession();
    const clock = new FakeClock();
    const told: unknown[][] = [];
    const events = new SessionEvents({
      host,
      clock,
      tell: (event, data, byUser) => void told.push(byUser ? [event, data, 'by the user'] : [event, data]),
      providerOf: (tool) => (tool === 'work' ? 'worker' : undefined),
    });
    const update = () => {
      events.update();
      return told.splice(0);
    };
    const turns = (...all: Parameters<typeof aTurn>[0][]) => {
      host.turns = all.map((fields) => aTurn(fields));
      return update();
    };
    return { host, clock, update, turns };
  };

  it('are told once each, as parts become final', () => {
    const { clock, turns, update } = setUp();
    assert.deepEqual(update(), []);
    assert.deepEqual(turns({ parts: [text('I lo')] }), [['user.message', { content: 'hello' }, 'by the user']]);
    assert.deepEqual(turns({ parts: [text('I look')] }), []);
    assert.deepEqual(turns({ parts: [text('I look'), part({ status: 'running', input: '{"a":1}' })] }), [
      ['assistant.message', { content: 'I look' }],
    ]);
    clock.advance(40);
    const done = part({ status: 'done', input: '{"a":1}', output: 'found' });
    const result = { type: 'success', output: 'found' };
    assert.deepEqual(turns({ parts: [text('I look'), done] }), [
      ['tool.execution_complete', { tool: 'work', provider: 'worker', args: { a: 1 }, result, durationMs: 40 }],
    ]);
    assert.deepEqual(turns({ parts: [text('I look'), done, text('There')] }), []);
    assert.deepEqual(turns({ parts: [text('I look'), done, text('There it is')], isOver: true }), [
      ['assistant.message', { content: 'There it is' }],
    ]);
    assert.deepEqual(update(), []);
  });

  it('miss nothing of turns that began and ended unseen', () => {
    const { turns } = setUp();
    turns();
    const told = turns(
      { id: 'a', text: 'one', parts: [text('first')], isOver: true },
      { id: 'b', text: 'two', parts: [part({ toolName: 'own', status: 'failed', input: 'ls', output: 'denied' })] },
    );
    assert.deepEqual(told, [
      ['user.message', { content: 'one' }, 'by the user'],
      ['assistant.message', { content: 'first' }],
      ['user.message', { content: 'two' }, 'by the user'],
      ['tool.execution_complete', { tool: 'own', args: { input: 'ls' }, result: { type: 'failure', output: 'denied' }, durationMs: 0 }],
    ]);
  });

  it('name no provider for a tool of the agent that has the name of a provider’s', () => {
    const { turns } = setUp();
    turns();
    const [, told] = turns({ parts: [part({ clientId: undefined, status: 'done' })] });
    assert.ok(!('provider' in (told?.[1] as object)));
  });

  it('begin with what comes after the first look, also in a turn that runs', () => {
    const { turns } = setUp();
    assert.deepEqual(turns({ id: 'old', parts: [text('x')], isOver: true }, { parts: [text('before'), part({ status: 'running' })] }), []);
    const told = turns({ id: 'old', parts: [text('x')], isOver: true }, { parts: [text('before'), part({ status: 'done' })] });
    assert.deepEqual(
      told.map(([event]) => event),
      ['tool.execution_complete'],
    );
  });

  it('go on after the session was cut', () => {
    const { turns } = setUp();
    turns({ id: 'a', isOver: true }, { id: 'b', isOver: true });
    assert.deepEqual(turns({ id: 'a', isOver: true }), []);
    assert.deepEqual(turns(), []);
    assert.equal(turns({ id: 'c' }).length, 1);
  });

  it('tell the user’s own words, and that an injected event is not the user’s', () => {
    const { turns } = setUp();
    turns();
    const context = withContext([{ kind: 'context', provider: 'p', content: 'red' }], 'mine');
    const pushed = withContext([{ kind: 'push', provider: 'p', content: 'it failed' }], '');
    const told = turns({ id: 'a', text: context, isOver: true }, { id: 'b', text: pushed });
    assert.deepEqual(told, [
      ['user.message', { content: 'mine' }, 'by the user'],
      ['user.message', { content: 'it failed' }],
    ]);
  });

  it('tell what the agent is about to do', () => {
    const { host, update } = setUp();
    host.set({ activity: 'Reading' });
    update();
    host.set({ activity: 'Writing' });
    assert.deepEqual(update(), [['assistant.intent', { intent: 'Writing' }]]);
    host.set({ activity: undefined });
    assert.deepEqual(update(), []);
  });
});
