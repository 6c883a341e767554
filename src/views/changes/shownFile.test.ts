import assert from 'node:assert/strict';
import type { ChangesetState } from '../../ahp/channels/changeset.ts';
import { shownFile } from './shownFile.ts';

describe('the file that an editor shows', () => {
  const side = (content: string) => ({ uri: 'file:///a', content: { uri: content } });
  const input = (uri: string, edit: object, scopes = ['changeset', 'resource', 'range']) => ({
    listed: { uri, label: uri, canReview: false },
    state: {
      status: 'ready',
      files: [{ id: 'a', edit }],
      operations: [{ id: 'discard', label: 'Discard', scopes, status: 'idle' }],
    } as ChangesetState,
    canReview: false,
  });
  const found = (inputs: ReturnType<typeof input>[], sides: { before?: string; after: string }) =>
    shownFile(inputs, sides)?.input.listed.uri;

  it('is that of the changeset with the same two contents, not of one that shares a side', () => {
    const session = input('session', { before: side('1'), after: side('3') });
    const turn = input('turn', { before: side('2'), after: side('3') });
    assert.equal(found([session, turn], { before: '2', after: '3' }), 'turn');
    assert.equal(found([session, turn], { before: '1', after: '3' }), 'session');
    assert.equal(found([session, turn], { before: '1', after: '2' }), undefined);
    assert.equal(found([session], { after: '3' }), undefined, 'one side is not the difference');
  });

  it('is one that was created only where its host discards whole files, and another one only where it discards parts', () => {
    const created = (...scopes: string[]) => found([input('x', { after: side('1') }, scopes)], { after: '1' });
    assert.deepEqual([created('resource'), created('range')], ['x', undefined]);
    const changed = (...scopes: string[]) =>
      found([input('x', { before: side('1'), after: side('2') }, scopes)], { before: '1', after: '2' });
    assert.deepEqual([changed('range'), changed('resource')], ['x', undefined]);
  });
});
