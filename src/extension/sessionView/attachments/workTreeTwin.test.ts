import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { twinIn } from './workTreeTwin.ts';

describe('The twin of a file in a work tree', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-twin-')));
  const at = (...parts: string[]) => join(root, ...parts);
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { stdio: 'pipe' });
  function repository(name: string): void {
    mkdirSync(at(name, 'src'), { recursive: true });
    writeFileSync(at(name, 'src', 'a.ts'), name);
    git(at(name), 'init', '--quiet');
    git(at(name), 'add', '.');
    git(at(name), 'commit', '--quiet', '-m', 'First');
  }
  before(() => {
    repository('app');
    repository('other');
    git(at('app'), 'worktree', 'add', '--quiet', '-b', 'one', at('one'));
    git(at('app'), 'worktree', 'add', '--quiet', '-b', 'two', at('app', 'inside', 'two'));
    writeFileSync(at('app', 'new.ts'), 'not committed');
    symlinkSync(at('app'), at('link'));
  });
  after(() => rmSync(root, { recursive: true }));

  it('is at the same place, for files and folders, from the checkout and between work trees', async () => {
    assert.equal(await twinIn(at('one'), at('app', 'src', 'a.ts')), at('one', 'src', 'a.ts'));
    assert.equal(await twinIn(at('one', 'src'), at('app', 'src')), at('one', 'src'));
    assert.equal(await twinIn(at('one'), at('app', 'inside', 'two', 'src', 'a.ts')), at('one', 'src', 'a.ts'));
    assert.equal(await twinIn(at('app'), at('one', 'src', 'a.ts')), at('app', 'src', 'a.ts'));
    assert.equal(await twinIn(at('one'), at('link', 'src', 'a.ts')), at('one', 'src', 'a.ts'), 'through a link to the checkout');
  });

  it('is none where a link leads out of the work tree', async () => {
    writeFileSync(at('app', 'linked.ts'), 'the user’s');
    writeFileSync(at('secret'), 'secret');
    symlinkSync(at('secret'), at('one', 'linked.ts'));
    assert.equal(await twinIn(at('one'), at('app', 'linked.ts')), undefined);
    symlinkSync(at('one', 'src', 'a.ts'), at('one', 'near.ts'));
    writeFileSync(at('app', 'near.ts'), 'the user’s');
    assert.equal(await twinIn(at('one'), at('app', 'near.ts')), at('one', 'near.ts'), 'a link within it is fine');
  });

  it('is none for a file of the work tree itself, of another repository, or that it does not have', async () => {
    assert.equal(await twinIn(at('one'), at('one', 'src', 'a.ts')), undefined);
    assert.equal(await twinIn(at('one'), at('other', 'src', 'a.ts')), undefined);
    assert.equal(await twinIn(at('one'), at('app', 'new.ts')), undefined);
    assert.equal(await twinIn(at('one'), at('app', 'gone.ts')), undefined);
    assert.equal(await twinIn(root, at('app', 'src', 'a.ts')), undefined);
  });

  it('is none where what Git keeps is broken or too long', async () => {
    for (const [name, text] of Object.entries({
      empty: '',
      loop: 'gitdir: .',
      long: `gitdir: ${'x'.repeat(100_000)}`,
      nowhere: 'gitdir: /no/such',
    })) {
      mkdirSync(at(name));
      writeFileSync(at(name, '.git'), text);
      writeFileSync(at(name, 'a.ts'), '');
      assert.equal(await twinIn(at('one'), at(name, 'a.ts')), undefined, name);
      assert.equal(await twinIn(at(name), at('app', 'src', 'a.ts')), undefined, name);
    }
  });
});
