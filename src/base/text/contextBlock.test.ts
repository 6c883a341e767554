import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ContextPart, splitContext, withContext } from './contextBlock.ts';

describe('The context block', () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('<', '/', 'part', '</part>', '\n', '</tapline-context>', '&lt;', '&amp;', '<part kind="push">', '"', 'x'))
      .map((pieces) => pieces.join('')),
  );
  const oneLine = text.map((value) => value.replace(/[\n\r]/g, ' '));
  const part: fc.Arbitrary<ContextPart> = fc.record(
    { kind: fc.constantFrom('context', 'startup', 'section', 'hook', 'push'), provider: oneLine, name: oneLine, content: text },
    { requiredKeys: ['kind', 'provider', 'content'], noNullPrototype: true },
  );

  it('gives back parts and words exactly, whatever a provider has written', () => {
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), text, (parts, words) => {
        assert.deepEqual(splitContext(withContext(parts, words)), { parts, words });
      }),
    );
  });

  it('is not there without parts', () => {
    assert.equal(withContext([], 'do it'), 'do it');
    assert.deepEqual(splitContext('do it'), { parts: [], words: 'do it' });
  });

  it('takes what is no whole block for words', () => {
    for (const words of [
      '<tapline-context>\n',
      '<tapline-context>\n</tapline-context>\n\nx',
      '<tapline-context>\n<part kind="other" provider="p">\nx\n</part>\n</tapline-context>',
      '<tapline-context>\n<part kind="push" provider="p">\nx\n</part>\n',
      ` ${withContext([{ kind: 'context', provider: 'p', content: 'x' }], 'y')}`,
    ])
      assert.deepEqual(splitContext(words), { parts: [], words });
  });
});
