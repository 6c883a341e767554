import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Askers } from './askers.ts';

describe('the call for which a server asks', () => {
  const LONGEST_MS = 10_000;
  const call = (sessionId: string, tool = 'ask') => ({ sessionId, tool });
  let clock: FakeClock;
  let askers: Askers<ReturnType<typeof call>>;
  beforeEach(() => {
    clock = new FakeClock();
    askers = new Askers(LONGEST_MS, clock);
  });

  it('is the one that runs, or one of several that the user would be told of in the same words', () => {
    assert.equal(askers.find(), 'it works for no session');
    const [one, same] = [call('a'), call('a')];
    askers.began(one);
    askers.began(same);
    assert.equal(askers.find(), one);
    askers.ended(one, true);
    assert.equal(askers.find(), same);
  });

  it('is none while calls of several sessions or tools run', () => {
    const others = [call('b'), call('a', 'other')];
    askers.began(call('a'));
    for (const [at, why] of ['it works for several sessions at once', 'several of its tools run at once'].entries()) {
      const other = others[at]!;
      askers.began(other);
      assert.equal(askers.find(), why);
      askers.ended(other, true);
      assert.equal(typeof askers.find(), 'object');
    }
  });

  it('is none as long as another one that was cut off could have run', () => {
    const cancelled = call('a');
    askers.began(cancelled);
    askers.ended(cancelled, false);
    assert.equal(askers.find(), 'it works for no session');
    const [again, other] = [call('a'), call('b')];
    askers.began(again);
    assert.equal(askers.find(), again, 'the same tool in the same session');
    askers.ended(again, true);
    askers.began(other);
    assert.equal(askers.find(), 'another call was cut off and may still be asking');
    clock.advance(LONGEST_MS - 1);
    assert.equal(typeof askers.find(), 'string');
    clock.advance(1);
    assert.equal(askers.find(), other);
  });
});
