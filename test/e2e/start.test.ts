/** How `npm start` ends: with its starter, however that ends, and not before. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { withTimeout } from '../../src/base/errors.ts';

const root = join(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 90_000;
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
    const child = spawn(process.execPath, ['scripts/start.mjs', '--skip-build'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    starters.push(child);
    let output = '';
    const printed = new Promise<string>((resolve, reject) => {
      const read = (chunk: unknown) => {
        output += String(chunk);
        const found = /http:\/\/127\.0\.0\.1:\S+/.exec(output);
        if (found) resolve(found[0]);
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
    });
    return { child, url: await withTimeout(printed, START_TIMEOUT_MS, 'npm start') };
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
