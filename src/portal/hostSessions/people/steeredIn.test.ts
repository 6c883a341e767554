import assert from 'node:assert/strict';
import { steeredIn } from './steeredIn.ts';

describe('what others tell an agent in the turn that runs', () => {
  const heard = (...actions: { type: string; [field: string]: unknown }[]) =>
    steeredIn({ kind: 'actions', actions, now: 0, pendingChanged: false }, new Set(['own']));

  it('is read in the words of either dialect', () => {
    const now = { type: 'chat/pendingMessageSet', kind: 'steering', id: 'a', message: { text: 'x' } };
    const v1 = { type: 'session/pendingMessageSet', kind: 'steering', id: 'b', userMessage: { text: 'y' } };
    assert.deepEqual(heard(now, { type: 'chat/pendingMessageRemoved', kind: 'steering', id: 'a' }, v1), ['x', 'y']);
    assert.deepEqual(steeredIn({ kind: 'snapshot' }, new Set()), []);
  });

  it('is not what the portal has told it, what waits for a turn of its own, or what has no text', () => {
    const set = { type: 'chat/pendingMessageSet', kind: 'steering', id: 'a', message: { text: 'x' } };
    const none = [
      { ...set, id: 'own' },
      { ...set, kind: 'queued' },
      { ...set, message: null },
      { ...set, message: { text: 5 } },
    ];
    assert.deepEqual(heard(...none), []);
  });
});
