import assert from 'node:assert/strict';
import { type DeedState, sessionDeeds } from './sessionDeeds.ts';

const fresh: DeedState = { isArchived: false, isRead: false, isPinned: false };
const done: DeedState = { isArchived: true, isRead: true, isPinned: true };

describe('what is offered for sessions', () => {
  it('is one of two opposites for the session that is shown', () => {
    assert.deepEqual([...sessionDeeds([fresh])], ['archive', 'markRead', 'pin']);
    assert.deepEqual([...sessionDeeds([done])], ['unarchive', 'markUnread', 'unpin']);
    assert.deepEqual([...sessionDeeds([{ ...fresh, isArchived: true }])], ['unarchive', 'markRead', 'pin']);
  });

  it('is whatever can be done with one of several', () => {
    assert.deepEqual([...sessionDeeds([done, fresh])], ['archive', 'unarchive', 'markRead', 'markUnread', 'pin', 'unpin']);
    assert.deepEqual([...sessionDeeds([fresh, fresh])], ['archive', 'markRead', 'pin']);
    assert.deepEqual([...sessionDeeds([done, done])], ['unarchive', 'markUnread', 'unpin']);
  });

  it('is nothing without sessions', () => assert.equal(sessionDeeds([]).size, 0));
});
