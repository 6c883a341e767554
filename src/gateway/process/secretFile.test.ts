import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Grants } from '../trust/tokenGrants.ts';
import { readKeptToken, writeSecretFile } from './secretFile.ts';

describe('A token that is kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-secret-'));
  const path = join(folder, 'token');
  const { fileToken } = new Grants();
  beforeEach(() => writeSecretFile(path, fileToken));
  after(() => rmSync(folder, { recursive: true }));

  it('is read from a private file', () => {
    assert.deepEqual(readKeptToken(path), { token: fileToken });
    assert.deepEqual(readKeptToken(join(folder, 'none')), {});
  });

  it('is not used where others could have read or written it, through a link, or in another shape', function () {
    if (process.platform === 'win32') this.skip();
    const isRefused = () => {
      const { token, problem } = readKeptToken(path);
      assert.deepEqual([token, problem?.includes(path), problem?.includes(fileToken)], [undefined, true, false]);
    };
    chmodSync(path, 0o640);
    isRefused();
    rmSync(path);
    writeSecretFile(join(folder, 'elsewhere'), fileToken);
    symlinkSync(join(folder, 'elsewhere'), path);
    isRefused();
    for (const text of ['', 'ptk-short', `${fileToken}x`, `own-${fileToken.slice(4)}`, `${fileToken}\n${fileToken}`]) {
      writeSecretFile(path, text);
      isRefused();
    }
    rmSync(path);
    writeFileSync(path, `${fileToken}\n`, { mode: 0o600 });
    assert.deepEqual(readKeptToken(path), { token: fileToken }, 'an editor may have added the end of the line');
  });
});
