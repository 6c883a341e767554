import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nullLogger } from '../../base/log.ts';
import { MAX_NOTE_BYTES } from './notesFolder.ts';
import { NotesProvider } from './notesProvider.ts';

describe('a folder of notes', () => {
  let root: string;
  let folder: string;
  let warnings: string[];
  let provider: NotesProvider;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tapline-notes-'));
    folder = join(root, 'notes');
    mkdirSync(folder);
    warnings = [];
    provider = new NotesProvider(folder, { ...nullLogger, warn: (text) => warnings.push(text) });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const uriOf = (path: string) => pathToFileURL(join(folder, path)).href;
  const titles = async (query?: string) => (await provider.mentions(query === undefined ? {} : { query })).map(({ title }) => title);
  const itemsOf = (content: string, uri = 'file:///work/src/a.ts') => provider.itemsOf({ uri, content });

  it('gives what is about a file, at the places that it names', async () => {
    write('marks.md', '---\npath: "**/*.ts"\ncontains: [TODO, FIXME]\n---\n# Marks\n\nUse TODO(name).');
    write('all.md', '---\npath: "**/src/*"\n---\n# Sources');
    write('other.md', '# Of no file');
    const items = await itemsOf('one\r\n  TODO FIXME\nFIXME');
    const marks = { title: 'Marks', ui: { hover: { markdown: '# Marks\n\nUse TODO(name).' } } };
    assert.deepEqual(items, [
      { title: 'Sources', ui: { hover: { markdown: '# Sources' } }, ai: { content: '# Sources' } },
      {
        ...marks,
        ai: { content: '# Marks\n\nUse TODO(name).' },
        range: { start: { line: 1, character: 2 }, end: { line: 1, character: 6 } },
      },
      { ...marks, range: { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } } },
    ]);
    assert.deepEqual(
      (await itemsOf('nothing')).map(({ title }) => title),
      ['Sources'],
    );
    assert.deepEqual(await itemsOf('TODO', 'file:///work/a.py'), []);
  });

  it('can be mentioned by words of the title or the path', async () => {
    write('deep/How to release.md', 'Text');
    write('b.md', '# Release notes');
    assert.deepEqual(await titles(), ['Release notes', 'How to release']);
    assert.deepEqual(await titles('RELEASE deep'), ['How to release']);
    assert.deepEqual(await titles('nothing'), []);
    const [mention] = await provider.mentions({ query: 'how' });
    assert.deepEqual(mention, { title: 'How to release', description: 'deep/How to release.md', uri: uriOf('deep/How to release.md') });
    assert.deepEqual(await provider.itemsOfMention(mention ?? assert.fail()), [
      { title: 'How to release', ui: { hover: { markdown: 'Text' } }, ai: { content: 'Text' } },
    ]);
  });

  it('has no other files, and no way out of it', async () => {
    writeFileSync(join(root, 'secret.md'), '# Secret');
    mkdirSync(join(root, 'elsewhere'));
    writeFileSync(join(root, 'elsewhere/secret.md'), '# Secret');
    symlinkSync(join(root, 'secret.md'), join(folder, 'link.md'));
    symlinkSync(join(root, 'elsewhere'), join(folder, 'linked'));
    for (const path of ['.hidden/a.md', 'node_modules/a.md', 'a.txt', 'md']) write(path, '# Left out');
    write('a.md', '# Here');
    assert.deepEqual(await titles(), ['Here']);
    for (const uri of [uriOf('../secret.md'), uriOf('link.md'), uriOf('a.txt'), 'file:///etc/passwd', 'nothing'])
      await assert.rejects(provider.itemsOfMention({ title: '', uri }), /There is no note/, uri);
  });

  it('finds files from its folder and the one around it, and by their names as they are read', async () => {
    write('near.md', '---\npath: src/**\n---\n# Near');
    write('spaced.md', '---\npath: "**/my notes ü.ts"\n---\n# Spaced');
    write('encoded.md', '---\npath: "**/my%20notes%20*.ts"\n---\n# Encoded');
    const about = async (uri: string) => (await itemsOf('', uri)).map(({ title }) => title);
    assert.deepEqual(await about(uriOf('../src/deep/a.ts')), ['Near']);
    assert.deepEqual(await about(uriOf('src/a.ts')), ['Near']);
    assert.deepEqual(await about(uriOf('../other/src/a.ts')), []);
    assert.deepEqual(await about('file:///elsewhere/src/a.ts'), []);
    assert.deepEqual(await about('file:///elsewhere/my%20notes%20%C3%BC.ts'), ['Encoded', 'Spaced']);
    assert.deepEqual(await about('file:///100%/a.ts'), []);
  });

  it('is as it is now', async () => {
    write('a.md', '# One');
    assert.deepEqual(await titles(), ['One']);
    write('a.md', '# Another');
    write('b.md', '# New');
    assert.deepEqual(await titles(), ['Another', 'New']);
    unlinkSync(join(folder, 'a.md'));
    assert.deepEqual(await titles(), ['New']);
  });

  it('says once what is left out, and why', async () => {
    write('huge.md', 'x'.repeat(MAX_NOTE_BYTES + 1));
    write('wrong.md', '---\npath: 3\n---\n# Wrong');
    write('slow.md', '---\npath: "../["\n---\n# Slow');
    assert.deepEqual(await titles(), ['Slow', 'Wrong']);
    await titles();
    assert.equal(warnings.length, 2);
    assert.match(warnings.join('\n'), /huge\.md is left out: a note has at most 256 KiB/);
    assert.match(warnings.join('\n'), /The heading of .*wrong\.md is ignored: path/);
  });

  it('shows the beginning of a long note, and gives all of it to agents', async () => {
    write('long.md', `---\npath: "**"\n---\n${'x'.repeat(10_000)}`);
    const [item] = await itemsOf('');
    assert.equal(item?.ui?.hover?.markdown?.length, 4_001);
    assert.equal(item?.ai?.content?.length, 10_000);
  });

  it('gives no more than clients take', async () => {
    for (let count = 0; count < 20; count++) write(`${count}.md`, `---\npath: "**"\n---\n${'x'.repeat(200_000)}`);
    const items = await itemsOf('');
    assert.ok(items.length > 5 && JSON.stringify(items).length < 2_100_000);
    write('0.md', '---\ncontains: a\n---\n');
    assert.equal((await itemsOf('a\n'.repeat(1_000))).filter(({ title }) => title === '0').length, 20);
  });
});
