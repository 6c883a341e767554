import assert from 'node:assert/strict';
import { isClientDispatchable, resourceOf, type StateAction } from './actions.ts';

describe('actions', () => {
  it('belong to the resource that they name, or to none', () => {
    const of = (action: unknown): string | undefined => resourceOf(action as StateAction);
    assert.equal(of({ type: 'root/agentsChanged', agents: [] }), 'agenthost:/root');
    assert.equal(of({ type: 'session/isDoneChanged', session: 'copilot:/1' }), 'copilot:/1');
    assert.equal(of({ type: 'terminal/cleared', terminal: 'agenthost-terminal:/1' }), 'agenthost-terminal:/1');
    for (const malformed of [null, undefined, 'x', {}, { type: 'session/ready' }, { type: 1, session: 's' }])
      assert.equal(of(malformed), undefined);
  });

  it('say which ones clients may dispatch', () => {
    for (const type of ['root/configChanged', 'session/turnStarted', 'terminal/input'])
      assert.equal(isClientDispatchable(type), true, type);
    for (const type of ['root/agentsChanged', 'session/delta', 'constructor', '__proto__', undefined, { toString: 1 }]) {
      assert.equal(isClientDispatchable(type), false);
    }
  });
});
