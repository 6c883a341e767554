import assert from 'node:assert/strict';
import { chatState, said } from '../../../../test/fakes/models.ts';
import { fateOfTurn } from './turnOverAbsence.ts';

const idle = chatState();
const turn = { id: 't', message: said('x'), responseParts: [] };

describe('A turn that was running when the host went away', () => {
  it('was stopped or is gone, or says itself how it ended', () => {
    assert.equal(fateOfTurn('t', { ...idle, activeTurn: turn }), undefined);
    assert.equal(fateOfTurn('t', idle)?.fate, 'gone');
    assert.equal(fateOfTurn('t', { ...idle, turns: [{ ...turn, state: 'cancelled' }] })?.fate, 'stopped');
    for (const state of ['complete', 'error'] as const) assert.equal(fateOfTurn('t', { ...idle, turns: [{ ...turn, state }] }), undefined);
  });
});
