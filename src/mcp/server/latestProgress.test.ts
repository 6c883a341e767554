import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { LatestProgress } from './latestProgress.ts';

describe('progress for an MCP client', () => {
  it('leaves out what is overtaken while the client is busy, and counts what goes out', async () => {
    const sent: string[] = [];
    let taken: () => void = () => undefined;
    const progress = new LatestProgress(
      (message, count) => {
        sent.push(`${count} ${message}`);
        return new Promise((resolve) => (taken = resolve));
      },
      () => assert.fail(),
    );
    for (const message of ['a', 'b', 'c']) progress.report(message);
    taken();
    await new Promise(setImmediate);
    assert.deepEqual(sent, ['1 a', '2 c']);
    const flushed = progress.flush();
    taken();
    await flushed;
    progress.report('d');
    taken();
    await progress.flush();
    assert.deepEqual(sent, ['1 a', '2 c', '3 d']);
  });

  it('goes on after a failure', async () => {
    const errors: unknown[] = [];
    const sent: string[] = [];
    const progress = new LatestProgress(
      async (message) => {
        if (message === 'bad') throw new Error('no');
        sent.push(message);
      },
      (error) => errors.push(error),
    );
    progress.report('bad');
    await progress.flush();
    progress.report('good');
    await progress.flush();
    assert.deepEqual([sent, errors.length], [['good'], 1]);
  });

  it('is told again and again while the user is asked, so that the client does not give up', async () => {
    const clock = new FakeClock();
    const sent: string[] = [];
    const progress = new LatestProgress(
      (message, count) => Promise.resolve(void sent.push(`${count} ${message}`)),
      () => assert.fail(),
    );
    const waiting = progress.repeat('waits', clock);
    for (let times = 0; times < 2; times++) {
      await progress.flush();
      clock.advance(10_000);
    }
    await progress.flush();
    waiting.dispose();
    clock.advance(60_000);
    assert.deepEqual(sent, ['1 waits', '2 waits', '3 waits']);
    assert.equal(clock.pending, 0);
  });
});
