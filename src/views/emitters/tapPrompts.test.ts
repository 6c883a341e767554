import assert from 'node:assert/strict';
import { explanationOf, tapPrompts } from './tapPrompts.ts';

describe('commands of the composer for the agent', () => {
  it('are explained to its model', () => {
    for (const { name } of tapPrompts) {
      const item = explanationOf(`/${name} the deploy`);
      assert.equal(item?.title, `/${name}`);
      assert.match(item.text, new RegExp(`The message begins with /${name}, `));
    }
    assert.equal(explanationOf('/tap-goal')?.title, '/tap-goal');
  });

  it('are nothing but words where the host has a prompt of that name, or they are not at the beginning', () => {
    assert.equal(explanationOf('/tap-goal x', ['tap-goal']), undefined);
    for (const text of ['say /tap-goal', '/tap-goals', '/tap', '/constructor', '']) assert.equal(explanationOf(text), undefined, text);
  });
});
