import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileResult } from './fileResult.ts';

const MAX = 32 * 1024 * 1024;

describe('a file result', () => {
  it('is at most 32 MB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tapline-files-'));
    const path = join(folder, 'large');
    writeFileSync(path, '');
    const read = (size: number) => {
      truncateSync(path, size);
      return readFileResult({ path, mimeType: 'm', size, ttl: 300 }, folder);
    };
    const whole = await read(MAX);
    assert.ok(whole.ok && 'file' in whole && whole.file.size === MAX);
    const larger = await read(MAX + 1);
    assert.ok(!larger.ok && larger.errorCode === 'PAYLOAD_TOO_LARGE');
    rmSync(folder, { recursive: true });
  }).timeout(20_000);
});
