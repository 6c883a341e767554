import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileEdit, FileEditSide } from '../../../../ahp/common/shapes.ts';
import { SessionFiles } from './sessionFiles.ts';

describe('The files of a session', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** The host's side of every chat of one session. */
  const hostOfSession = () => {
    const contents = new Map<string, string>();
    return {
      changes: [] as readonly FileEdit[],
      setChanges(edits: FileEdit[]) {
        this.changes = edits;
      },
      storeContent(data: string | Uint8Array) {
        const uri = `session-db:${contents.size}`;
        contents.set(uri, String(data));
        return { uri };
      },
      readContent: (uri: string) => Buffer.from(contents.get(uri) ?? ''),
      textOf: (side: FileEditSide | undefined) => side && contents.get(side.content.uri),
    };
  };
  async function counted(before: readonly string[], after: readonly string[]) {
    const path = join(folder, 'a.ts');
    writeFileSync(path, `${before.join('\n')}\n`);
    return (await new SessionFiles(hostOfSession()).plan(path, `${after.join('\n')}\n`)).edit.diff;
  }
  const lines = Array.from({ length: 2100 }, (_, index) => `line ${index}`);

  it('count two changed lines that are far apart as two', async () => {
    assert.deepEqual(await counted(lines, lines.with(1, 'import').with(2096, 'use')), { added: 2, removed: 2 });
  });

  it('count a rewritten file exactly, and do not count what cannot be compared', async () => {
    assert.deepEqual(
      await counted(
        lines,
        lines.map((line) => `new ${line}`),
      ),
      { added: 2100, removed: 2100 },
    );
    assert.equal(await counted(lines, lines.toReversed()), undefined);
  });

  it('have their first content, also where several chats or an earlier run have changed them', async () => {
    const host = hostOfSession();
    const write = async (files: SessionFiles, name: string, text: string) => {
      const path = join(folder, name);
      const plan = await files.plan(path, text);
      writeFileSync(path, text);
      await files.done(plan);
    };
    const shown = () => host.changes.map(({ before, after }) => [host.textOf(before), host.textOf(after)]);
    const [one, other] = [new SessionFiles(host), new SessionFiles(host)];
    writeFileSync(join(folder, 'a.ts'), 'first');
    await write(one, 'a.ts', 'second');
    await write(other, 'a.ts', 'third');
    assert.deepEqual(shown(), [['first', 'third']]);
    await write(other, 'b.ts', 'new');
    await write(one, 'b.ts', 'newer');
    assert.deepEqual(
      shown().sort(),
      [
        ['first', 'third'],
        [undefined, 'newer'],
      ].sort(),
    );
    await write(new SessionFiles(host), 'a.ts', 'first');
    assert.deepEqual(shown(), [[undefined, 'newer']], 'a file that is as it was is not shown');
  });
});
