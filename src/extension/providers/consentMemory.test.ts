import assert from 'node:assert/strict';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import { ConsentMemory } from './consentMemory.ts';

describe('what was decided about providers', () => {
  it('is kept until it is forgotten', async () => {
    const storage = new MemoryStorage();
    const memory = new ConsentMemory(storage);
    await memory.set('ci', true);
    await memory.set('page', false);
    assert.deepEqual([memory.get('ci'), memory.get('page'), memory.get('other')], [true, false, undefined]);
    assert.deepEqual(new ConsentMemory(storage).providers, ['ci', 'page']);
    await memory.set('ci', undefined);
    assert.deepEqual([memory.get('ci'), memory.providers], [undefined, ['page']]);
  });

  it('follows what is decided elsewhere, so that an older answer is not given again', async () => {
    const memory = new ConsentMemory(new MemoryStorage());
    await memory.set('ci', true);
    await memory.follow('ci', false);
    await memory.follow('other', true);
    assert.deepEqual([memory.get('ci'), memory.get('other')], [false, undefined]);
    await memory.follow('ci', undefined);
    assert.equal(memory.get('ci'), undefined);
  });

  it('is nothing for a name that every object has, and for what is no decision', async () => {
    const storage = new MemoryStorage();
    await storage.update('tapline.providerConsents', { ci: 'yes' });
    const memory = new ConsentMemory(storage);
    assert.deepEqual([memory.get('ci'), memory.get('constructor'), memory.get('__proto__')], [undefined, undefined, undefined]);
  });
});
