import assert from 'node:assert/strict';
import { effectOf } from './writeEffect.ts';

const head = (before: string, after: string) =>
  `\ndiff --git a${before} b${after}\nindex 0000000..0000000 100644\n--- a${before}\n+++ b${after}\n`;

describe('what a write of the engine does', () => {
  it('is a change where both sides have the name', () => {
    assert.deepEqual(effectOf('/w/a b.txt', head('/w/a b.txt', '/w/a b.txt')), { kind: 'changes' });
    assert.deepEqual(effectOf('/w/x/../a', head('/w/a', '/w/a')), { kind: 'changes' });
    assert.deepEqual(effectOf('/w/a\nb', head('/w/a\nb', '/w/a\nb')), { kind: 'changes' });
  });

  it('is a deletion, or a move with the place that the file leaves', () => {
    assert.deepEqual(effectOf('/w/a', head('/w/a', '/dev/null')), { kind: 'deletes' });
    assert.deepEqual(effectOf('/w/b', head('/w/a', '/w/b')), { kind: 'moves', from: '/w/a' });
    assert.deepEqual(effectOf('/w/b', head('/w/a b/w/b', '/w/b')), { kind: 'moves', from: '/w/a b/w/b' });
  });

  it('is not guessed', () => {
    for (const diff of ['', '--- a/w/b\n+++ b/w/b\n', head('/w/a', '/w/c'), `x${head('/w/b', '/w/b')}`, head('', '/w/b')])
      assert.equal(effectOf('/w/b', diff), undefined, diff);
    assert.equal(effectOf('/w/b', `\nBinary files differ${head('/w/a', '/w/b')}`), undefined);
  });
});
