import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { Emitter } from '../../base/event.ts';
import { Time } from '../../tap/wire/limits.ts';
import { endWithoutOwners } from './grace.ts';

describe('the grace of a gateway without owners', () => {
  it('is 30 s after the last has gone, begins anew with each, and counts from the start', () => {
    const clock = new FakeClock();
    const changed = new Emitter<void>();
    const server = { ownerCount: 0, onDidChangeOwners: changed.event };
    let ends = 0;
    const owners = (count: number) => {
      server.ownerCount = count;
      changed.fire();
    };
    endWithoutOwners(server, clock, Time.graceMs, () => ends++);
    clock.advance(29_999);
    owners(1);
    clock.advance(100_000);
    owners(2);
    owners(1);
    clock.advance(100_000);
    owners(0);
    clock.advance(29_999);
    owners(1);
    owners(0);
    clock.advance(29_999);
    assert.equal(ends, 0);
    clock.advance(1);
    assert.equal(ends, 1);
  });

  it('ends one that nobody ever came to', () => {
    const clock = new FakeClock();
    let ends = 0;
    endWithoutOwners({ ownerCount: 0, onDidChangeOwners: new Emitter<void>().event }, clock, Time.graceMs, () => ends++);
    clock.advance(30_000);
    assert.equal(ends, 1);
  });
});
