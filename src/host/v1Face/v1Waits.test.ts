import assert from 'node:assert/strict';
import type { StateAction } from '../../ahp/v1/actions.ts';
import { Words } from './v1Waits.ts';

describe('the words that clients wait for', () => {
  const action: StateAction = { type: 'terminal/cleared', terminal: 'agenthost-terminal:/1' };
  const origin = (clientSeq: number, clientId = 'a') => ({ clientId, clientSeq });

  it('are answered once, with the last of the actions that they take, or with its rejection', () => {
    const words = new Words();
    words.keep(origin(1), action, 2);
    assert.equal(words.answer(origin(1, 'b'), false), undefined);
    assert.equal(words.answer(origin(1), false), 'more');
    assert.equal(words.answer(origin(1), false), action);
    assert.equal(words.answer(origin(1), false), undefined);
    words.keep(origin(2), action, 2);
    assert.equal(words.answer(origin(2), true), action);
    assert.equal(words.isWaiting(origin(2)), false);
  });

  it('are forgotten beyond 10,000, the oldest first', () => {
    const words = new Words();
    for (let clientSeq = 0; clientSeq <= 10_000; clientSeq++) words.keep(origin(clientSeq), action, 1);
    assert.deepEqual(
      [0, 1, 10_000].map((clientSeq) => words.isWaiting(origin(clientSeq))),
      [false, true, true],
    );
  });
});
