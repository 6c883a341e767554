import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ImageStore } from './imageStore.ts';

describe('Pasted images', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-images-'));
  after(() => rmSync(folder, { recursive: true }));

  it('are files that only the user reads, equal ones once', async () => {
    const store = new ImageStore(join(folder, 'one'));
    const path = await store.save(Buffer.from('first'), 'image/png');
    assert.match(path, /image-[0-9a-f]{16}\.png$/);
    assert.equal(readFileSync(path, 'utf8'), 'first');
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(await store.save(Buffer.from('first'), 'image/png'), path);
    assert.notEqual(await store.save(Buffer.from('other'), 'image/jpeg'), path);
  });

  it('are kept within a bound: the oldest goes, not one that is used again', async () => {
    const store = new ImageStore(join(folder, 'two'), 25);
    const [first, second] = [await store.save(Buffer.alloc(10, 1), 'image/png'), await store.save(Buffer.alloc(10, 2), 'image/png')];
    utimesSync(first, 1, 1);
    utimesSync(second, 2, 2);
    await store.save(Buffer.alloc(10, 1), 'image/png');
    const third = await store.save(Buffer.alloc(10, 3), 'image/png');
    assert.deepEqual([first, second, third].map(existsSync), [true, false, true]);
  });
});
