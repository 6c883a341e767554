import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commandText } from '../../../test/support/commands.ts';
import { textOf } from '../../../test/support/visibleSegments.ts';
import { visibleText } from './visibleText.ts';
import { runs } from '../../../test/support/runs.ts';

describe('visibleText', () => {
  const shown = (text: string, goesOn?: boolean) =>
    visibleText(text, goesOn)
      .map(({ text: part, unseen, tab, rightToLeft }) =>
        unseen ? `<${part}>` : tab ? `<${part.length} tab>` : rightToLeft ? `<${part}>` : part,
      )
      .join('');

  it('leaves ordinary text, its line ends, and other scripts as they are', () => {
    for (const text of ['', 'npm test', 'a\n  b\n', 'größe 日本語 🙂']) assert.deepEqual(visibleText(text), [{ text }]);
  });

  it('names what turns the direction, hides, or overwrites', () => {
    assert.equal(shown('rm \u202e/ fr-\u202c x'), 'rm <U+202E>/ fr-<U+202C> x');
    assert.equal(shown('echo hi\rrm -rf .'), 'echo hi<U+000D>rm -rf .');
    assert.equal(shown('a\u200bb\u00a0c\u0000\u001b[8m'), 'a<U+200B>b<U+00A0>c<U+0000><U+001B>[8m');
    assert.equal(shown('\u{e0041}\u{e0041}x'), '<U+E0041 ×2>x');
    assert.equal(shown('\u2800\u3000\u180b\ue000\ud800'), '<U+2800><U+3000><U+180B><U+E000><U+D800>');
  });

  it('tells line ends, tabs and spaces at the end of a line apart', () => {
    assert.equal(shown('a\r\nb'), 'a<U+000D>\nb');
    assert.equal(shown('cat <<-X\n\tX\n  X'), 'cat <<-X\n<1 tab>X\n  X');
    // A space after the backslash makes the next line a command of its own.
    assert.equal(shown('docker run x \\  \n  rm -rf /'), 'docker run x \\<U+0020 ×2>\n  rm -rf /');
    assert.equal(shown('x '), 'x<U+0020>');
    assert.equal(shown('Ran ', true), 'Ran ');
  });

  it('sets words apart that are written from right to left', () => {
    assert.equal(shown('mv שלום 1 2'), 'mv <שלום> 1 2');
    assert.equal(shown('mv של\u200fום'), 'mv <של><U+200F><ום>');
  });

  it('is different for every text', () => {
    fc.assert(
      fc.property(fc.oneof(commandText, fc.string({ unit: 'binary' })), (text) => assert.equal(textOf(visibleText(text)), text)),
      {
        numRuns: runs(2000),
      },
    );
  });

  it('takes time in proportion to the text', () => {
    for (const unit of [' ', '\t', '\u200b', 'a \u200b', '\u05d0', ' \n']) {
      const started = performance.now();
      visibleText(unit.repeat(200_000));
      assert.ok(performance.now() - started < 2_000, JSON.stringify(unit));
    }
  });
});
