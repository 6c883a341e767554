import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idKeyShape, newIdKey } from '../tools/callIds.ts';
import { keptIdKey } from './idKey.ts';

describe('the key of call ids', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-key-'));
  const path = join(folder, 'key');
  after(() => rmSync(folder, { recursive: true }));

  it('is the one that was left, and a new one where there is none, or something else', () => {
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
