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
      recorded: [] as FileEdit[],
      recordEdits(edits: readonly FileEdit[]) {
        this.recorded.push(...edits);
        return Promise.resolve();
      },
      storeContent(data: string | Uint8Array) {
        const uri = `session-db:${count++}`;
        contents.set(uri, String(data));
        return { uri };
      },
      textOf: (side: FileEditSide | undefined) => side && contents.get(side.content.uri),
    };
  };
  const append = async (files: DemoFiles, name: string, line: string) => assert.ok(await files.apply(await files.planAppend(name, line)));

  it('are told with what each step found and what it left', async () => {
    const host = hostOfSession();
    const [one, other] = [new DemoFiles(host), new DemoFiles(host)];
    writeFileSync(join(folder, 'a.md'), 'first\n');
    await append(one, 'a.md', 'second');
    await append(other, 'new.md', 'begin');
    await append(other, 'a.md', 'third');
    assert.deepEqual(
      host.recorded.map(({ before, after, diff }) => [host.textOf(before), host.textOf(after), diff?.added]),
      [
        ['first\n', 'first\nsecond\n', 1],
        [undefined, 'begin\n', 1],
        ['first\nsecond\n', 'first\nsecond\nthird\n', 1],
      ],
    );
    assert.equal(readFileSync(join(folder, 'a.md'), 'utf8'), 'first\nsecond\nthird\n');
  });

  it('are not told of where the file has changed since the change was prepared', async () => {
    const host = hostOfSession();
    const files = new DemoFiles(host);
    writeFileSync(join(folder, 'a.md'), 'first\n');
    const plan = await files.planAppend('a.md', 'second');
    writeFileSync(join(folder, 'a.md'), 'other\n');
    assert.equal(await files.apply(plan), false);
    assert.deepEqual(host.recorded, []);
  });
});
