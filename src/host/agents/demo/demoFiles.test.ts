import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileEdit, FileEditSide } from '../../../ahp/common/shapes.ts';
import { DemoFiles } from './demoFiles.ts';

describe('The files that the demo agent changes', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-demo-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const hostOfSession = () => {
    const contents = new Map<string, string>();
    let count = 0;
    return {
      workingDirectory: folder,
      changes: [] as readonly FileEdit[],
      setChanges(edits: FileEdit[]) {
        this.changes = edits;
      },
      storeContent(data: string | Uint8Array) {
        const uri = `session-db:${count++}`;
        contents.set(uri, String(data));
        return { uri };
      },
      readContent: (uri: string) => (contents.has(uri) ? Buffer.from(contents.get(uri) ?? '') : undefined),
      contents,
      textOf: (side: FileEditSide | undefined) => side && contents.get(side.content.uri),
    };
  };
  const append = async (files: DemoFiles, name: string, line: string) => assert.ok(await files.apply(await files.planAppend(name, line)));

  it('are among those of the session with their first and their newest content, also from several chats', async () => {
    const host = hostOfSession();
    const [one, other] = [new DemoFiles(host), new DemoFiles(host)];
    writeFileSync(join(folder, 'a.md'), 'first\n');
    await append(one, 'a.md', 'second');
    await append(other, 'new.md', 'begin');
    await append(other, 'a.md', 'third');
    await append(one, 'new.md', 'end');
    assert.deepEqual(
      host.changes.map(({ before, after, diff }) => [host.textOf(before), host.textOf(after), diff?.added]),
      [
        ['first\n', 'first\nsecond\nthird\n', 2],
        [undefined, 'begin\nend\n', 2],
      ],
    );
    assert.equal(readFileSync(join(folder, 'a.md'), 'utf8'), 'first\nsecond\nthird\n');
  });

  it('begin anew where the first content is not kept any more, and leave the others alone', async () => {
    const host = hostOfSession();
    const gone: FileEdit = { after: { uri: 'file:///gone', content: { uri: 'session-db:gone' } } };
    host.changes = [gone];
    writeFileSync(join(folder, 'a.md'), 'first\n');
    await append(new DemoFiles(host), 'a.md', 'second');
    host.contents.clear();
    await append(new DemoFiles(host), 'a.md', 'third');
    assert.deepEqual(host.changes[0], gone);
    assert.deepEqual(
      host.changes.slice(1).map(({ before, after }) => [host.textOf(before), host.textOf(after)]),
      [['first\nsecond\n', 'first\nsecond\nthird\n']],
    );
  });
});
