/** `npm start -- --desktop`, with a stand-in for the desktop's `code` on the PATH: what it is called with, and that everything ends. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withTimeout } from '../../src/base/errors.ts';

const root = join(import.meta.dirname, '../..');
const LIMIT_MS = 15_000;

describe('npm start -- --desktop', function () {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-desktop-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const start = (path: string): ChildProcess =>
    spawn(process.execPath, ['scripts/start.mjs', '--skip-build', '--desktop'], {
      cwd: root,
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const ended = async (child: ChildProcess) => (await withTimeout(once(child, 'exit'), LIMIT_MS, 'npm start'))[0] as number | null;

  it('opens the sample workspace with the extension in a window of its own, and ends with it', async () => {
    const said = join(folder, 'said.json');
    const stub = join(folder, 'code');
    writeFileSync(
      stub,
      `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(said)}, JSON.stringify({ args: process.argv.slice(2), home: process.env.TAPLINE_HOME }));\nsetInterval(() => {}, 1000);\n`,
    );
    chmodSync(stub, 0o755);
    const written = new Promise<void>((resolve) => {
      const watcher = watch(folder, () => {
        if (!existsSync(said) || readFileSync(said, 'utf8') === '') return;
        watcher.close();
        resolve();
      });
    });
    const child = start(folder);
    await withTimeout(written, LIMIT_MS, 'calling code');
    const { args, home } = JSON.parse(readFileSync(said, 'utf8')) as { args: string[]; home: string };
    assert.ok(args.includes(`--extensionDevelopmentPath=${root}`), args.join(' '));
    assert.ok(existsSync(join(args.at(-1) ?? '', 'notes.md')), 'the last argument is the sample workspace');
    assert.ok(home && dirname(home) === dirname(args.at(-1) ?? ''));
    child.kill('SIGINT');
    assert.equal(await ended(child), 0);
    assert.equal(existsSync(home), false, 'its folder is removed');
  });

  it('says what to do where there is no code', async () => {
    const child = start(folder);
    let errors = '';
    child.stderr?.on('data', (chunk) => (errors += String(chunk)));
    assert.equal(await ended(child), 1);
    assert.match(errors, /`code` is not on the PATH/);
  });
});
