import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Emitter } from '../../base/event.ts';
import { newest } from './newest.ts';

describe('newest', () => {
  let clock: FakeClock;
  let changed: Emitter<void>;
  let value: string;
  let end: AbortController;
  const follow = () => newest({ onDidChange: changed.event, value: () => value, clock, heartbeatMs: 1000, signal: end.signal });
  const set = (next: string) => ((value = next), changed.fire());
  beforeEach(() => {
    clock = new FakeClock();
    changed = new Emitter();
    value = 'a';
    end = new AbortController();
  });

  it('gives the value at once, and again after each change, but never the same twice', async () => {
    const values = follow();
    assert.equal((await values.next()).value, 'a');
    const next = values.next();
    set('a');
    await atRest();
    set('b');
    assert.equal((await next).value, 'b');
  });

  it('gives a slow reader the newest value only', async () => {
    const values = follow();
    assert.equal((await values.next()).value, 'a');
    for (const next of ['b', 'c', 'd']) set(next);
    assert.equal((await values.next()).value, 'd');
    set('e');
    set('d');
    const next = values.next();
    await atRest();
    set('f');
    assert.equal((await next).value, 'f');
  });

  it('says that it is there while nothing changes', async () => {
    const values = follow();
    await values.next();
    for (const _ of [1, 2]) {
      const next = values.next();
      await atRest();
      clock.advance(1000);
      assert.deepEqual(await next, { done: false, value: undefined });
    }
    assert.equal(clock.pending, 0);
  });

  it('ends, with nothing left behind, also while it waits', async () => {
    const values = follow();
    await values.next();
    const next = values.next();
    await atRest();
    end.abort();
    assert.equal((await next).done, true);
    assert.equal(clock.pending, 0);
    assert.equal((await follow().next()).done, true);
  });
});
