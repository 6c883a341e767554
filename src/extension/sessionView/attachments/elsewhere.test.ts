import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isLentUri, lentFilesMeta } from '../../../ahp/lentFiles.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { LentFiles } from '../../lending/lentFiles.ts';
import { attachedElsewhere, type FileHere } from './elsewhere.ts';

type Host = Parameters<typeof attachedElsewhere>[0];

describe('a file of this computer for a host elsewhere', () => {
  let folder: string;
  let lent: LentFiles;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-elsewhere-')));
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'notes.txt'), 'Buy milk');
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0, 1]));
    lent = new LentFiles('window-1');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function file(name: string): FileHere {
    const path = join(folder, name);
    const isFolder = statSync(path).isDirectory();
    const read = async () => (isFolder ? readdirSync(path) : readFileSync(path));
    return { uri: pathToFileURL(path).href, path, label: path, isFolder, size: isFolder ? 0 : statSync(path).size, read };
  }
  /** `shared`: what the host has as well. */
  function host(dialect: 'v1' | 'channels', { reads = false, shared = [] as string[] } = {}): Host {
    const command = async (_method: string, { uri }: { uri: string }) => {
      if (!shared.includes(basename(uri))) throw new RpcError(-32008, 'not found');
      return { data: readFileSync(new URL(uri)).toString('base64'), encoding: 'base64' };
    };
    const client = { command, dialect: { name: dialect }, hostMeta: reads ? lentFilesMeta : {} };
    return { client: client as unknown as Host['client'], label: 'build-box', lent };
  }
  const attached = (to: Host, ...names: string[]) => attachedElsewhere(to, 'copilot:/1', names.map(file), 8_000);

  it('is lent by attaching it, under its name alone, where the host reads what is lent', async () => {
    for (const dialect of ['v1', 'channels'] as const) {
      const { attachments, context } = await attached(host(dialect, { reads: true }), 'notes.txt', 'docs');
      assert.equal(context, undefined);
      assert.deepEqual(
        attachments.map(({ label, displayKind, uri }) => [label, displayKind, isLentUri(uri)]),
        [
          ['notes.txt', 'file', true],
          ['docs', 'directory', true],
        ],
      );
      assert.ok(!JSON.stringify(attachments).includes(encodeURIComponent(basename(folder))), 'where it is, is not told');
    }
    assert.deepEqual(
      lent.all.map(({ path }) => path),
      ['notes.txt', 'docs'].map((name) => join(folder, name)),
      'once for the session, however often it is attached',
    );
    truncateSync(join(folder, 'bytes'), 6_000_000);
    await assert.rejects(attached(host('channels', { reads: true }), 'notes.txt', 'bytes'), /was not lent/);
    assert.equal(lent.all.length, 2, 'what was lent before stays');
    const [notes] = lent.all;
    assert.ok(notes);
    // It was attached twice, and the third time came to nothing.
    lent.release(notes.uri);
    assert.ok(lent.all.includes(notes));
    lent.release(notes.uri);
    assert.ok(!lent.all.includes(notes));
  });

  it('goes as it is where the host has the same, and is not lent', async () => {
    const { attachments } = await attached(host('channels', { reads: true, shared: ['notes.txt'] }), 'notes.txt');
    assert.deepEqual(
      attachments.map(({ uri }) => uri),
      [file('notes.txt').uri],
    );
    assert.deepEqual(lent.all, []);
  });

  it('is refused when it is a link, also where it would go along as text', async () => {
    symlinkSync('notes.txt', join(folder, 'link.txt'));
    symlinkSync('docs', join(folder, 'guides'));
    const isLink = { name: 'UserError', message: /^“(link\.txt|guides)” is a link to .*(notes\.txt|docs)\. Attach that instead/ };
    await assert.rejects(attached(host('v1'), 'link.txt'), isLink);
    for (const name of ['link.txt', 'guides']) await assert.rejects(attached(host('v1', { reads: true }), 'notes.txt', name), isLink);
    assert.deepEqual(lent.all, []);
  });

  it('goes along as text where nobody knows that the host reads what is lent', async () => {
    for (const dialect of ['v1', 'channels'] as const)
      assert.deepEqual(await attached(host(dialect), 'notes.txt'), {
        attachments: [],
        context: {
          items: [{ provider: 'this computer', title: 'notes.txt', text: 'The file “notes.txt” of the user’s own computer:\n\nBuy milk' }],
          budget: 8_000,
          problems: [],
        },
      });
    assert.deepEqual(lent.all, []);
  });

  it('is lent where it is no small text and the protocol of the host can ask for it, and otherwise refused', async () => {
    truncateSync(join(folder, 'notes.txt'), 400_001);
    for (const name of ['bytes', 'docs', 'notes.txt']) {
      const { attachments } = await attached(host('channels'), name);
      assert.equal(isLentUri(attachments[0]?.uri ?? ''), true, name);
      await assert.rejects(attached(host('v1'), name), /^UserError: build-box does not have .* as on this computer/);
    }
    assert.equal(lent.all.length, 3);
  });

  it('is attached with all others or not at all', async () => {
    truncateSync(join(folder, 'bytes'), 6_000_000);
    await assert.rejects(attached(host('channels', { reads: true }), 'notes.txt', 'bytes'), /“bytes” was not lent: it has 6 MB/);
    await assert.rejects(attached(host('v1'), 'notes.txt', 'docs'), /does not have docs/);
    assert.deepEqual(lent.all, []);
  });
});
