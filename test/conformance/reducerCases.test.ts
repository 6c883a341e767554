import assert from 'node:assert/strict';
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import type { ResourceState } from '../../src/ahp/v1/commands.ts';
import { reduceAll, type Reducer } from '../../src/ahp/v1/reducers/reduceAll.ts';
import { rootReducer } from '../../src/ahp/v1/reducers/rootReducer.ts';
import { sessionReducer } from '../../src/ahp/v1/reducers/sessionReducer.ts';
import { terminalReducer } from '../../src/ahp/v1/reducers/terminalReducer.ts';
import { deepFreeze } from '../support/deepFreeze.ts';
import { describeShared, sharedFiles, sharedJson } from '../support/shared.ts';
import { withoutNulls } from './withoutNulls.ts';

const NOW = 9999;
const FOLDER = 'conformance/reducers-v1';
const reducers = { root: rootReducer, session: sessionReducer, terminal: terminalReducer } as Record<string, Reducer<ResourceState>>;

interface ReducerCase {
  description: string;
  reducer: string;
  initial: ResourceState;
  actions: StateAction[];
  expected: ResourceState;
}

describeShared('reducer cases of AHP v1', (dir) => {
  for (const name of sharedFiles(dir, FOLDER, /\.json$/)) {
    const { description, reducer: resource, initial, actions, expected } = deepFreeze(sharedJson(dir, `${FOLDER}/${name}`) as ReducerCase);
    const reducer = reducers[resource];

    it(`${name}: ${description}`, () => {
      assert(reducer, `a reducer for ${resource}`);
      const oneByOne = actions.reduce((state, action) => reducer(state, action, NOW), initial);
      assert.deepEqual(withoutNulls(oneByOne), withoutNulls(expected));
      assert.deepEqual(reduceAll(reducer, initial, actions, NOW), oneByOne);
      if (JSON.stringify(expected) === JSON.stringify(initial)) assert.equal(oneByOne, initial, 'nothing changed: the same reference');
    });
  }
});
