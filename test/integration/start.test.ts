/** `npm start -- --desktop`, with a stand-in for the desktop's `code` on the PATH: what it is called with, what it prints, and that everything ends. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as pty from '@lydell/node-pty';
import { readDaemonRecord } from '../../src/base/daemon/daemonLock.ts';
import { isRunning } from '../../src/base/daemon/processIdentity.ts';
import { withTimeout } from '../../src/base/errors.ts';
import { endDaemons } from '../support/endDaemon.ts';
import { gatewayScript } from '../support/gatewayProcess.ts';
import { hostScript } from '../support/hostProcess.ts';

const root = join(import.meta.dirname, '../..');
const LIMIT_MS = 15_000;

describe('npm start -- --desktop', function () {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-desktop-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const start = (path: string, ...args: string[]): ChildProcess =>
    spawn(process.execPath, ['scripts/start.mjs', '--skip-build', '--desktop', ...args], {
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

  it('says with which line another terminal uses the same data, wherever that is', async () => {
    // With what a shell would take for its own.
    const data = join(folder, "it's $HOME");
    const child = start(folder, '--data', data);
    let said = '';
    child.stdout?.on('data', (chunk) => (said += String(chunk)));
    await ended(child);
    const [line] = /^ *export TAPLINE_HOME=.*$/m.exec(said) ?? assert.fail(said);
    const shell = await promisify(execFile)('sh', ['-c', `${line}\nprintf %s "$TAPLINE_HOME"`]);
    assert.equal(shell.stdout, join(data, 'home'));
  });

  it('says what to do where there is no code', async () => {
    const child = start(folder);
    let errors = '';
    child.stderr?.on('data', (chunk) => (errors += String(chunk)));
    assert.equal(await ended(child), 1);
    assert.match(errors, /`code` is not on the PATH/);
  });
});

describe('Ctrl+C in the terminal of the first npm start', function () {
  const lockNames = ['host.lock.json', 'gateway.lock.json'];
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-first-'))));
  afterEach(() => rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 }));

  it('ends the agent host and the gateway too', async () => {
    // It starts what the extension starts, each as a daemon of its own.
    const stub = join(folder, 'code');
    const home = 'process.env.TAPLINE_HOME';
    writeFileSync(
      stub,
      `#!${process.execPath}
const { spawn } = require('node:child_process');
const { existsSync, mkdirSync } = require('node:fs');
const { join } = require('node:path');
const locks = ${JSON.stringify(lockNames)}.map((name) => join(${home}, name));
${JSON.stringify([hostScript, gatewayScript])}.forEach((script, index) =>
  spawn(process.execPath, [script, '--daemon', '--lock-file', locks[index]], { detached: true, stdio: 'ignore' }).unref());
setInterval(() => locks.every(existsSync) && console.log('home: ' + ${home} + '.'), 20);
`,
    );
    chmodSync(stub, 0o755);
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    // Without the cache of tsx, what the end imports is compiled then, by a process that Ctrl+C ends as well.
    const terminal = pty.spawn(process.execPath, ['scripts/start.mjs', '--skip-build', '--desktop'], {
      ...{ cwd: root, cols: 500 },
      env: { ...process.env, PATH: folder, TMPDIR: temporary, COPILOT_HOME: join(folder, 'copilot') },
    });
    let said = '';
    const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
    const started = new Promise<string>((resolve) =>
      terminal.onData((data) => {
        said += data;
        const [, where] = /home: (\S+)\.\r/.exec(said) ?? [];
        if (where) resolve(where);
      }),
    );
    const where = await withTimeout(
      Promise.race([started, ended.then((code) => Promise.reject(new Error(`${code}: ${said}`)))]),
      LIMIT_MS,
      'starting',
    );
    const lockFiles = lockNames.map((name) => join(where, name));
    try {
      const daemons = lockFiles.map((file) => readDaemonRecord(file) ?? assert.fail(file));
      terminal.write('\x03');
      assert.equal(await withTimeout(ended, LIMIT_MS, 'the end of npm start'), 0, said);
      for (const { pid, process: identity } of daemons) assert.equal(isRunning(pid, identity ?? assert.fail()), false, said);
      assert.equal(existsSync(where), false, 'its folder is removed');
    } finally {
      for (const file of lockFiles) await endDaemons(file);
    }
  });
});

describe('the options of npm start', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['scripts/start.mjs', ...args], { cwd: root, timeout: LIMIT_MS }).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
    );

  it('are told by --help, and one that is not known is named', async () => {
    assert.match((await run('--help')).said, /--data FOLDER .*--port N/s);
    assert.deepEqual(await run('--prot', '1'), { code: 2, said: "Unknown option '--prot'\n" });
    assert.deepEqual(await run('--port', 'x'), { code: 2, said: '--port must be a whole number from 0 to 65535, not “x”\n' });
  });

  it('with a port that is taken end at once, before anything is built', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    try {
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const { code, said } = await run('--port', String(port));
      assert.equal(code, 2);
      assert.equal(said, `Port ${port} is in use by another program. Name another one with --port, or --port 0 for any free one.\n`);
    } finally {
      other.close();
    }
  });
});
