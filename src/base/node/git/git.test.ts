import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Git, GitError } from './git.ts';

describe('git that another one is in the way of', () => {
  let folder: string;
  let lock: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-git-')));
    lock = join(folder, '.git/index.lock');
    execFileSync('git', ['-C', folder, 'init', '--quiet']);
    writeFileSync(join(folder, 'a.txt'), 'a');
    writeFileSync(lock, '');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

  it('is tried again until the index is free', async () => {
    const git = await Git.in(folder, { lockWaitMs: 20_000 });
    const added = git.text('add', 'a.txt');
    // Nothing tells that it has been tried.
    const free = setTimeout(() => rmSync(lock), 250);
    await added.finally(() => clearTimeout(free));
    assert.equal(await git.text('ls-files'), 'a.txt');
  });

  it('says which file is in the way when it stays', async () => {
    const git = await Git.in(folder, { lockWaitMs: 250 });
    await assert.rejects(git.text('add', 'a.txt'), (error: unknown) => {
      assert.ok(error instanceof GitError);
      assert.ok(error.message.startsWith(`Another Git works here, or was ended in the middle: ${lock} was still there after 0.25 s.`));
      return true;
    });
    await assert.rejects(git.says('add', 'a.txt'), /was still there/);
  });

  it('fails at once where a branch is locked, because the index is written by then', async () => {
    const git = await Git.in(folder, { lockWaitMs: 20_000 });
    rmSync(lock);
    await git.text('add', 'a.txt');
    const head = join(folder, '.git/HEAD.lock');
    writeFileSync(head, '');
    await assert.rejects(git.text('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-m', 'a'), /HEAD\.lock': File exists/);
  });

  it('fails at once where nobody wants to wait', async () => {
    await assert.rejects((await Git.in(folder)).text('add', 'a.txt'), /Unable to create/);
  });
});
