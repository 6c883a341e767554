import assert from 'node:assert/strict';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { fateOfTurn } from './turnOverAbsence.ts';

const summary = { resource: 'demo:/1', provider: 'demo', title: '', status: 1, createdAt: 0, modifiedAt: 0 };
const idle: SessionState = { summary, lifecycle: 'ready', turns: [] };
const turn = { id: 't', userMessage: { text: 'x' }, responseParts: [] };

describe('A turn that was running when the host went away', () => {
  it('was stopped or is gone, or says itself how it ended', () => {
    assert.equal(fateOfTurn('t', { ...idle, activeTurn: turn }), undefined);
    assert.equal(fateOfTurn('t', idle)?.fate, 'gone');
    assert.equal(fateOfTurn('t', { ...idle, turns: [{ ...turn, state: 'cancelled' }] })?.fate, 'stopped');
    for (const state of ['complete', 'error'] as const) assert.equal(fateOfTurn('t', { ...idle, turns: [{ ...turn, state }] }), undefined);
  });
});
