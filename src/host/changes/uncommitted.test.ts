import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ChangesetState } from '../../ahp/channels/changeset.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { FileStep } from '../annotations/moveAnnotations.ts';
import { ContentStore } from '../files/contentStore.ts';
import { Git } from '../../base/node/git/git.ts';
import { committedContents } from '../files/workspace/treeFiles.ts';
import type { OperationRequest } from './changesetSource.ts';
import { COMMIT_MESSAGE, SEEN_CHANGES, seenChangesIn } from '../../ahp/commitMessage.ts';
import { type UncommittedSource, uncommittedChanges } from './uncommitted.ts';

const session = 'demo:/1';
const identity = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL', 'EMAIL'];

describe('uncommittedChanges', function () {
  this.timeout(20_000);
  let top: string;
  let title: string;
  let isThere: boolean;
  let steps: [session: string, step: FileStep][];
  let contents: ContentStore;
  let source: UncommittedSource;
  let home: string;
  const environment = { ...process.env };
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-uncommitted-')));
    home = mkdtempSync(join(tmpdir(), 'tapline-home-'));
    writeFileSync(join(home, 'config'), '[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n');
    process.env.GIT_CONFIG_GLOBAL = join(home, 'config');
    process.env.GIT_CONFIG_NOSYSTEM = '1';
    for (const name of ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL', 'EMAIL'])
      Reflect.deleteProperty(process.env, name);
    title = 'Sort the list';
    isThere = true;
    contents = new ContentStore();
    steps = [];
    source = uncommittedChanges({
      contents,
      onDiscarded: (...step) => steps.push(step),
      session: (uri) => (uri === session && isThere ? { title, workingDirectory: top } : undefined),
    });
  });
  afterEach(() => {
    for (const name of [...identity, 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM']) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, environment);
    for (const folder of [top, home]) rmSync(folder, { recursive: true });
  });

  const git = (...args: string[]) => String(execFileSync('git', args, { cwd: top, stdio: ['ignore', 'pipe', 'pipe'] }));
  const put = (name: string, content: string | Uint8Array = 'x\n') => writeFileSync(join(top, name), content);
  const get = (name: string) => readFileSync(join(top, name), 'utf8');
  const uri = (name: string) => pathToFileURL(join(top, name)).href;
  const repository = (...names: string[]) => {
    git('init', '--quiet');
    for (const name of names) put(name, `first ${name}\n`);
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'first');
  };
  const target = (folder = top) => ({
    session,
    channel: `ahp-changeset://uncommitted/${Buffer.from(session).toString('base64url')}`,
    workingDirectory: folder,
  });
  const read = (folder = top) => source.read(target(folder));
  const invoke = async (operationId: string, { file, ...rest }: Partial<OperationRequest> & { file?: string } = {}, folder = top) =>
    (
      await source.invoke(target(folder), {
        operationId,
        ...rest,
        ...(file !== undefined && { target: { kind: 'resource', resource: uri(file) } }),
      })
    ).message;
  const refused = async (work: Promise<unknown>, message: RegExp, code: number = ErrorCode.Conflict) =>
    await assert.rejects(work, (error) => error instanceof RpcError && error.code === code && message.test(error.message));
  /** By name: both sides, and the counts. */
  const shown = ({ files }: ChangesetState) =>
    Object.fromEntries(
      files.map(({ id, edit: { before, after, diff } }) => {
        const textOf = (side: typeof before) => {
          const stored = side && contents.read(side.content.uri);
          return side && (stored ? Buffer.from(stored.data).toString() : side.content.uri === id ? 'the file' : 'nothing');
        };
        return [fileURLToPath(id).slice(top.length + 1), [textOf(before), textOf(after), diff?.added, diff?.removed]];
      }),
    );
  const operation = (state: ChangesetState, id: string) => state.operations?.find((each) => each.id === id);
  const log = () => git('log', '--format=%an <%ae> %s').trim().split('\n');
  const committed = () =>
    git('-c', 'core.quotePath=false', 'show', '--format=', '--name-status', '--no-renames', '-z', 'HEAD').split('\0').slice(0, -1);

  it('is listed in a work tree alone', async () => {
    assert.equal(await source.listed(session), undefined);
    assert.equal(await source.listed('demo:/else'), undefined);
    repository();
    assert.deepEqual(await source.listed(session), {
      label: 'Uncommitted Changes',
      uriTemplate: `ahp-changeset://uncommitted/${Buffer.from(session).toString('base64url')}`,
      changeKind: 'uncommitted',
    });
  });

  it('has what was changed, made, deleted and staged, with both sides, but nothing ignored', async () => {
    repository('kept', 'changed', 'deleted', 'staged');
    put('.gitignore', 'ignored\n');
    put('ignored');
    put('changed', 'first changed\nsecond\n');
    put('staged', 'other\n');
    git('add', 'staged');
    unlinkSync(join(top, 'deleted'));
    put('ein „Name“\nmit Umbruch *', 'new\n');
    const state = await read();
    assert.equal(state.status, 'ready');
    assert.deepEqual(shown(state), {
      '.gitignore': [undefined, 'ignored\n', 1, 0],
      changed: ['first changed\n', 'first changed\nsecond\n', 1, 0],
      deleted: ['first deleted\n', undefined, 0, 1],
      'ein „Name“\nmit Umbruch *': [undefined, 'new\n', 1, 0],
      staged: ['first staged\n', 'other\n', 1, 1],
    });
  });

  it('counts only the folder of the session, and no link, submodule or other repository', async () => {
    mkdirSync(join(top, 'in'));
    repository('outside', 'in/a');
    put('outside', 'changed\n');
    put('in/a', 'changed\n');
    symlinkSync('/etc/passwd', join(top, 'in/link'));
    execFileSync('git', ['init', '--quiet', 'in/repository'], { cwd: top });
    put('in/repository/file');
    assert.deepEqual(Object.keys(shown(await read(join(top, 'in')))), ['in/a']);
  });

  it('reads nothing through a folder that has become a link', async () => {
    mkdirSync(join(top, 'in'));
    repository('in/secret', 'a');
    put('a', 'second\n');
    writeFileSync(join(home, 'secret'), 'SECRET\n');
    rmSync(join(top, 'in'), { recursive: true });
    symlinkSync(home, join(top, 'in'));
    const { a, 'in/secret': secret } = shown(await read());
    assert.deepEqual(secret, ['first in/secret\n', undefined, 0, 1]);
    assert.deepEqual(a, ['first a\n', 'second\n', 1, 1]);
    await invoke('commit');
    assert.deepEqual(committed(), ['M', 'a', 'D', 'in/secret']);
  });

  it('commits a file in the place of a folder, and a folder in the place of a file', async () => {
    mkdirSync(join(top, 'in'));
    repository('in/b', 'file');
    rmSync(join(top, 'in'), { recursive: true });
    put('in', 'a file now\n');
    unlinkSync(join(top, 'file'));
    mkdirSync(join(top, 'file'));
    put('file/inner');
    await read();
    await invoke('commit');
    assert.equal(git('status', '--porcelain'), '');
  });

  it('leaves out what it cannot show, and says so where it is committed', async () => {
    repository('link', 'staged', 'a', 'mode');
    put('staged', 'staged work\n');
    put('staged and gone');
    git('add', '--all');
    put('staged', 'first staged\n');
    unlinkSync(join(top, 'staged and gone'));
    chmodSync(join(top, 'mode'), 0o755);
    unlinkSync(join(top, 'link'));
    symlinkSync('/etc/passwd', join(top, 'link'));
    writeFileSync(Buffer.concat([Buffer.from(`${top}/`), Buffer.from([0xe9, 0x61])]), 'latin\n');
    put('a', 'second\n');
    const state = await read();
    assert.deepEqual(Object.keys(shown(state)), ['a', 'mode']);
    const said =
      / Left out: 1 link or repository of its own; 2 files that are staged, but on disk as in the last commit; 1 file whose name is not UTF-8\./;
    assert.match(operation(state, 'commit')?.description ?? '', said);
    assert.match(String(operation(state, 'commit')?.confirmation), said);
    assert.match(operation(state, 'discard')?.description ?? '', said);
    assert.match(String(await invoke('discard')), /^The changes of 2 files were discarded\.$/);
    assert.equal(git('show', ':staged'), 'staged work\n');
    assert.doesNotMatch(git('status', '--porcelain'), /^.{3}(a|mode)$/m);
    assert.match(operation(await read(), 'commit')?.description ?? '', /^There is nothing to commit\. Left out: 1 link/);
  });

  it('counts no line whose end alone is converted by Git', async () => {
    repository('plain');
    git('config', 'core.autocrlf', 'true');
    put('a', '1\r\n2\r\n3\r\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'a');
    put('a', '1\r\n2\r\n3x\r\n');
    assert.deepEqual(shown(await read()), { a: ['1\r\n2\r\n3\r\n', '1\r\n2\r\n3x\r\n', 1, 1] });
    git('config', 'core.autocrlf', 'false');
    put('a', '1\n2\n3\n');
    put('plain', 'first plain\r\n');
    assert.deepEqual(shown(await read()), { plain: ['first plain\n', 'first plain\r\n', 1, 1] }, 'here Git converts nothing');
  });

  it('reads many contents of a commit, more than Git answers at once, and empty ones', async () => {
    repository();
    const textOf = (number: number) => (number % 5 === 0 ? '' : `${'ü'.repeat(450_000)}\n${number}\n`);
    for (let number = 0; number < 24; number++) put(`file ${number}`, textOf(number));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'large');
    const commit = git('rev-parse', 'HEAD').trim();
    const paths = Array.from({ length: 24 }, (_, number) => `file ${number}`);
    const found = await committedContents(await Git.in(top), commit, [...paths, 'none']);
    assert.deepEqual([...found.keys()].sort(), [...paths].sort());
    for (const [number, path] of paths.entries()) assert.ok(String(found.get(path)) === textOf(number), path);
  });

  it('refers to large and binary files, and keeps no content twice', async () => {
    repository('a', 'binary');
    put('a', 'second\n');
    put('binary', Buffer.from([0xff, 0xfe, 0]));
    put('large', 'x'.repeat(1024 * 1024 + 1));
    const first = await read();
    assert.deepEqual(shown(first), {
      a: ['first a\n', 'second\n', 1, 1],
      binary: ['first binary\n', 'the file', undefined, undefined],
      large: [undefined, 'the file', undefined, undefined],
    });
    assert.deepEqual(await read(), first);
  });

  it('has operations only where there is something', async () => {
    repository('a');
    const statuses = async () => (await read()).operations?.map(({ id, status }) => [id, status]);
    assert.deepEqual(await statuses(), [
      ['discard', 'disabled'],
      ['commit', 'disabled'],
    ]);
    await refused(invoke('discard'), /nothing to discard/);
    await refused(invoke('commit'), /nothing to commit/);
    put('a', 'second\n');
    assert.deepEqual(await statuses(), [
      ['discard', 'idle'],
      ['commit', 'idle'],
    ]);
  });

  it('says so where git fails', async () => {
    const { status, error, files } = await read();
    assert.deepEqual([status, files], ['error', []]);
    assert.match(error?.message ?? '', /no work tree/);
    await refused(invoke('commit'), /Look at them first/);
  });

  it('works before the first commit', async () => {
    git('init', '--quiet');
    put('a');
    put('b');
    git('add', 'a');
    const state = await read();
    assert.deepEqual(Object.keys(shown(state)), ['a', 'b']);
    assert.match(String(await invoke('commit')), /^Committed 2 files to main as [0-9a-f]{7,}\.$/);
    assert.deepEqual([log(), git('status', '--porcelain')], [['Ada <ada@example.org> Sort the list'], '']);
  });

  it('discards before the first commit', async () => {
    git('init', '--quiet');
    put('a');
    put('b');
    git('add', 'a');
    await read();
    assert.equal(await invoke('discard'), 'The changes of 2 files were discarded.');
    assert.deepEqual([existsSync(join(top, 'a')), existsSync(join(top, 'b')), git('status', '--porcelain')], [false, false, '']);
  });

  it('does nothing where other changes were seen than those that the host has read last', async () => {
    repository('a');
    put('a', 'second\n');
    const metaOf = (state: ChangesetState, id: string) => seenChangesIn(operation(state, id)?._meta);
    const shownState = await read();
    assert.equal(metaOf(await read(), 'commit'), metaOf(shownState, 'commit'));
    put('later');
    await read();
    for (const id of ['commit', 'discard']) {
      const seen = metaOf(shownState, id);
      assert.ok(seen);
      await refused(invoke(id, { seen }), /other changes than those that you saw/);
    }
    assert.equal(git('status', '--porcelain'), ' M a\n?? later\n');
    await refused(invoke('discard', { seen: 'x' }), /other changes/);
    await invoke('commit', { seen: metaOf(await read(), 'commit')! });
    assert.deepEqual(committed(), ['M', 'a', 'A', 'later']);
  });

  it('discards one file only as the list had it that was seen, also where the host has read others since', async () => {
    repository('a', 'b', 'c');
    for (const name of ['a', 'b', 'c']) put(name, 'second\n');
    const seenIn = (state: ChangesetState) => seenChangesIn(operation(state, 'discard')?._meta)!;
    const seen = seenIn(await read());
    put('b', 'third\n');
    put('later');
    await read();
    const other = /Nothing was done, because the file is not what the list showed you/;
    for (const file of ['b', 'later']) await refused(invoke('discard', { seen, file }), other);
    assert.equal(await invoke('discard', { seen, file: 'a' }), 'The changes of 1 file were discarded.');
    await refused(invoke('discard', { seen: 'x', file: 'c' }), other);
    const last = seenIn(await read());
    await invoke('discard', { seen: last, file: 'b' });
    assert.deepEqual([get('a'), get('b'), get('c'), get('later')], ['first a\n', 'first b\n', 'second\n', 'x\n']);
    git('commit', '--quiet', '--allow-empty', '--message', 'more');
    await read();
    await refused(invoke('discard', { seen: last, file: 'c' }), other);
    await invoke('discard', { seen: seenIn(await read()), file: 'c' });
  });

  describe('contents', () => {
    let kept: Set<string>;
    beforeEach(() => {
      kept = new Set();
      const [put, drop] = [contents.put.bind(contents), contents.drop.bind(contents)];
      contents.put = (...args) => {
        const ref = put(...args);
        kept.add(ref.uri);
        return ref;
      };
      contents.drop = (uri, of) => {
        kept.delete(uri);
        drop(uri, of);
      };
    });

    it('are kept while the list has them', async () => {
      repository('a', 'b');
      put('a', 'second\n');
      put('b', 'second\n');
      await read();
      assert.equal(kept.size, 3);
      put('b', 'first b\n');
      const state = await read();
      assert.equal(kept.size, 2);
      assert.deepEqual(shown(state), { a: ['first a\n', 'second\n', 1, 1] });
      source.forget('demo:/else');
      assert.equal(kept.size, 2);
      source.forget(session);
      assert.equal(kept.size, 0);
    });

    it('go with the channel, but what was seen can still be committed', async () => {
      repository('a');
      put('a', 'second\n');
      await read();
      source.forget(target().channel);
      assert.equal(kept.size, 0);
      assert.match(String(await invoke('commit')), /^Committed 1 file/);
      put('a', 'third\n');
      assert.deepEqual(shown(await read()), { a: ['second\n', 'third\n', 1, 1] });
    });

    it('go where git fails', async () => {
      repository('a');
      put('a', 'second\n');
      await read();
      rmSync(join(top, '.git'), { recursive: true });
      await read();
      assert.equal(kept.size, 0);
    });

    it('are not kept for a session that was deleted while it was read', async () => {
      repository('a', 'b');
      put('a', 'second\n');
      put('b', 'other\n');
      await read();
      put('b', 'third\n');
      isThere = false;
      source.forget(session);
      await read();
      assert.equal(kept.size, 0);
      await refused(invoke('commit'), /Look at them first/);
    });
  });

  describe('discard', () => {
    it('puts files back, and deletes what the commit does not have', async () => {
      repository('changed', 'deleted', 'staged', 'a*');
      put('changed', 'second\n');
      put('staged', 'second\n');
      put('a*', 'second\n');
      put('ab');
      put('added');
      git('add', 'staged', 'added');
      unlinkSync(join(top, 'deleted'));
      await read();
      assert.equal(await invoke('discard', { file: 'a*' }), 'The changes of 1 file were discarded.');
      assert.deepEqual([get('a*'), get('ab'), get('changed')], ['first a*\n', 'x\n', 'second\n']);
      await read();
      assert.equal(await invoke('discard'), 'The changes of 5 files were discarded.');
      assert.equal(git('status', '--porcelain'), '');
      assert.equal(get('deleted'), 'first deleted\n');
      assert.equal(existsSync(join(top, 'added')), false);
    });

    it('leaves what has changed since it was read, and says so', async () => {
      repository('a', 'b');
      put('a', 'second\n');
      put('b', 'second\n');
      put('new');
      await read();
      put('a', 'third\n');
      put('new', 'more\n');
      put('later');
      await refused(invoke('discard', { file: 'new' }), /Nothing was discarded.*changed since you saw them: new/);
      assert.equal(
        await invoke('discard'),
        'The changes of 1 file were discarded. Left as they are, because they changed since you saw them: a, new.',
      );
      assert.deepEqual([get('a'), get('b'), get('new'), get('later')], ['third\n', 'first b\n', 'more\n', 'x\n']);
    });

    it('names ten of the files that it leaves, and says how many more there are', async () => {
      const names = Array.from({ length: 12 }, (_, index) => `f${String(index).padStart(2, '0')}`);
      repository();
      for (const name of names) put(name);
      await read();
      for (const name of names) put(name, 'more\n');
      await refused(invoke('discard'), /you saw them: f00, .*f08, f09, and 2 more\.$/);
    });

    it('compares the content, not the time, and large files exactly', async () => {
      const large = 'x'.repeat(1024 * 1024 + 1);
      repository('a');
      put('a', 'second\n');
      put('large', large);
      await read();
      put('a', 'second\n');
      put('large', `y${large.slice(1)}`);
      assert.match(String(await invoke('discard')), /^The changes of 1 file were discarded\. .*: large\.$/);
      assert.equal(get('a'), 'first a\n');
    });

    it('is refused for unknown files, parts of files and after another commit', async () => {
      repository('a');
      put('a', 'second\n');
      await read();
      await refused(invoke('discard', { file: 'b' }), /have no file/, ErrorCode.NotFound);
      const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };
      await refused(
        invoke('discard', { target: { kind: 'range', resource: uri('a'), range } }),
        /cannot be done for a range/,
        ErrorCode.InvalidParams,
      );
      await refused(invoke('push'), /no operation push/, ErrorCode.InvalidParams);
      git('checkout', '--quiet', '-b', 'other');
      await refused(invoke('discard'), /another branch/);
      git('commit', '--quiet', '--allow-empty', '--message', 'more');
      await refused(invoke('discard'), /another branch or last commit/);
      assert.equal(get('a'), 'second\n');
    });

    for (const [what, make] of [
      ['a file', (place: string) => writeFileSync(place, 'unseen\n')],
      ['a link', (place: string) => symlinkSync(home, place)],
      ['a link to nowhere', (place: string) => symlinkSync('nowhere', place)],
    ] as const)
      it(`leaves a file whose folder has become ${what}`, async () => {
        mkdirSync(join(top, 'in/deep'), { recursive: true });
        repository('a', 'in/deep/b', 'in/deep/c');
        put('a', 'second\n');
        rmSync(join(top, 'in'), { recursive: true });
        await read();
        make(join(top, 'in'));
        const before = lstatSync(join(top, 'in'));
        await refused(invoke('discard', { file: 'in/deep/b' }), /Nothing was discarded\..*folder.*: in\/deep\/b\./);
        assert.match(String(await invoke('discard')), /^The changes of 1 file were discarded\. .*: in\/deep\/b, in\/deep\/c\.$/);
        assert.equal(lstatSync(join(top, 'in')).ino, before.ino);
        assert.deepEqual(readdirSync(home), ['config']);
        assert.equal(get('a'), 'first a\n');
      });

    it('makes the folders of a deleted file again, also where a file that was listed is in their place', async () => {
      mkdirSync(join(top, 'in/deep'), { recursive: true });
      mkdirSync(join(top, 'other'));
      repository('in/deep/b', 'other/c');
      rmSync(join(top, 'in'), { recursive: true });
      rmSync(join(top, 'other'), { recursive: true });
      put('in', 'listed\n');
      await read();
      assert.equal(await invoke('discard'), 'The changes of 3 files were discarded.');
      assert.deepEqual([get('in/deep/b'), get('other/c'), git('status', '--porcelain')], ['first in/deep/b\n', 'first other/c\n', '']);
    });

    it('tells what became of each file, so that comments move with their text', async () => {
      repository('a', 'b', 'c');
      for (const name of ['a', 'b', 'c']) put(name, 'second\n');
      put('new');
      const { files } = await read();
      put('b', 'third\n');
      await invoke('discard', { file: 'c' });
      assert.deepEqual(steps.splice(0), [[session, { before: files[2]?.edit.after, after: files[2]?.edit.before }]]);
      await invoke('discard');
      assert.deepEqual(
        steps.map(([, { before, after }]) => [before?.uri, after?.uri]),
        [
          [uri('a'), uri('a')],
          [uri('new'), undefined],
        ],
      );
    });

    it('leaves a file that changes while others are discarded', async () => {
      repository('a', 'k', 'z');
      for (const name of ['a', 'k', 'z']) put(name, 'second\n');
      put('new');
      await read();
      let isDone = false;
      const watched = (async () => {
        while (!isDone && get('a') === 'second\n') await setImmediate();
        put('k', 'late\n');
        put('z', 'late\n');
      })();
      const message = await invoke('discard');
      isDone = true;
      await watched;
      assert.match(String(message), /changed since you saw them: .*z\.$/);
      assert.equal(get('z'), 'late\n');
    });

    it('puts back what can be executed, line ends that Git converts, links and large files', async () => {
      repository('run', 'plain', 'text', 'link', 'large', 'gone');
      chmodSync(join(top, 'run'), 0o755);
      unlinkSync(join(top, 'link'));
      symlinkSync('plain', join(top, 'link'));
      put('large', 'x'.repeat(5 * 1024 * 1024));
      put('.gitattributes', 'text text eol=crlf\n');
      put('text', 'one\r\ntwo\r\n');
      chmodSync(join(top, 'gone'), 0o755);
      git('add', '--all');
      git('commit', '--quiet', '--message', 'more');
      chmodSync(join(top, 'run'), 0o644);
      chmodSync(join(top, 'plain'), 0o755);
      unlinkSync(join(top, 'link'));
      unlinkSync(join(top, 'gone'));
      put('link', 'a file now\n');
      put('large', 'small\n');
      put('text', 'one\r\nother\r\n');
      await read();
      assert.equal(await invoke('discard'), 'The changes of 6 files were discarded.');
      assert.equal(git('status', '--porcelain'), '');
      assert.deepEqual([get('text'), readlinkSync(join(top, 'link')), get('large').length], ['one\r\ntwo\r\n', 'plain', 5 * 1024 * 1024]);
      assert.equal(lstatSync(join(top, 'gone')).mode & 0o111, 0o111);
    });

    it('deletes nothing outside, where a folder has become a link', async () => {
      repository('a');
      mkdirSync(join(top, 'in'));
      put('in/new');
      writeFileSync(join(home, 'new'), 'x\n');
      await read();
      rmSync(join(top, 'in'), { recursive: true });
      symlinkSync(home, join(top, 'in'));
      await invoke('discard').catch(() => undefined);
      assert.ok(existsSync(join(home, 'new')));
    });
  });

  describe('commit', () => {
    it('commits the files and nothing else, with the suggested message', async () => {
      mkdirSync(join(top, 'in'));
      repository('in/changed', 'in/deleted', 'outside', 'also outside');
      put('in/changed', 'second\n');
      put('in/ein „Name“\nmit Umbruch *');
      put('in/run', '#!/bin/sh\n');
      chmodSync(join(top, 'in/run'), 0o755);
      unlinkSync(join(top, 'in/deleted'));
      put('outside', 'staged\n');
      put('also outside', 'not staged\n');
      git('add', 'outside');
      const state = await read(join(top, 'in'));
      const { confirmation, _meta } = operation(state, 'commit') ?? {};
      assert.match(
        String(confirmation),
        /^Commits 4 files to main with the message: Sort the list\n\nHooks of the repository are not run\.$/,
      );
      assert.deepEqual(_meta, { [COMMIT_MESSAGE]: 'Sort the list', [SEEN_CHANGES]: seenChangesIn(_meta) });
      put('in/later');
      const message = await invoke('commit', {}, join(top, 'in'));
      assert.equal(message, `Committed 4 files to main as ${git('rev-parse', '--short', 'HEAD').trim()}.`);
      assert.deepEqual(committed(), ['M', 'in/changed', 'D', 'in/deleted', 'A', 'in/ein „Name“\nmit Umbruch *', 'A', 'in/run']);
      assert.deepEqual(log(), ['Ada <ada@example.org> Sort the list', 'Ada <ada@example.org> first']);
      assert.match(git('ls-tree', 'HEAD', 'in/run'), /^100755/);
      assert.equal(git('status', '--porcelain'), ' M "also outside"\nM  outside\n?? in/later\n');
    });

    it('takes the message that the user has left', async () => {
      repository('a');
      put('a', 'second\n');
      await read();
      for (const commitMessage of [' \n', 'x'.repeat(16 * 1024 + 1), 'a\0b'])
        await refused(invoke('commit', { commitMessage }), /message/, ErrorCode.InvalidParams);
      await invoke('commit', { commitMessage: '-m # Not a comment\n\nWhy.\n' });
      assert.equal(git('log', '-1', '--format=%B').trim(), '-m # Not a comment\n\nWhy.');
    });

    it('suggests a short message, also where the session has no title', async () => {
      repository('a');
      put('a', 'second\n');
      const suggested = async () => operation(await read(), 'commit')?._meta?.[COMMIT_MESSAGE];
      title = `  ${'very '.repeat(30)}\n long`;
      assert.match(String(await suggested()), /^(very )+.*…$/);
      assert.ok(String(await suggested()).length <= 72);
      title = '';
      assert.equal(await suggested(), 'Change 1 file');
    });

    it('commits nothing that has changed since it was read', async () => {
      repository('a', 'b');
      put('a', 'second\n');
      put('b', 'second\n');
      await read();
      put('b', 'third\n');
      await refused(invoke('commit'), /^Nothing was committed\. .*changed since you saw them: b\.$/);
      assert.deepEqual([log().length, git('status', '--porcelain')], [1, ' M a\n M b\n']);
      await read();
      await invoke('commit');
      assert.equal(git('show', 'HEAD:b'), 'third\n');
    });

    it('works with a detached HEAD and in another worktree', async () => {
      repository('a');
      git('checkout', '--quiet', '--detach');
      put('a', 'second\n');
      await read();
      assert.match(String(await invoke('commit')), /^Committed 1 file to no branch \(HEAD is detached\) as /);
      const other = join(home, 'worktree');
      git('worktree', 'add', '--quiet', '-b', 'side', other);
      writeFileSync(join(other, 'b'), 'x\n');
      const folder = realpathSync(other);
      await read(folder);
      assert.match(String(await invoke('commit', {}, folder)), /^Committed 1 file to side as /);
      assert.equal(git('log', '-1', '--format=%s', 'side').trim(), 'Sort the list');
      assert.equal(execFileSync('git', ['status', '--porcelain'], { cwd: other }).toString(), '');
    });

    it('says so where git does not know who commits', async () => {
      repository('a');
      put('a', 'second\n');
      await read();
      writeFileSync(join(home, 'config'), '');
      await refused(invoke('commit'), /Git does not know who you are/);
      assert.equal(git('status', '--porcelain'), ' M a\n');
    });

    it('leaves a merge to the user', async () => {
      repository('a');
      git('checkout', '--quiet', '-b', 'side');
      put('b');
      git('add', '--all');
      git('commit', '--quiet', '--message', 'side');
      git('checkout', '--quiet', 'main');
      git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
      const state = await read();
      assert.equal(operation(state, 'commit')?.status, 'disabled');
      assert.match(operation(state, 'commit')?.description ?? '', /merge/);
      await refused(invoke('commit'), /merge/);
    });

    it('is not possible where more files have changed than are shown', async () => {
      repository();
      for (let number = 0; number < 201; number++) put(`file ${number}`);
      const state = await read();
      assert.equal(state.files.length, 200);
      assert.equal(operation(state, 'commit')?.status, 'disabled');
      await refused(invoke('commit'), /More than 200 files/);
    });

    it('runs nothing that the repository names, and touches no file with a filter', async () => {
      const mark = join(top, '.git/ran');
      repository('a', 'filtered');
      const run = `touch '${mark}'; cat`;
      for (const [key, value] of [
        ['filter.evil.clean', run],
        ['filter.evil.smudge', run],
        ['core.fsmonitor', `touch '${mark}'`],
        ['core.editor', `touch '${mark}'`],
        ['commit.gpgSign', 'true'],
        ['gpg.program', `touch '${mark}'`],
        ['core.hooksPath', join(top, '.git/evil')],
      ])
        git('config', key!, value!);
      mkdirSync(join(top, '.git/evil'));
      for (const hook of ['pre-commit', 'commit-msg', 'post-commit', 'post-checkout', 'post-index-change', 'reference-transaction'])
        writeFileSync(join(top, '.git/evil', hook), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
      put('.git/info/attributes', 'filtered filter=evil\n');
      put('a', 'second\n');
      put('filtered', 'second, of another size\n');
      await read();
      await refused(invoke('commit'), /filter of Git, which this host does not run: filtered/);
      assert.match(String(await invoke('discard')), /^The changes of 1 file were discarded\. .*filter.*: filtered\.$/);
      put('.git/info/attributes', '');
      put('a', 'second\n');
      await read();
      await invoke('commit');
      assert.equal(existsSync(mark), false);
      git('status'); // To show that the trap works.
      assert.equal(existsSync(mark), true);
    });
  });
});
