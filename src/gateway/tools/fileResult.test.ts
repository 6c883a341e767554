import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESULT_FILE_TYPE } from '../../tap/wire/resultContent.ts';
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

  it('that holds a result as JSON becomes that result', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tapline-files-'));
    const path = join(folder, 'result.json');
    const read = (content: string) => {
      writeFileSync(path, content);
      return readFileResult({ path, mimeType: RESULT_FILE_TYPE, size: Buffer.byteLength(content), ttl: 300 }, folder);
    };
    assert.deepEqual(await read('{"content":[{"type":"text","text":"ä"}]}'), {
      ok: true,
      data: { content: [{ type: 'text', text: 'ä' }] },
    });
    for (const [content, why] of [
      ['{', /not JSON/],
      ['[]', /a message is a JSON object/],
      [`{"a":${'['.repeat(100_000)}`, /deeper than 200 levels/],
    ] as const) {
      const outcome = await read(content);
      assert.ok(!outcome.ok && why.test(outcome.error), content.slice(0, 20));
    }
    rmSync(folder, { recursive: true });
  });
});
