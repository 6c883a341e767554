import assert from 'node:assert/strict';
import { said as saying } from '../../../../test/fakes/models.ts';
import type { Gesture } from '../sessionGesture.ts';
import { answerName, answerText, heldElsewhere, turnDeliveries, type Unsettled } from './deliveries.ts';

const ofCall = { turnId: 't', toolCallId: 'c' };
const approve: Gesture = { type: 'chat/toolCallConfirmed', ...ofCall, approved: true, confirmed: 'user-action' };
const deny: Gesture = { type: 'chat/toolCallConfirmed', ...ofCall, approved: false, reason: 'denied' };

describe('What the user did, on its way to the host', () => {
  const said = (one: Unsettled, isAway: boolean) => {
    const answer = turnDeliveries([one], isAway).get('t')?.answers.get('c');
    return answer && answerText(answer);
  };

  it('is held while the host is away, and was sent only when it was', () => {
    assert.equal(said({ action: approve, held: true }, true), 'Your approval will be sent when the host is back.');
    assert.equal(said({ action: deny, held: true }, true), 'Your denial will be sent when the host is back.');
    assert.equal(said({ action: approve }, true), 'Your approval was sent. The host went away before it answered.');
    assert.equal(said({ action: approve }, false), 'Sending your approval.');
    // The banner comes late, but nothing was sent from the first moment on.
    assert.equal(said({ action: approve, held: true }, false), 'Your approval will be sent when the host is back.');
  });

  it('is named by what it answers, where the host has refused it', () => {
    const ofResult: Gesture = { type: 'chat/toolCallResultConfirmed', ...ofCall, approved: true };
    const ofQuestion: Gesture = { type: 'chat/inputCompleted', requestId: 'q', response: 'accept' };
    const names = [approve, deny, ofResult, ofQuestion].map(answerName);
    assert.deepEqual(names, ['Your approval', 'Your denial', 'Your answer about the result', 'Your answer']);
  });

  it('is not shown where the user still has to decide about it', () => {
    assert.equal(turnDeliveries([{ action: approve, outcome: 'unknown' }], true).size, 0);
  });

  it('tells of each turn its start and its end', () => {
    const start: Gesture = { type: 'chat/turnStarted', turnId: 'a', startedAt: '', message: saying('x') };
    const stop: Gesture = { type: 'chat/turnCancelled', turnId: 'b', duration: 0 };
    const turns = turnDeliveries([{ action: start }, { action: stop, held: true }], true);
    assert.deepEqual([turns.get('a')?.start, turns.get('a')?.stop, turns.get('b')?.stop], ['unanswered', undefined, 'held']);
  });

  it('is named once where it has no place of its own', () => {
    const title: Gesture<'session/titleChanged'> = { type: 'session/titleChanged', title: 'x' };
    const held = (action: Gesture): Unsettled => ({ action, held: true });
    assert.deepEqual(heldElsewhere([held(title), held(approve), held({ ...title, title: 'y' })]), ['the new title']);
    assert.deepEqual(heldElsewhere([{ action: title }]), []);
  });
});
