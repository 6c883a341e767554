import assert from 'node:assert/strict';
import { MemoryStorage } from '../../../test/fakes/memoryStorage.ts';
import { OwnComments } from './ownComments.ts';

describe('The comments of the user', () => {
  const session = { hostId: 'h', uri: 's:/1' };
  const comment = { session, annotationId: 'a', entryId: 'e', text: 'Why?' };

  it('are known after a reload, and only as they were written', async () => {
    const storage = new MemoryStorage();
    await new OwnComments(storage).add(comment);
    const own = new OwnComments(storage);
    assert.equal(own.has(comment), true);
    for (const other of [{ text: 'Do it.' }, { entryId: 'f' }, { annotationId: 'b' }, { session: { hostId: 'i', uri: 's:/1' } }])
      assert.equal(own.has({ ...comment, ...other }), false);
  });

  it('are bounded in number: the oldest are forgotten', async () => {
    const own = new OwnComments(new MemoryStorage());
    for (let index = 0; index <= 2_000; index++) await own.add({ ...comment, entryId: String(index) });
    assert.deepEqual([own.has({ ...comment, entryId: '0' }), own.has({ ...comment, entryId: '1' })], [false, true]);
  });
});
