import assert from 'node:assert/strict';
import { mayChange } from './ownership.ts';

describe('who may change an emitter', () => {
  const users = { name: 'tests', ownership: 'userOwned' } as const;
  const models = { name: 'tests', ownership: 'modelOwned' } as const;

  it('is the user always, and a model where it owns it', () => {
    assert.equal(mayChange(users, 'user'), 'yes');
    assert.equal(mayChange(models, 'user'), 'yes');
    assert.equal(mayChange(models, 'model'), 'yes');
    assert.equal(mayChange(models, 'model', true), 'yes');
  });

  it('is a model for the user’s own only when it asks and the user agrees', () => {
    const refused = mayChange(users, 'model');
    assert.ok(typeof refused === 'object' && /"tests" belongs to the user\..*"transferOwnership": true/.test(refused.refused));
    assert.equal(mayChange(users, 'model', true), 'ask');
  });
});
