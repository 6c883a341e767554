import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileResult } from '../../tap/provider/providerApi.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { LargeResults } from './largeResults.ts';

describe('results that go as files', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-large-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('get through where an old one cannot be removed, which is told', async () => {
    const old = join(folder, 'results', 'old');
    mkdirSync(old, { recursive: true });
    utimesSync(old, 0, 0);
    const told: unknown[] = [];
    const large = new LargeResults((error) => told.push(error));
    const result = await large.resultOf({ content: [], text: 'x'.repeat(Limit.toolResultBytes) }, folder);
    assert.ok(result instanceof FileResult && existsSync(result.file.path));
    large.dispose();
    while (told.length === 0) await new Promise(setImmediate);
    assert.equal((told[0] as NodeJS.ErrnoException).code, 'ERR_FS_EISDIR');
    while (readdirSync(join(folder, 'results')).length > 1) await new Promise(setImmediate);
  });
});
