import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idKeyShape, newIdKey } from './callIds.ts';
import { keptIdKey } from './idKey.ts';

describe('the key of call ids', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-key-'));
  const path = join(folder, 'key');
  after(() => rmSync(folder, { recursive: true }));

  it('is the stored one, or a new one when there is none or an invalid one', () => {
    const left = newIdKey();
    const isNew = () => {
      const key = keptIdKey(path);
      return idKeyShape.test(key) && key !== left;
    };
    assert.ok(isNew());
    writeFileSync(path, left);
    assert.equal(keptIdKey(path), left);
    writeFileSync(path, `${left}\n${'x'.repeat(1000)}`);
    assert.ok(isNew());
    writeFileSync(join(folder, 'elsewhere'), left);
    rmSync(path);
    symlinkSync(join(folder, 'elsewhere'), path);
    assert.ok(isNew());
  });
});
