import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandShell, interactiveShell } from './shellLaunch.ts';

describe('shellLaunch', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-shell-test-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const scripts = () => join(folder, 'scripts');

  it('starts bash with the integration and its nonce, from a file that only the user can read', async () => {
    const { file, args, env, nonce } = await interactiveShell(scripts(), 'n', { SHELL: '/bin/bash', PATH: '/usr/bin' });
    assert.deepEqual(
      [file, args, nonce, env.TAPLINE_SHELL_NONCE],
      ['/bin/bash', ['--rcfile', join(scripts(), 'bash/bashrc'), '-i'], 'n', 'n'],
    );
    assert.equal(statSync(join(scripts(), 'bash/bashrc')).mode & 0o077, 0);
    assert.equal(statSync(scripts()).mode & 0o077, 0);
  });

  it('starts other shells as they are, and another one where $SHELL is none', async () => {
    const other = await interactiveShell(scripts(), 'n', { SHELL: '/bin/sh' });
    assert.deepEqual([other.file, other.args, other.nonce, other.env.TAPLINE_SHELL_NONCE], ['/bin/sh', [], undefined, undefined]);
    assert.ok(!existsSync(scripts()));
    for (const SHELL of ['/nowhere/bash', 'bash', '', undefined])
      assert.match((await interactiveShell(scripts(), 'n', { SHELL, PATH: process.env.PATH })).file, /\/(bash|sh)$/);
  });

  it('hands on the environment without what is the host’s or the editor’s', () => {
    const base = { PATH: '/usr/bin', LC_ALL: 'de_DE.UTF-8', ELECTRON_RUN_AS_NODE: '1', VSCODE_PID: '1', TAPLINE_TOKEN: 't', PAGER: 'less' };
    const { args, env } = commandShell('echo "a b"; ls', base);
    assert.deepEqual(args, ['-c', 'echo "a b"; ls']);
    assert.deepEqual(
      Object.keys(env).filter((name) => /ELECTRON|VSCODE|TAPLINE/.test(name)),
      [],
    );
    assert.deepEqual([env.PATH, env.PAGER, env.GIT_PAGER, env.TERM, env.LANG], ['/usr/bin', 'cat', 'cat', 'xterm-256color', undefined]);
    assert.equal(commandShell('x', { PATH: '/usr/bin' }).env.LANG, 'C.UTF-8');
  });
});
