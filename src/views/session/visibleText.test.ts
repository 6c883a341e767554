import assert from 'node:assert/strict';
import { visibleText } from './visibleText.ts';

describe('visibleText', () => {
  const shown = (text: string) =>
    visibleText(text)
      .map((segment) => (segment.unseen ? `<${segment.text}>` : segment.text))
      .join('');

  it('leaves ordinary text, its tabs and line ends, and other scripts as they are', () => {
    for (const text of ['', 'npm test', 'a\n\tb\r\nc', 'größe 日本語 שלום 🙂']) assert.deepEqual(visibleText(text), [{ text }]);
  });

  it('names what turns the direction, hides, or overwrites', () => {
    assert.equal(shown('rm \u202e/ fr-\u202c x'), 'rm <U+202E>/ fr-<U+202C> x');
    assert.equal(shown('echo hi\rrm -rf .'), 'echo hi<U+000D>rm -rf .');
    assert.equal(shown('a\u200bb\u00a0c\u0000\u001b[8m'), 'a<U+200B>b<U+00A0>c<U+0000><U+001B>[8m');
    assert.equal(shown('\u{e0041}\u{e0041}x'), '<U+E0041 ×2>x');
  });
});
