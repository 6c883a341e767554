import assert from 'node:assert/strict';
import type { StateAction } from '../../v1/actions.ts';
import { type PendingAction, withPending } from './pending.ts';

const action = (title: string): StateAction => ({ type: 'session/titleChanged', session: 'copilot:/1', title });
const append = (state: readonly StateAction[], actions: readonly StateAction[]) => state.concat(actions);

describe('a state with what is pending on top', () => {
  it('has what is under way and what is held, in order, but not what may never have reached the host', () => {
    const pending: PendingAction<StateAction>[] = [
      { clientSeq: 1, action: action('sent') },
      { clientSeq: 2, action: action('lost'), outcome: 'unknown' },
      { clientSeq: 3, action: action('held'), held: true },
    ];
    assert.deepEqual(withPending([action('confirmed')], pending, append), [action('confirmed'), action('sent'), action('held')]);
  });

  it('is the confirmed state where nothing is known to be under way', () => {
    const confirmed = [action('confirmed')];
    assert.equal(withPending(confirmed, [], append), confirmed);
    assert.equal(withPending(confirmed, [{ clientSeq: 1, action: action('lost'), outcome: 'unknown' }], append), confirmed);
  });
});
