import assert from 'node:assert/strict';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { MemoryStorage } from '../../../../test/fakes/memoryStorage.ts';
import { atRest } from '../../../../test/fakes/eventually.ts';
import { nullLogger } from '../../../base/log.ts';
import { KeptMap } from './keptMap.ts';

describe('A map that outlives the window', () => {
  let storage: MemoryStorage;
  let clock: FakeClock;
  let errors: (string | Error)[];
  const load = () =>
    new KeptMap<string>(
      { storage, clock, logger: { ...nullLogger, error: (text) => errors.push(text) } },
      { key: 'k', limit: 2, is: (value): value is string => typeof value === 'string' },
    );
  beforeEach(() => {
    storage = new MemoryStorage();
    clock = new FakeClock();
    errors = [];
  });

  it('writes what is not urgent with the next write, or after a moment', async () => {
    const map = load();
    map.put('a', '1');
    map.writeSoon();
    map.entries.delete('a');
    map.put('b', '2');
    map.writeSoon();
    assert.deepEqual([storage.writes, clock.pending], [0, 1]);
    clock.advance(250);
    assert.deepEqual([storage.writes, storage.get('k')], [1, { b: '2' }]);
    map.put('c', '3');
    map.writeSoon();
    await map.write();
    assert.deepEqual([storage.writes, storage.get('k')], [2, { b: '2', c: '3' }]);
    clock.advance(1_000);
    assert.deepEqual([storage.writes, clock.pending], [2, 0], 'nothing was left');
  });

  it('writes nothing at the end', () => {
    const map = load();
    map.put('a', '1');
    map.writeSoon();
    map.dispose();
    assert.deepEqual([storage.writes, clock.pending], [0, 0]);
  });

  it('writes once more what was to be written with a write that failed', async () => {
    const map = load();
    map.writeSoon();
    map.put('a', '1');
    storage.failure = new Error('the disk is full');
    await assert.rejects(async () => map.write(), storage.failure);
    storage.failure = undefined;
    clock.advance(250);
    assert.deepEqual(storage.get('k'), { a: '1' });
  });

  it('keeps the newest, and reads what fits', async () => {
    await storage.update('k', { a: '1', b: 2 });
    const map = load();
    assert.deepEqual([...map.entries], [['a', '1']]);
    map.put('b', '2');
    map.put('a', '3');
    map.put('c', '4');
    assert.deepEqual([...map.entries.keys()], ['a', 'c']);
  });

  it('says what could not be kept: who waits for it, or the log', async () => {
    const map = load();
    storage.failure = new Error('the disk is full');
    await assert.rejects(async () => map.write(), storage.failure);
    map.writeNow();
    map.writeSoon();
    clock.advance(250);
    await atRest();
    assert.deepEqual(errors, ['Keeping k: the disk is full', 'Keeping k: the disk is full']);
  });
});
