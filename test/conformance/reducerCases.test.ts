import assert from 'node:assert/strict';
import type { ActionLike } from '../../src/ahp/common/reducers/reducer.ts';
import { reduceAll } from '../../src/ahp/common/reducers/reduceAll.ts';
import { deepFreeze } from '../support/deepFreeze.ts';
import { describeShared, sharedFiles, sharedJson } from '../support/shared.ts';
import { dialects } from './reducersOfDialects.ts';

const NOW = 9999;

interface ReducerCase {
  description: string;
  reducer: string;
  initial: object;
  actions: ActionLike[];
  expected: object;
}

for (const { name: dialect, cases, reducers, comparable } of dialects) {
  describeShared(`reducer cases of ${dialect}`, (dir) => {
    for (const name of sharedFiles(dir, cases, /\.json$/)) {
      const { description, reducer: resource, initial, actions, expected } = deepFreeze(sharedJson(dir, `${cases}/${name}`) as ReducerCase);
      const reducer = reducers[resource];

      it(`${name}: ${description}`, () => {
        assert(reducer, `a reducer for ${resource}`);
        const oneByOne = actions.reduce((state, action) => reducer(state, action, NOW), initial);
        assert.deepEqual(comparable(oneByOne), comparable(expected));
        assert.deepEqual(reduceAll(reducer, initial, actions, NOW), oneByOne);
        if (JSON.stringify(expected) === JSON.stringify(initial)) assert.equal(oneByOne, initial, 'nothing changed: the same reference');
      });
    }
  });
}
