/** `npm start` ends everything that it has started, however it ends. */
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
      asked.on('error', () => resolve(false));
      asked.once('timeout', () => asked.destroy());
      asked.end();
    });

  it('leaves no server behind when it is killed, and does not end another one that runs beside it', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const open = connect(Number(new URL(one.url).port), '127.0.0.1');
    await once(open, 'connect');
    // The connection may end with a reset, for which `once` would reject.
    open.on('error', () => undefined);
    const closed = new Promise((resolve) => open.once('close', resolve));
    one.child.kill('SIGKILL');
    await withTimeout(closed, END_TIMEOUT_MS, 'the end of the server');
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
