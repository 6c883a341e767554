import assert from 'node:assert/strict';
import { Emitter } from '../base/event.ts';
import { DaemonLife } from './daemonLife.ts';

describe('the life of a daemon', () => {
  const begin = (clientCount: number) => {
    const changed = new Emitter<void>();
    const ends: string[] = [];
    const server = { clientCount, isBusy: false, onDidChangeActivity: changed.event };
    const life = new DaemonLife(60_000, (why) => ends.push(why));
    life.watch(server);
    const leave = () => {
      server.clientCount = 0;
      changed.fire();
    };
    return { life, ends, leave };
  };
  const answered = Promise.resolve();

  it('ends at once for another one while nobody uses it', async () => {
    for (const isForLanguage of [true, false]) {
      const { life, ends } = begin(0);
      assert.equal(life.retire(answered, isForLanguage), true);
      await answered;
      assert.equal(ends.length, 1);
    }
  });

  it('ends for a newer one when its last client has gone', () => {
    const { life, ends, leave } = begin(1);
    assert.equal(life.retire(answered, false), false);
    assert.equal(life.retire(answered, true), false);
    assert.deepEqual(ends, []);
    leave();
    assert.deepEqual(ends, ['a newer version takes over']);
  });

  it('does not end later because a window once wanted another language', () => {
    const { life, ends, leave } = begin(1);
    assert.equal(life.retire(answered, true), false);
    leave();
    assert.deepEqual(ends, []);
  });
});
