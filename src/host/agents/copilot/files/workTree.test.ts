import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GitError } from '../../../../base/node/git/git.ts';
import { WorkTree, type WorkTreeState } from './workTree.ts';

describe('WorkTree', function () {
  this.timeout(20_000);
  let top: string;
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-worktree-')));
  });
  afterEach(() => rmSync(top, { recursive: true }));

  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd: top, stdio: ['ignore', 'pipe', 'pipe'] });
  const put = (name: string, content: string | Uint8Array = 'x\n') => writeFileSync(join(top, name), content);
  const repository = (...names: string[]) => {
    git('init', '--quiet');
    for (const name of names) put(name, `first ${name}\n`);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'first');
  };
  const stateOf = async (tree: WorkTree): Promise<WorkTreeState> => {
    const state = await tree.state();
    assert.ok(state);
    return state;
  };
  /** What that changes, by name: what was in the files. */
  const changes = async (work: () => void, folder = top, tree = new WorkTree(folder)) => {
    const state = await stateOf(tree);
    work();
    const files = await tree.changedSince(state);
    return Object.fromEntries(
      files.map(({ path, before }) => [relative(top, path), before instanceof Uint8Array ? String(Buffer.from(before)) : before]),
    );
  };

  it('knows nothing where no work tree is', async () => {
    assert.equal(await new WorkTree(top).state(), undefined);
  });

  it('tells what was changed, made and deleted, with the committed content', async () => {
    repository('kept', 'changed', 'deleted', 'touched');
    const found = await changes(() => {
      put('changed', 'second\n');
      put('touched', 'first touched\n');
      unlinkSync(join(top, 'deleted'));
      put('sp ace\nand “more”');
    });
    assert.deepEqual(found, { changed: 'first changed\n', deleted: 'first deleted\n', 'sp ace\nand “more”': undefined });
  });

  it('has a copy of what differed from the commit before, and leaves out what did so all along', async () => {
    repository('a', 'b', 'c');
    put('a', 'mine\n');
    put('b', 'mine too\n');
    put('new', 'not added\n');
    put('new too', 'nor that\n');
    unlinkSync(join(top, 'c'));
    const found = await changes(() => {
      git('checkout', '--quiet', 'a', 'c');
      put('new', 'other\n');
    });
    assert.deepEqual(found, { a: 'mine\n', c: undefined, new: 'not added\n' });
  });

  it('has a new copy of what changes between commands', async () => {
    repository('a');
    const tree = new WorkTree(top);
    put('a', 'one\n');
    assert.deepEqual(await changes(() => put('a', 'two\n'), top, tree), { a: 'one\n' });
    assert.deepEqual(await changes(() => put('a', 'three\n'), top, tree), { a: 'two\n' });
    assert.deepEqual(await changes(() => undefined, top, tree), {});
  });

  it('follows a command that commits, and one that takes back', async () => {
    repository('a', 'b');
    const commit = () => {
      put('a', 'second\n');
      put('c', 'new\n');
      git('rm', '--quiet', 'b');
      git('add', '--all');
      git('commit', '--quiet', '--message', 'second');
    };
    assert.deepEqual(await changes(commit), { a: 'first a\n', b: 'first b\n', c: undefined });
    assert.deepEqual(await changes(() => git('reset', '--quiet', '--hard', 'HEAD~')), { a: 'second\n', b: undefined, c: 'new\n' });
  });

  it('works before the first commit', async () => {
    git('init', '--quiet');
    put('a', 'one\n');
    assert.deepEqual(await changes(() => (put('a', 'two\n'), put('b'))), { a: 'one\n', b: undefined });
  });

  it('counts only the folder, and nothing that is ignored, was ignored, is a link or another repository', async () => {
    repository('outside');
    mkdirSync(join(top, 'in'));
    put('in/a', 'one\n');
    put('.gitignore', 'ignored\n');
    put('in/ignored', 'here all along\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'second');
    // A file as old as the command's start would count.
    const { ctimeMs } = lstatSync(join(top, 'in/ignored'));
    while (Date.now() - ctimeMs < 60) await setTimeout(10);
    const found = await changes(
      () => {
        put('outside', 'changed\n');
        put('in/a', 'two\n');
        put('.gitignore', 'else\n');
        put('in/else', 'ignored now\n');
        symlinkSync('/etc/passwd', join(top, 'in/link'));
        execFileSync('git', ['init', '--quiet', 'in/repository'], { cwd: top });
        put('in/repository/file');
      },
      join(top, 'in'),
    );
    assert.deepEqual(found, { 'in/a': 'one\n' });
  });

  it('does not keep large contents, and says so', async () => {
    const large = 'x'.repeat(1024 * 1024 + 1);
    git('init', '--quiet');
    put('committed', large);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'first');
    put('dirty', large);
    assert.deepEqual(await changes(() => (put('committed', 'small'), put('dirty', 'small'))), { committed: 'unknown', dirty: 'unknown' });
  });

  it('tells the first two hundred files by name', async () => {
    repository();
    const names = Array.from({ length: 201 }, (_, number) => `file ${String(number).padStart(3, '0')}`);
    const found = await changes(() => {
      for (const name of [...names].reverse()) put(name);
    });
    assert.deepEqual(Object.keys(found), names.slice(0, 200));
  });

  it('fetches nothing that a partial clone does not have', async () => {
    const mark = join(top, '.git/fetched');
    repository('a');
    for (const [key, value] of [
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', join(top, 'nowhere')],
      ['remote.origin.uploadpack', `touch '${mark}'; false`],
    ])
      git('config', key!, value!);
    const blob = String(git('rev-parse', 'HEAD:a')).trim();
    rmSync(join(top, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    await assert.rejects(
      changes(() => put('a', 'changed, of another size\n')),
      GitError,
    );
    assert.equal(existsSync(mark), false);
    assert.throws(() => git('cat-file', 'blob', blob)); // To show that the trap works.
    assert.equal(existsSync(mark), true);
  });

  it('gives up where too much differs', async () => {
    repository();
    for (let number = 0; number <= 5_000; number++) put(`file ${number}`, '');
    await assert.rejects(new WorkTree(top).state(), GitError);
  });

  it('runs no hook, filter or monitor of the repository, and is in no other work tree', async () => {
    const mark = join(top, '.git/ran');
    repository('a', 'b');
    const run = `touch '${mark}'; cat`;
    for (const [key, value] of [
      ['filter.evil.clean', run],
      ['filter.evil.smudge', run],
      ['filter.evil.process', run],
      ['filter.evil.required', 'true'],
      ['filter.Ev.il.clean', run],
      ['diff.evil.textconv', run],
      ['diff.external', run],
      ['core.fsmonitor', `touch '${mark}'`],
      ['core.hooksPath', join(top, 'hooks')],
    ])
      git('config', key!, value!);
    mkdirSync(join(top, 'hooks'));
    for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman'])
      writeFileSync(join(top, 'hooks', hook), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    put('.gitattributes', 'a filter=evil diff=evil\nb filter=Ev.il diff=evil\n');
    put('a', 'changed, of another size\n');
    assert.deepEqual(await changes(() => (put('a', 'again\n'), put('b', 'also\n'))), {
      a: 'changed, of another size\n',
      b: 'first b\n',
    });
    assert.equal(existsSync(mark), false);
    git('status'); // To show that the trap works.
    assert.equal(existsSync(mark), true);
    git('config', 'core.worktree', '/usr');
    assert.equal(await new WorkTree(top).state(), undefined);
  });
});
