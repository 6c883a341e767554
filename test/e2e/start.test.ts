/** How `npm start` ends: with its starter, however that ends, and not before. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { withTimeout } from '../../src/base/errors.ts';
import { spawnTapline } from '../support/startedTapline.ts';

const END_TIMEOUT_MS = 10_000;

describe('npm start', () => {
  const starters: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of starters.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGINT');
      await once(child, 'exit');
    }
  });

  async function start(): Promise<{ child: ChildProcess; url: string }> {
    const { child, url } = spawnTapline();
    starters.push(child);
    return { child, url: await url };
  }

  const answers = (url: string): Promise<boolean> =>
    new Promise((resolve) => {
      const asked = request(url, { timeout: 2_000 }, (response) => {
        response.resume();
        resolve(true);
      });
      asked.once('error', () => resolve(false));
      asked.once('timeout', () => asked.destroy());
      asked.end();
    });

  it('leaves no server behind when it is killed, and does not end another one that runs beside it', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const open = connect(Number(new URL(one.url).port), '127.0.0.1');
    // The end may come as a reset.
    open.on('error', () => undefined);
    await once(open, 'connect');
    one.child.kill('SIGKILL');
    await withTimeout(once(open, 'close'), END_TIMEOUT_MS, 'the end of the server');
    assert.equal(await answers(one.url), false);
    assert.equal(await answers(other.url), true);
  });

  it('ends with Ctrl+C', async () => {
    const { child, url } = await start();
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
    assert.equal(await answers(url), false);
  });
});
