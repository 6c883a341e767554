/** Random actions with the states that a reference host computes from them. */
import assert from 'node:assert/strict';
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import type { ResourceState } from '../../src/ahp/v1/commands.ts';
import { reduceAll, type Reducer } from '../../src/ahp/v1/reducers/reduceAll.ts';
import { rootReducer } from '../../src/ahp/v1/reducers/rootReducer.ts';
import { sessionReducer } from '../../src/ahp/v1/reducers/sessionReducer.ts';
import { terminalReducer } from '../../src/ahp/v1/reducers/terminalReducer.ts';
import { deepFreeze } from '../support/deepFreeze.ts';
import { describeShared, sharedLines } from '../support/shared.ts';
import { withoutNulls } from './withoutNulls.ts';

const reducers = { root: rootReducer, session: sessionReducer, terminal: terminalReducer } as Record<string, Reducer<ResourceState>>;

interface Trace {
  reducer: string;
  now: number;
  initial: ResourceState;
  steps: { actions: StateAction[]; expected: ResourceState }[];
}

describeShared('random traces of AHP v1', (dir) => {
  for (const [index, line] of sharedLines(dir, 'conformance/traces-v1.jsonl').entries()) {
    const { reducer: resource, now, initial, steps } = deepFreeze(JSON.parse(line) as Trace);
    const reducer = reducers[resource];

    it(`line ${index + 1}: ${resource}`, () => {
      assert(reducer, `a reducer for ${resource}`);
      let single = initial;
      let batched = initial;
      for (const [step, { actions, expected }] of steps.entries()) {
        single = actions.reduce<ResourceState>((state, action) => reducer(state, action, now), single);
        assert.deepEqual(withoutNulls(single), withoutNulls(expected), `step ${step + 1}`);
        batched = reduceAll(reducer, batched, actions, now);
        assert.deepEqual(batched, single, `step ${step + 1}, as a batch`);
      }
    });
  }
});
