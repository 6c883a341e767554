import assert from 'node:assert/strict';
import type { StateAction } from '../actions.ts';
import { reduceAll, reducerFor, type Reducer } from './reduceAll.ts';
import { ROOT_URI } from '../root.ts';
import { rootReducer } from './rootReducer.ts';
import { sessionReducer } from './sessionReducer.ts';
import type { TerminalState } from '../terminal.ts';
import { terminalReducer } from './terminalReducer.ts';

const terminal: TerminalState = { title: '', content: [], claim: { kind: 'client', clientId: 'c' } };
const data = (text: string): StateAction => ({ type: 'terminal/data', terminal: 't', data: text });

describe('reduceAll', () => {
  it('gives the same reference back for a batch that changes nothing, the empty one too', () => {
    assert.equal(reduceAll(terminalReducer, terminal, [], 0), terminal);
    const said = reduceAll(terminalReducer, terminal, [data('a')], 0);
    assert.equal(reduceAll(terminalReducer, said, [data(''), { type: 'terminal/input', terminal: 't', data: 'x' }, data('')], 0), said);
  });

  it('keeps the order of what lies between appends', () => {
    const batch: StateAction[] = [data('a'), data('b'), { type: 'terminal/cleared', terminal: 't' }, data('c'), data('d')];
    assert.deepEqual(reduceAll(terminalReducer, terminal, batch, 0).content, [{ type: 'unclassified', value: 'cd' }]);
  });

  it('works for a reducer of any making', () => {
    const counter: Reducer<number> = (count) => count + 1;
    assert.equal(reduceAll(counter, 0, [data('a'), { type: 'terminal/cleared', terminal: 't' }], 0), 2);
  });
});

describe('reducerFor', () => {
  it('knows a resource by its URI', () => {
    assert.equal(reducerFor(ROOT_URI), rootReducer);
    assert.equal(reducerFor('agenthost-terminal:/t-1'), terminalReducer);
    assert.equal(reducerFor('copilot:/1'), sessionReducer);
    assert.equal(reducerFor('copilot:/1/subagent/call'), sessionReducer);
  });
});
