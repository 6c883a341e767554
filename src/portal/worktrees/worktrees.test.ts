import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLogger } from '../../base/log.ts';
import { Worktrees } from './worktrees.ts';

describe('the work trees of a portal', () => {
  let base: string;
  let worktrees: Worktrees;
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args]);

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-trees-')));
    worktrees = new Worktrees(join(base, 'data'), nullLogger);
  });
  afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

  it('let one at a time work in a repository, in whichever of its folders and trees', async () => {
    const repository = join(base, 'shop');
    mkdirSync(join(repository, 'sub'), { recursive: true });
    git(repository, 'init', '--quiet', '--initial-branch', 'main');
    git(repository, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    git(repository, 'worktree', 'add', '--quiet', join(base, 'tree'));
    let working = 0;
    const order: string[] = [];
    const work = (name: string) => async () => {
      assert.equal(++working, 1, 'nobody else works there');
      await new Promise((resolve) => setImmediate(resolve));
      order.push(name);
      working--;
    };
    const folders = [repository, join(repository, 'sub'), join(base, 'tree'), repository];
    await Promise.all(folders.map((folder, at) => worktrees.inOrder(folder, work(String(at)))));
    assert.deepEqual(order.toSorted(), ['0', '1', '2', '3']);
    assert.ok(order.indexOf('0') < order.indexOf('3'), 'in the order of their folder');
  });

  it('let what has failed hold up nothing, also where there is no repository', async () => {
    const failed = worktrees.inOrder(base, () => Promise.reject(new Error('no')));
    const next = worktrees.inOrder(base, async () => 'done');
    await assert.rejects(failed, /no/);
    assert.equal(await next, 'done');
  });
});
