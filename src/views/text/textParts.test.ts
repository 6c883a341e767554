import assert from 'node:assert/strict';
import { textParts } from './textParts.ts';

/** The unbroken parts stand in brackets. */
const bracketed = (text: string) =>
  textParts(text)
    .map((part) => (part.isUnbroken ? `[${part.text}]` : part.text))
    .join('');

describe('The parts of a text in which no line may end', () => {
  it('are hyphens and question marks with what comes after them', () => {
    assert.equal(bracketed('rm --no-preserve'), 'rm [--n]o[-p]reserve');
    assert.equal(bracketed('a?b=c - d -'), 'a[?b]=c - d [-]');
    assert.equal(bracketed('plain words /of/a_file.ts'), 'plain words /of/a_file.ts');
  });

  it('are signs beside what is not ASCII, with the marks that belong to it', () => {
    assert.equal(bracketed('rm -rf /übungen'), 'rm [-r]f [/ü]bungen');
    assert.equal(bracketed('cat 文字/b “x” für'), 'cat 文[字/]b [“x”] für');
    assert.equal(bracketed('a/u\u0308b -e\u0301x'), 'a/u\u0308b [-e\u0301]x');
    assert.equal(bracketed('写得很长，很长'), '写得很长，很长');
  });

  it('are short and few, and nothing of the text is lost', () => {
    for (const text of ['a-'.repeat(10_000), '-'.repeat(10_000), '/ü'.repeat(10_000), 'a-b '.repeat(10_000)]) {
      const parts = textParts(text);
      assert.equal(parts.map((part) => part.text).join(''), text);
      assert.ok(parts.length < 1_010);
      assert.ok(parts.every((part) => !part.isUnbroken || part.text.length <= 14));
    }
    assert.deepEqual(textParts(''), []);
  });
});
