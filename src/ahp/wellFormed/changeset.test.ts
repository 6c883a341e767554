import assert from 'node:assert/strict';
import type { ChangesetState } from '../channels/changeset.ts';
import { wellFormedChangeset } from './changeset.ts';

describe('wellFormedChangeset', () => {
  it('offers nothing for changes of which a file cannot be read', () => {
    const file = { id: 'a', edit: { after: { uri: 'file:///a', content: { uri: 'file:///a' } } } };
    const operations = [{ id: 'discard', label: 'Discard all', scopes: ['changeset'], status: 'idle' }];
    const state = { status: 'ready', files: [file], operations } as unknown as ChangesetState;
    assert.equal(wellFormedChangeset(state).files.length, 1);
    const shown = wellFormedChangeset({ ...state, files: [file, { id: 'b' }] } as ChangesetState);
    assert.deepEqual([shown.status, shown.files, shown.operations], ['error', [], []]);
    assert.match(shown.error?.message ?? '', /1 file here/);
    const twice = wellFormedChangeset({ ...state, files: [file, { ...file, reviewed: true }] } as ChangesetState);
    assert.deepEqual([twice.files, twice.operations], [[], []], 'a review or an operation for one would be for the other');
  });
});
