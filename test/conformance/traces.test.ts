/** Random actions with the states that a reference host computes from them. */
import assert from 'node:assert/strict';
import type { ActionLike } from '../../src/ahp/common/reducers/reducer.ts';
import { reduceAll } from '../../src/ahp/common/reducers/reduceAll.ts';
import { deepFreeze } from '../support/deepFreeze.ts';
import { describeShared, sharedLines } from '../support/shared.ts';
import { dialects } from './reducersOfDialects.ts';

interface Trace {
  reducer: string;
  now: number;
  initial: object;
  steps: { actions: ActionLike[]; expected: object }[];
}

for (const { name: dialect, traces, reducers, comparable } of dialects) {
  describeShared(`random traces of ${dialect}`, (dir) => {
    for (const [index, line] of sharedLines(dir, traces).entries()) {
      const { reducer: resource, now, initial, steps } = deepFreeze(JSON.parse(line) as Trace);
      const reducer = reducers[resource];

      it(`line ${index + 1}: ${resource}`, () => {
        assert(reducer, `a reducer for ${resource}`);
        let single = initial;
        let batched = initial;
        for (const [step, { actions, expected }] of steps.entries()) {
          single = actions.reduce((state, action) => reducer(state, action, now), single);
          assert.deepEqual(comparable(single), comparable(expected), `step ${step + 1}`);
          batched = reduceAll(reducer, batched, actions, now);
          assert.deepEqual(batched, single, `step ${step + 1}, as a batch`);
        }
      });
    }
  });
}
