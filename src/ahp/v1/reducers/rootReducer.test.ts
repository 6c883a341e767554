import assert from 'node:assert/strict';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import type { AgentInfo, RootAction, RootState } from '../root.ts';
import { rootReducer } from './rootReducer.ts';

const agent: AgentInfo = { provider: 'copilot', displayName: 'Copilot', description: '', models: [] };
const config = { schema: { type: 'object' as const, properties: {} }, values: { a: 1, b: 2 } };
const state: RootState = deepFreeze({ agents: [agent], activeSessions: 1, config });
const reduce = (action: RootAction, from = state): RootState => rootReducer(from, deepFreeze(action), 0);

describe('rootReducer', () => {
  it('replaces what changed and leaves the rest as it is', () => {
    const next = reduce({ type: 'root/activeSessionsChanged', activeSessions: 2 });
    assert.deepEqual(next, { ...state, activeSessions: 2 });
    assert.equal(next.agents, state.agents);
    assert.equal(next.config, state.config);
    assert.deepEqual(reduce({ type: 'root/agentsChanged', agents: [] }).agents, []);
  });

  it('keeps the old objects when a host repeats itself', () => {
    assert.equal(reduce({ type: 'root/agentsChanged', agents: [{ ...agent }] }), state);
    assert.equal(reduce({ type: 'root/configChanged', config: { a: 1 } }), state);
  });

  it('merges or replaces the configuration', () => {
    assert.deepEqual(reduce({ type: 'root/configChanged', config: { b: 3, c: 4 } }).config, { ...config, values: { a: 1, b: 3, c: 4 } });
    assert.deepEqual(reduce({ type: 'root/configChanged', config: { c: 4 }, replace: true }).config, { ...config, values: { c: 4 } });
  });

  it('ignores values where there is no configuration', () => {
    const without: RootState = deepFreeze({ agents: [] });
    assert.equal(reduce({ type: 'root/configChanged', config: { a: 1 } }, without), without);
  });

  it('keeps a value that is named like a prototype', () => {
    const values = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    const next = reduce({ type: 'root/configChanged', config: values });
    assert.equal(JSON.stringify(next.config?.values), '{"a":1,"b":2,"__proto__":{"polluted":true}}');
    assert.equal((next.config?.values as { polluted?: boolean }).polluted, undefined);
  });
});
