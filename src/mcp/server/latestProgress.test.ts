import assert from 'node:assert/strict';
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
});
