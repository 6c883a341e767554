import assert from 'node:assert/strict';
import { RuntimeValues } from './runtimeValues.ts';

describe('runtime variables', () => {
  it('are put in where they are set, and are <MISSING> otherwise', () => {
    const values = new RuntimeValues();
    values.set('user-input', 'a');
    values.set('task-model', '');
    assert.equal(values.substitute('$user-input|$task-model|$reported-document|$1'), 'a||<MISSING>|$1');
    values.delete('user-input');
    assert.equal(values.substitute('$user-input'), '<MISSING>');
  });

  it('are put in once: what a user typed is not expanded', () => {
    const values = new RuntimeValues();
    values.set('user-input', "$task-model $user-input $& $' $1");
    values.set('task-model', 'secret');
    assert.equal(values.substitute('<$user-input>'), "<$task-model $user-input $& $' $1>");
  });
});
