import assert from 'node:assert/strict';
import { chatState, said } from '../../../../test/fakes/models.ts';
import { fateOfTurn } from './turnOverAbsence.ts';

const idle = chatState();
const turn = { id: 't', message: said('x'), responseParts: [] };
const running = { ...idle, activeTurn: turn };

describe('A turn that was running when the host went away', () => {
  it('was stopped or is gone, or says itself how it ended', () => {
    assert.equal(fateOfTurn(running, running), undefined);
    assert.equal(fateOfTurn(running, idle)?.fate, 'gone');
    assert.equal(fateOfTurn(running, { ...idle, turns: [{ ...turn, state: 'cancelled' }] })?.fate, 'stopped');
    for (const state of ['complete', 'error'] as const)
      assert.equal(fateOfTurn(running, { ...idle, turns: [{ ...turn, state }] }), undefined);
    assert.equal(fateOfTurn(idle, idle), undefined);
  });

  it('is the same one where the host has given all turns other ids', () => {
    const ended = (id: string, state: 'error' | 'cancelled' | 'complete', text = 'x') => ({ ...turn, id, state, message: said(text) });
    const before = { ...running, turns: [ended('a', 'complete')] };
    assert.equal(fateOfTurn(before, { ...idle, turns: [ended('b', 'complete'), ended('c', 'error')] }), undefined);
    const stopped = fateOfTurn(before, { ...idle, turns: [ended('b', 'complete'), ended('c', 'cancelled')] });
    assert.deepEqual(stopped, { turnId: 'c', fate: 'stopped' });
    assert.equal(fateOfTurn(before, { ...idle, turns: [ended('b', 'complete')] })?.fate, 'gone', 'an earlier one with the same words');
    assert.equal(fateOfTurn(before, { ...idle, turns: [ended('b', 'complete'), ended('c', 'error', 'y')] })?.fate, 'gone');
  });
});
