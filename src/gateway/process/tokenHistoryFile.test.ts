import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTokenHistory, writeTokenHistory } from './tokenHistoryFile.ts';

describe('The file with the hashes of tokens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-history-'));
  const path = join(folder, 'tokens.json');
  after(() => rmSync(folder, { recursive: true }));
  const tokens = [{ digest: 'a'.repeat(64), port: 9400, names: ['ci'] }];

  it('is for the user alone, and read as it was written', () => {
    assert.deepEqual(readTokenHistory(path), []);
    writeTokenHistory(path, tokens);
    assert.deepEqual(readTokenHistory(path), tokens);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('counts as none where it was damaged, or others could have written it', function () {
    for (const text of ['', '{}', '[', '[1]', JSON.stringify([{ ...tokens[0], digest: 'short' }])]) {
      writeFileSync(path, text);
      assert.deepEqual(readTokenHistory(path), []);
    }
    if (process.platform === 'win32') this.skip();
    writeTokenHistory(path, tokens);
    chmodSync(path, 0o660);
    assert.deepEqual(readTokenHistory(path), []);
  });
});
