import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isLentUri, lentUri, parseLentUri } from '../../ahp/lentFiles.ts';
import type { LentResult } from '../../ahp/schemas/lentSchemas.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { LentFiles } from './lentFiles.ts';

const session = 'copilot:/1';

describe('files that are lent to a host', () => {
  let folder: string;
  let lent: LentFiles;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-lent-')));
    mkdirSync(join(folder, 'docs', 'more'), { recursive: true });
    writeFileSync(join(folder, 'a b.txt'), 'äö\n');
    writeFileSync(join(folder, 'secret'), 'secret');
    writeFileSync(join(folder, 'docs', 'guide.md'), 'guide');
    writeFileSync(join(folder, 'docs', 'more', 'bytes'), Buffer.from([0xff, 0, 1]));
    lent = new LentFiles('window-1');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const path = (name: string) => join(folder, name);
  const read = (uri: string, files = lent) => files.answer('resourceRead', { uri }) as Promise<LentResult<'resourceRead'>>;
  const list = (uri: string) => lent.answer('resourceList', { uri }) as Promise<LentResult<'resourceList'>>;
  const refused = async (answer: Promise<unknown>, what?: string) => {
    const check = (error: unknown) =>
      error instanceof RpcError && error.code === -32008 && error.message === 'this client lends no such file to this host';
    await assert.rejects(answer, check, what);
  };

  it('can be read by that host: text as text, bytes as bytes, as it is now', async () => {
    const { uri } = await lent.lend(path('a b.txt'), session);
    assert.match(uri, /^tapline-lent:\/\/window-1\/[0-9a-f]{32}\/a%20b\.txt$/);
    assert.deepEqual(await read(uri), { data: 'äö\n', encoding: 'utf-8' });
    assert.deepEqual(await lent.answer('resourceRead', { uri, encoding: 'base64' }), {
      data: Buffer.from('äö\n').toString('base64'),
      encoding: 'base64',
    });
    // Editors replace a file when they save it.
    writeFileSync(path('new'), 'saved');
    renameSync(path('new'), path('a b.txt'));
    assert.equal((await read(uri)).data, 'saved');
    writeFileSync(path('a b.txt'), '');
    assert.deepEqual(await read(uri), { data: '', encoding: 'utf-8' });
  });

  it('can be a folder with what is below it', async () => {
    const { uri, isFolder } = await lent.lend(path('docs'), session);
    assert.equal(isFolder, true);
    assert.deepEqual(await list(uri), {
      entries: [
        { name: 'guide.md', type: 'file' },
        { name: 'more', type: 'directory' },
      ],
    });
    assert.equal((await read(`${uri}/guide.md`)).data, 'guide');
    assert.deepEqual(await read(`${uri}/more/bytes`), { data: Buffer.from([0xff, 0, 1]).toString('base64'), encoding: 'base64' });
    await refused(read(uri), 'a folder has no content');
  });

  it('is not what a link leads to: the link is refused, and names it', async () => {
    symlinkSync('secret', path('notes.txt'));
    symlinkSync(path('docs'), path('guides'));
    const isRefused = (name: string, to: string) => ({
      name: 'UserError',
      message: `“${name}” is a link to ${path(to)}. Attach that instead, if you mean it.`,
    });
    await assert.rejects(lent.lend(path('notes.txt'), session), isRefused('notes.txt', 'secret'));
    await assert.rejects(lent.lend(path('guides'), session), isRefused('guides', 'docs'));
    await assert.rejects(lent.lend(`${path('guides')}/`, session), isRefused('guides', 'docs'));
    await assert.rejects(lent.lend(path('docs/../notes.txt'), session), isRefused('notes.txt', 'secret'));
    assert.deepEqual(lent.all, []);
    assert.equal((await lent.lend(path('guides/guide.md'), session)).path, path('docs/guide.md'), 'links higher up are followed');
    assert.equal((await lent.lend(`${path('docs')}/`, session)).path, path('docs'));
    assert.equal((await lent.lend('/', session)).path, '/');
  });

  it('has a name that it can be taken back by', async function () {
    if (process.platform === 'win32') return this.skip();
    writeFileSync(path('a\\b'), 'x');
    await assert.rejects(lent.lend(path('a\\b'), session), {
      name: 'UserError',
      message: '“a\\b” was not lent: its name cannot be told to a host. Rename it, or attach a copy with another name.',
    });
    writeFileSync(path('a'.repeat(250)), 'x');
    await lent.lend(path('a'.repeat(250)), session);
    for (const { uri } of lent.all) lent.takeBack(uri);
    assert.deepEqual(lent.all, []);
  });

  it('cannot be read by another host, by another key, or by another name', async () => {
    const { uri } = await lent.lend(path('a b.txt'), session);
    const others = new LentFiles('window-1');
    await others.lend(path('secret'), session);
    await refused(read(uri, others));
    const parsed = parseLentUri(uri);
    assert.ok(parsed);
    for (const other of [
      lentUri({ ...parsed, key: '0'.repeat(32) }),
      lentUri({ ...parsed, clientId: 'window-2' }),
      lentUri({ ...parsed, names: ['secret'] }),
      lentUri({ ...parsed, names: ['a b.txt', 'secret'] }),
      uri.toUpperCase(),
      uri.replace('tapline-lent', 'Tapline-Lent'),
      uri.replace('a%20b.txt', 'A%20B.TXT'),
      uri.replace('%20', ' '),
      uri.replace('a%20b', '%61%20b'),
      `${uri}/`,
      `${uri}?x`,
      `${uri}#x`,
      `${uri}%00`,
      `${uri}/..`,
      `${uri}/../secret`,
    ])
      await refused(read(other), other);
    assert.equal((await read(uri)).data, 'äö\n');
  });

  it('are no way to any other file, on this computer or another one', async () => {
    const { uri } = await lent.lend(path('docs'), session);
    const key = uri.slice(0, uri.lastIndexOf('/'));
    for (const other of [
      pathToFileURL(path('docs/guide.md')).href,
      'file:///etc/passwd',
      'file://server/share/a.txt',
      '//server/share',
      `${uri}/../secret`,
      `${uri}/..%2Fsecret`,
      `${uri}/%2e%2e/secret`,
      `${uri}/..%5Csecret`,
      `${uri}//etc/passwd`,
      `${uri}/.`,
      `${uri}/%ff`,
      `${key}/..`,
      `${key}/secret`,
      `${uri}${'/x'.repeat(5_000)}`,
      `${uri}/missing`,
      '',
    ]) {
      await refused(read(other), other);
      await refused(list(other), other);
    }
    for (const params of [undefined, {}, { uri: 7 }, { uri, encoding: 'latin1' }])
      await assert.rejects(lent.answer('resourceRead', params), /wrong parameters/);
    for (const method of ['resourceWrite', 'resourceDelete', 'resourceMove', 'toString']) assert.equal(lent.serves(method), false, method);
  });

  it('are not what a link leads to that was put in their place', async () => {
    const file = await lent.lend(path('a b.txt'), session);
    rmSync(path('a b.txt'));
    symlinkSync(path('secret'), path('a b.txt'));
    await refused(read(file.uri));

    const { uri } = await lent.lend(path('docs'), session);
    renameSync(path('docs'), path('old'));
    mkdirSync(path('private'));
    writeFileSync(path('private/guide.md'), 'secret');
    symlinkSync(path('private'), path('docs'));
    await refused(read(`${uri}/guide.md`));
    await refused(list(uri));
  });

  it('are what a link on the way led to when it was lent, and nothing that it leads to later', async () => {
    mkdirSync(path('other'));
    writeFileSync(path('other/guide.md'), 'other');
    symlinkSync(path('docs'), path('link'));
    const { uri } = await lent.lend(path('link/guide.md'), session);
    assert.equal((await read(uri)).data, 'guide');
    rmSync(path('link'));
    symlinkSync(path('other'), path('link'));
    assert.equal((await read(uri)).data, 'guide');
  });

  it('are not outside of a folder by its links', async () => {
    symlinkSync(path('secret'), path('docs/out'));
    symlinkSync(folder, path('docs/up'));
    symlinkSync(path('docs/guide.md'), path('docs/in'));
    mkdirSync(path('docs-private'));
    writeFileSync(path('docs-private/x'), 'x');
    symlinkSync(path('docs-private'), path('docs/beside'));
    const { uri } = await lent.lend(path('docs'), session);
    for (const name of ['out', 'up/secret', 'beside/x']) await refused(read(`${uri}/${name}`), name);
    for (const name of ['up', 'beside']) await refused(list(`${uri}/${name}`), name);
    assert.deepEqual(
      (await list(uri)).entries.map(({ name }) => name),
      ['guide.md', 'more'],
    );
    assert.equal((await read(`${uri}/in`)).data, 'guide');
  });

  it('cannot be read after they were taken back, also while they are being read', async () => {
    const { uri } = await lent.lend(path('docs'), session);
    const reading = read(`${uri}/guide.md`);
    lent.takeBack(uri);
    await refused(reading);
    await refused(read(`${uri}/guide.md`));
    assert.equal(lent.isGone(uri), true);
    assert.deepEqual(lent.all, []);
    assert.equal(lent.isGone('file:///a'), false);
    assert.equal(lent.isGone(lentUri({ clientId: 'window-2', key: '0'.repeat(32), names: ['a'] })), false, 'that of another window');
  });

  it('are lent once to a session, and anew after they were taken back or have become a folder', async () => {
    const first = await lent.lend(path('secret'), session);
    assert.deepEqual(await Promise.all([lent.lend(path('secret'), session), lent.lend(path('secret'), session)]), [first, first]);
    assert.notEqual((await lent.lend(path('secret'), 'copilot:/2')).uri, first.uri);
    lent.takeBack(first.uri);
    const again = await lent.lend(path('secret'), session);
    assert.notEqual(again.uri, first.uri);
    rmSync(path('secret'));
    mkdirSync(path('secret'));
    assert.notEqual((await lent.lend(path('secret'), session)).uri, again.uri);
  });

  it('are released as often as they were lent before nobody can read them, and taken back at once', async () => {
    const { uri } = await lent.lend(path('secret'), session);
    await lent.lend(path('secret'), session);
    let changes = 0;
    lent.onDidChange(() => changes++);
    lent.release(uri);
    assert.equal((await read(uri)).data, 'secret');
    assert.equal(changes, 0);
    lent.release(uri);
    await refused(read(uri));
    assert.equal(changes, 1);
    const again = await lent.lend(path('secret'), session);
    await lent.lend(path('secret'), session);
    lent.takeBack(again.uri);
    lent.release(again.uri);
    await refused(read(again.uri));
    assert.equal(changes, 3);
  });

  it('end with their session', async () => {
    const one = await lent.lend(path('secret'), session);
    const other = await lent.lend(path('a b.txt'), 'copilot:/2');
    lent.keepOnly((uri) => uri !== session);
    await refused(read(one.uri));
    assert.equal((await read(other.uri)).data, 'äö\n');
  });

  it('are at most 5 MB, when they are lent and when they are read', async () => {
    writeFileSync(path('large'), '');
    const { uri } = await lent.lend(path('large'), session);
    truncateSync(path('large'), 5_000_000);
    assert.equal((await read(uri)).data.length, 5_000_000);
    appendFileSync(path('large'), 'x');
    await assert.rejects(read(uri), /larger than 5000000 bytes/);
    await assert.rejects(lent.lend(path('large'), session), /“large” was not lent: it has 5 MB, and at most 5 MB can be/);
  });

  it('are files and folders of this computer', async function () {
    await assert.rejects(lent.lend('//server/share/a.txt', session), /“a\.txt” was not lent: it is on another computer/);
    await assert.rejects(lent.lend(path('missing'), session), /ENOENT/);
    if (process.platform === 'win32') this.skip();
    execFileSync('mkfifo', [path('pipe')]);
    await assert.rejects(lent.lend(path('pipe'), session), /neither a file nor a folder/);
    const { uri } = await lent.lend(path('docs'), session);
    execFileSync('mkfifo', [path('docs/pipe')]);
    await refused(read(`${uri}/pipe`), 'a pipe, whose other end nobody writes');
  });

  it('keep a host from having many requests open, and are not more than 200', async () => {
    const { uri } = await lent.lend(path('docs'), session);
    const answers = await Promise.allSettled(Array.from({ length: 30 }, () => list(uri)));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 20);
    assert.equal((await list(uri)).entries.length, 2);
    for (let at = 1; at < 200; at++) await lent.lend(path('secret'), `copilot:/${at + 1}`);
    await assert.rejects(lent.lend(path('secret'), session), /200 files are lent to this host already/);
  });
});

describe('the URI of a file that is lent', () => {
  it('says whose it is, and is written in one way', () => {
    const parts = { clientId: 'a/b', key: 'f'.repeat(32), names: ['ä b', 'c'] };
    const uri = lentUri(parts);
    assert.deepEqual(parseLentUri(uri), parts);
    assert.equal(isLentUri('file:///a'), false);
    assert.equal(isLentUri(uri.replace('%2F', '%2f')), false);
  });
});
