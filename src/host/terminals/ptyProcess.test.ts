import assert from 'node:assert/strict';
import { withTimeout } from '../../base/errors.ts';
import { PtyProcess, type PtyExit } from './ptyProcess.ts';

describe('PtyProcess', function () {
  this.timeout(20_000);

  const run = (commandLine: string, onData: (text: string) => void) => {
    const launch = { file: '/bin/bash', args: ['-c', commandLine], env: process.env };
    const pty = new PtyProcess(launch, { cwd: process.cwd(), cols: 80, rows: 24 }, onData);
    const exited = withTimeout(new Promise<PtyExit>((resolve) => pty.onDidExit(resolve)), 15_000, 'the exit');
    return { pty, exited };
  };

  it('gives all output before the exit, also when the reader is slow', async () => {
    let output = '';
    let chunks = 0;
    const { exited } = run("seq -f '%.0f€' 1 50000", (text) => {
      output += text;
      // A busy event loop: longer than node-pty waits before it closes the pty.
      const until = Date.now() + (++chunks % 10 === 0 ? 220 : 0);
      while (Date.now() < until);
    });
    assert.deepEqual(await exited, { exitCode: 0, signal: undefined });
    assert.equal(output, Array.from({ length: 50_000 }, (_, index) => `${index + 1}€\r\n`).join(''));
  });

  it('gives what came while it was paused', async () => {
    let output = '';
    const { pty, exited } = run('echo one; sleep 0.1; echo two', (text) => {
      output += text;
      pty.setPaused(true);
      setTimeout(() => pty.setPaused(false), 400);
    });
    await exited;
    assert.equal(output, 'one\r\ntwo\r\n');
  });

  it('reports the exit though something still holds the terminal', async () => {
    const { pty, exited } = run("(trap '' HUP; sleep 5) & exit 3", () => undefined);
    const started = Date.now();
    assert.equal((await exited).exitCode, 3);
    assert.ok(Date.now() - started < 4000);
    pty.terminate('SIGTERM');
  });

  it('takes writing and resizing at any time, also around the end', async () => {
    const { pty, exited } = run('read line; echo "$line"', () => undefined);
    const poke = setInterval(() => {
      pty.write('x\r');
      pty.resize(90, 30);
    });
    await exited;
    clearInterval(poke);
    pty.write('x');
    pty.resize(10, 10);
    pty.terminate('SIGTERM');
  });

  it('is a terminal for UTF-8', async () => {
    let output = '';
    await run('stty -a; printf "\\xff\\xe2\\x82"', (text) => (output += text)).exited;
    assert.match(output, / iutf8/);
    assert.match(output, /\ufffd\ufffd$/, 'what is no UTF-8 is shown as that');
  });

  it('tells exit codes and signals', async () => {
    assert.deepEqual(await run('exit 5', () => undefined).exited, { exitCode: 5, signal: undefined });
    assert.deepEqual(await run('kill -9 $$', () => undefined).exited, { exitCode: undefined, signal: 9 });
  });

  it('lets a program go on that has closed its terminal, and opens it again', async () => {
    let output = '';
    const closed = 'exec <&- >&- 2>&-';
    assert.deepEqual(await run(`${closed}; sleep 0.2; exit 7`, () => undefined).exited, { exitCode: 7, signal: undefined });
    const { exited } = run(`echo one; ${closed}; sleep 0.2; seq 1 20000 > /dev/tty; exit 7`, (text) => (output += text));
    assert.deepEqual(await exited, { exitCode: 7, signal: undefined });
    assert.equal(output, `one\r\n${Array.from({ length: 20_000 }, (_, index) => `${index + 1}\r\n`).join('')}`);
  });
});
