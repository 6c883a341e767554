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
      recorded: [] as FileEdit[],
      recordEdits(edits: readonly FileEdit[]) {
        this.recorded.push(...edits);
        return Promise.resolve();
      },
      storeContent(data: string | Uint8Array) {
        const uri = `session-db:${contents.size}`;
        contents.set(uri, String(data));
        return { uri };
      },
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

  it('are told with what each step found and what it left, and not where it changed nothing', async () => {
    const host = hostOfSession();
    const files = new SessionFiles(host);
    const write = async (name: string, text: string) => {
      const path = join(folder, name);
      const plan = await files.plan(path, text);
      writeFileSync(path, text);
      return await files.done(plan);
    };
    writeFileSync(join(folder, 'a.ts'), 'first');
    const told = [await write('a.ts', 'second'), await write('b.ts', 'new')];
    assert.equal(await write('b.ts', 'new'), undefined);
    assert.deepEqual(host.recorded, told);
    assert.deepEqual(
      host.recorded.map(({ before, after }) => [host.textOf(before), host.textOf(after)]),
      [
        ['first', 'second'],
        [undefined, 'new'],
      ],
    );
  });

  it('are told at once where a command changed them', async () => {
    const host = hostOfSession();
    const [made, same] = [join(folder, 'made.ts'), join(folder, 'same.ts')];
    writeFileSync(made, 'made');
    writeFileSync(same, 'same');
    const gone = join(folder, 'gone.ts');
    const edits = await new SessionFiles(host).changed([
      { path: made, before: undefined },
      { path: same, before: Buffer.from('same') },
      { path: gone, before: Buffer.from('was here') },
    ]);
    assert.deepEqual(host.recorded, edits);
    assert.deepEqual(
      edits.map(({ before, after }) => [host.textOf(before), host.textOf(after)]),
      [
        [undefined, 'made'],
        ['was here', undefined],
      ],
    );
  });
});
