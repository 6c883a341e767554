/** Which files of a project are written unasked, by real repositories. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Grant } from '../../../../ahp/grants.ts';
import { writeTitle } from './permissionRequests.ts';
import { accessOf, allowedByGrant, allowedBySettings, grantOptions, type Write } from './permissions.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-writes-')));
const repository = join(base, 'repository');
const plain = join(base, 'plain');

function git(folder: string, ...args: string[]): void {
  execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example', '-c', 'protocol.file.allow=always', ...args], {
    stdio: 'pipe',
  });
}
function put(path: string, text = 'x\n'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
/** A repository in which these files are committed. */
function repositoryWith(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) put(join(folder, name), text);
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--force', '.');
  git(folder, 'commit', '--quiet', '-m', 'x');
}

describe('what the Copilot agent writes unasked', () => {
  const everywhere: Grant[] = [{ kind: 'write', root: base }];
  let made: Set<string>;
  beforeEach(() => (made = new Set()));
  const access = async (path: string, workingDirectory = repository, from = path): Promise<Write> => {
    const request = {
      kind: 'write',
      fileName: path,
      diff: `\ndiff --git a${from} b${path}\n`,
      intention: '',
      canOfferSessionApproval: false,
    };
    const places = { workingDirectory, home: join(base, 'home'), own: [], moduleFolders: [], made };
    const found = await accessOf(
      request as never,
      places,
      () => undefined,
      () => undefined,
    );
    assert.ok(found.kind === 'write');
    return found;
  };
  /** The words of the question, or undefined where it is written unasked. The settings and a grant must agree. */
  const question = async (name: string, workingDirectory = repository): Promise<string | undefined> => {
    const write = await access(join(workingDirectory, name), workingDirectory);
    const settings = (approvals: 'edits' | 'all') => ({ approvals, autoApproveReads: true, mode: 'interactive' as const });
    const isFree = allowedBySettings(write, settings('edits'));
    assert.equal(allowedBySettings(write, settings('all')), isFree, name);
    assert.equal(allowedByGrant(write, everywhere), isFree, name);
    assert.equal(grantOptions(write, workingDirectory).length > 0, isFree, name);
    return isFree ? undefined : writeTitle(write, true, workingDirectory);
  };
  const asks = async (name: string, why: string, workingDirectory = repository) =>
    assert.equal(await question(name, workingDirectory), `Change \`${name}\`? ${why}, so you are asked each time.`);
  const isFree = async (name: string, workingDirectory = repository) =>
    assert.equal(await question(name, workingDirectory), undefined, name);

  before(() => {
    repositoryWith(repository, {
      '.gitignore': 'out/\n*.log\nsecrets.*\n!secrets.example\nnewly/ignored/\n',
      'src/main.ts': '',
      'src/kept.log': 'tracked, though it is ignored',
      'packages/a/index.ts': '',
      '.hidden/tracked.ts': '',
      'a[b]*/odd.txt': '',
    });
    put(join(repository, 'out/built.js'));
    put(join(repository, 'env2/bin/activate'));
    put(join(repository, 'src/notes.txt'));
    mkdirSync(join(repository, 'empty/and/deep'), { recursive: true });
    repositoryWith(join(repository, 'nested'), { 'x.ts': '' });
    repositoryWith(join(base, 'other'), { 'x.ts': '' });
    git(repository, 'submodule', '--quiet', 'add', join(base, 'other'), 'module');
    symlinkSync(join(repository, 'out'), join(repository, 'src/link'));
    put(join(plain, 'src/a.ts'));
    repositoryWith(join(plain, 'inner'), { 'x.ts': '', '.gitignore': 'y.ts\n' });
    mkdirSync(join(base, 'fresh'));
    git(join(base, 'fresh'), 'init', '--quiet');
  });
  after(() => rmSync(base, { recursive: true }));

  it('is what Git tracks, and what is new in a folder with tracked files', async () => {
    for (const name of [
      'src/main.ts',
      'src/kept.log',
      'src/new.ts',
      'src/notes.txt',
      'new.ts',
      'README.md',
      'packages/b/src/index.ts',
      'empty/and/x.ts',
    ])
      await isFree(name);
    for (const name of [
      'a[b]*/odd.txt',
      'a[b]*/new.txt',
      'src/:(glob)x.txt',
      ':x.txt',
      'src/*',
      'src/secrets.example',
      '-x',
      'src/ä\u0301 b',
    ])
      await isFree(name);
    await isFree('main.ts', join(repository, 'src'));
  });

  it('is nothing that Git ignores, and nothing in a folder of which it tracks no file', async () => {
    for (const name of ['out/built.js', 'out/new.js', 'src/x.log', 'src/out/x.js', 'src/secrets.txt', 'newly/ignored/deep/x.ts'])
      await asks(name, 'Git ignores it');
    for (const name of ['env2/bin/activate', 'env2/pyvenv.txt', 'env2/new/x.ts', 'env2/bin/x'])
      await asks(name, 'Git tracks no file in its folder');
    await asks('a.txt', 'Git tracks no file in its folder', join(base, 'fresh'));
  });

  it('is nothing of which Git is told not to show the changes, though it tracks it', async () => {
    const marked = join(base, 'marked');
    repositoryWith(marked, { 'assumed.ts': '', 'skipped.ts': '', 'seen.ts': '', 'both/a.ts': '', 'sparse/a.ts': '' });
    git(marked, 'update-index', '--assume-unchanged', 'assumed.ts', 'both/a.ts');
    git(marked, 'update-index', '--skip-worktree', 'skipped.ts', 'both/a.ts');
    for (const name of ['assumed.ts', 'skipped.ts', 'both/a.ts']) await asks(name, 'Git is told not to show its changes', marked);
    await isFree('seen.ts', marked);
    await isFree('both/new.ts', marked);
    git(marked, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'both');
    await asks('sparse/a.ts', 'Git is told not to show its changes', marked);
    await isFree('seen.ts', marked);
  });

  it('is also what is in conflict', async () => {
    const torn = join(base, 'torn');
    repositoryWith(torn, { 'a.ts': 'x\n' });
    git(torn, 'checkout', '--quiet', '-b', 'other');
    put(join(torn, 'a.ts'), 'y\n');
    git(torn, 'commit', '--quiet', '-am', 'y');
    git(torn, 'checkout', '--quiet', '-');
    put(join(torn, 'a.ts'), 'z\n');
    git(torn, 'commit', '--quiet', '-am', 'z');
    assert.throws(() => git(torn, 'merge', '--quiet', 'other'));
    await isFree('a.ts', torn);
  });

  it('is nothing by the other way of a link', async () => {
    const write = await access(join(repository, 'src/link/built.js'));
    assert.match(writeTitle(write, true, repository), /Git ignores it/);
    assert.equal(allowedByGrant(write, everywhere), false);
  });

  it('is nothing with a name that begins with a dot, though Git tracks it', async () => {
    const why = 'A name in its path begins with a dot';
    for (const name of ['.hidden/tracked.ts', '.gitignore', 'src/.new', 'src/.a/b.ts', '．x', '\u200b.x', 'src/. x']) await asks(name, why);
    // The folder in which the repository lies may have one.
    repositoryWith(join(base, '.dots/work'), { 'a.ts': '' });
    await isFree('a.ts', join(base, '.dots/work'));
    mkdirSync(join(base, '.dots/plain'));
    await isFree('a.ts', join(base, '.dots/plain'));
    await asks('.x/a.ts', why, plain);
  });

  it('is nothing that runs later, or that agents read as instructions, though Git tracks or would track it', async () => {
    await asks('lefthook-local.yml', 'It can make Git run programs later');
    await asks('src/AGENTS.md', 'Coding agents take it as instructions');
    await asks('AGENTS.md', 'Coding agents take it as instructions', plain);
  });

  it('is nothing of another repository below the working directory', async () => {
    const why = 'It belongs to another repository than the working directory';
    for (const name of ['nested/x.ts', 'nested/new.ts', 'module/x.ts']) await asks(name, why);
    await isFree('x.ts', join(repository, 'module'));
    // Where the working directory is in none, each file is judged by its own.
    await isFree('inner/x.ts', plain);
    await asks('inner/y.ts', 'Git ignores it', plain);
  });

  it('is in a worktree what is tracked there', async () => {
    const worktree = join(base, 'tapline/worktrees/shop-1');
    git(repository, 'worktree', 'add', '--quiet', worktree);
    await isFree('src/main.ts', worktree);
    await isFree('src/new.ts', worktree);
    await asks('src/x.log', 'Git ignores it', worktree);
  });

  it('is everything else where there is no Git', async () => {
    for (const name of ['src/a.ts', 'out/x.js', 'new/x.log']) await isFree(name, plain);
    const { PATH } = process.env;
    try {
      process.env['PATH'] = join(base, 'empty');
      await isFree('out/x.js');
      await asks('.x/a.ts', 'A name in its path begins with a dot');
    } finally {
      process.env['PATH'] = PATH;
    }
  });

  it('is nothing where Git does not answer', async () => {
    const why = 'Git does not say whether it tracks this file';
    mkdirSync(join(base, 'broken/.git'), { recursive: true });
    await asks('a.ts', why, join(base, 'broken'));
    mkdirSync(join(repository, 'packages/.git'));
    await asks('packages/a/index.ts', 'It belongs to another repository than the working directory');
    await asks('a/index.ts', why, join(repository, 'packages'));
    rmSync(join(repository, 'packages/.git'), { recursive: true });
    repositoryWith(join(base, 'elsewhere'), { 'a.ts': '' });
    git(join(base, 'elsewhere'), 'config', 'core.worktree', plain);
    await asks('a.ts', why, join(base, 'elsewhere'));
    put(join(base, 'damaged/.git'), 'gitdir: nowhere\n');
    await asks('a.ts', why, join(base, 'damaged'));
  });

  it('runs no program that a repository names', async () => {
    const [ran, hostile] = [join(base, 'ran'), join(base, 'hostile')];
    repositoryWith(hostile, { 'a.ts': '', '.gitattributes': '* filter=evil\n' });
    for (const setting of ['core.fsmonitor', 'filter.evil.clean', 'filter.evil.process', 'core.pager', 'alias.ls-files'])
      git(hostile, 'config', setting, `touch ${ran};`);
    await isFree('a.ts', hostile);
    await isFree('b.ts', hostile);
    assert.throws(() => realpathSync(ran));
  });

  it('goes on in folders that the session has made', async () => {
    await isFree('src/feature/deep/a.ts');
    put(join(repository, 'src/feature/deep/a.ts'));
    await asks('src/feature/deep/b.ts', 'Git tracks no file in its folder');
    for (const folder of ['src/feature', 'src/feature/deep']) made.add(join(repository, folder));
    await isFree('src/feature/deep/b.ts');
    await asks('src/feature/deep/b.log', 'Git ignores it');
    put(join(repository, 'src/feature/others/a.ts'));
    await asks('src/feature/others/b.ts', 'Git tracks no file in its folder');
  });

  it('is a moved file only where both ends are', async () => {
    const move = (from: string, to: string) => access(join(repository, to), repository, join(repository, from));
    const edits = { approvals: 'edits', autoApproveReads: true, mode: 'interactive' } as const;
    assert.equal(allowedBySettings(await move('src/main.ts', 'src/b.ts'), edits), true);
    const out = await move('src/main.ts', 'src/b.log');
    assert.equal(allowedBySettings(out, edits), false);
    assert.match(writeTitle(out, false, repository), /to `src\/b\.log`\? Git ignores it, so you are asked each time\.$/);
    assert.equal(allowedBySettings(await move('out/built.js', 'src/b.ts'), edits), false);
  });

  it('is no path that is too long to be judged', async () => {
    const write = await access(join(repository, ' '.repeat(40_000)));
    assert.match(writeTitle(write, true, repository), /Its path is too long to be judged, so you are asked each time\.$/);
    assert.equal(allowedByGrant(write, everywhere), false);
  });
});
