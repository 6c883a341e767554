import assert from 'node:assert/strict';
import { lentUri } from '../../../ahp/lentFiles.ts';
import { lentNote } from './lentFile.ts';

describe('an attachment that is lent', () => {
  const uri = lentUri({ clientId: 'window-1', key: 'a'.repeat(32), names: ['notes.txt'] });

  it('says to whom, and no longer than it is', () => {
    const now = lentNote(uri, false, 'build-box', { clientId: 'window-1', uris: [uri] });
    assert.equal(now?.note, 'lent to build-box');
    assert.match(now.detail, /^This file is on this computer\. build-box can read it while .* until you take it back/);
    const later = lentNote(uri, true, 'build-box', { clientId: 'window-1', uris: [] });
    assert.equal(later?.note, 'no longer lent');
    assert.match(later.detail, /^This folder, with what is in it, was lent, and build-box cannot read it any more/);
  });

  it('says nothing of this window about what another one lends', () => {
    for (const lending of [undefined, { clientId: 'window-2', uris: [] }])
      assert.equal(lentNote(uri, false, 'build-box', lending)?.note, 'lent by another window');
    assert.equal(lentNote('file:///work/a.ts', false, 'build-box', { clientId: 'window-1', uris: [] }), undefined);
  });
});
