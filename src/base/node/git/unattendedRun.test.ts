import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { runUnattended, type UnattendedRun } from './unattendedRun.ts';

describe('a program that nobody can answer', () => {
  const run = (script: string, more: Partial<UnattendedRun> = {}) =>
    runUnattended({ command: process.execPath, args: ['-e', script], cwd: tmpdir(), timeoutMs: 30_000, ...more });

  it('gets its input, and says what it has to', async () => {
    const script = `process.stdin.on('data', (data) => console.log('got ' + data)).on('end', () => { console.error('no'); process.exitCode = 3; });`;
    assert.deepEqual(await run(script, { input: 'x' }), { kind: 'ended', succeeded: false, stdout: 'got x\n', stderr: 'no\n' });
    assert.deepEqual(await run(''), { kind: 'ended', succeeded: true, stdout: '', stderr: '' });
  });

  it('has no terminal, and nothing that asks in its place', async () => {
    const script = `
      let isOpen = true;
      try { require('node:fs').openSync('/dev/tty', 'r'); } catch { isOpen = false; }
      console.log(JSON.stringify([isOpen, process.env.GIT_TERMINAL_PROMPT, process.env.GIT_ASKPASS, process.env.SSH_ASKPASS_REQUIRE, process.env.GIT_DIR]));`;
    const end = await run(script, { env: { GIT_ASKPASS: '' } });
    assert.deepEqual(end.kind === 'ended' && JSON.parse(end.stdout), [false, '0', '', 'force', null]);
  });

  it('is ended when it takes too long, or when it is stopped', async () => {
    const forever = `console.error('begun'); setInterval(() => undefined, 1000);`;
    assert.equal((await run(forever, { timeoutMs: 200 })).kind, 'late');
    const stop = new AbortController();
    const stopped = run(forever, { signal: stop.signal });
    stop.abort();
    assert.equal((await stopped).kind, 'stopped');
    assert.equal((await run('', { signal: stop.signal })).kind, 'stopped');
    assert.equal((await run('', { command: 'no-such-program-of-tapline' })).kind, 'missing');
  });

  it('is not held up by what it says beyond what is kept', async () => {
    const end = await run(`process.stdout.write('x'.repeat(5_000_000))`);
    assert.equal(end.kind === 'ended' && end.succeeded && end.stdout.length, 64 * 1024);
  });
});
