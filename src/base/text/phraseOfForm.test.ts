import assert from 'node:assert/strict';
import { english } from './phrase.ts';
import { phraseOfForm, type Shape } from './phraseOfForm.ts';

describe('a phrase of a record', () => {
  const any: Shape = { source: '[^]*?' };
  const word: Shape = { source: String.raw`\S+` };

  it('has the values that stood in it', () => {
    const form = '{0} is at {1} now, and was at {2}.';
    assert.deepEqual(phraseOfForm('a/b is at main now, and was at dev.', form, [any, word, word])?.values, ['a/b', 'main', 'dev']);
    // Only one border fits the shapes.
    assert.deepEqual(phraseOfForm('a is at b c is at main now, and was at dev.', form, [any, word, word])?.values, [
      'a is at b c',
      'main',
      'dev',
    ]);
    assert.deepEqual(phraseOfForm('nothing stands in it', 'nothing stands in it', []), { text: 'nothing stands in it', values: [] });
    assert.deepEqual(phraseOfForm('why: ', 'why: {0}', [any])?.values, ['']);
  });

  it('is none of another form', () => {
    for (const text of ['', 'a is at b now', 'is at now, and was at .', ' is at  now, and was at', 'x. a is at b, and was at c'])
      assert.equal(phraseOfForm(text, '{0} is at {1} now, and was at {2}.', [any, any, any]), undefined, text);
    assert.equal(phraseOfForm('aba', 'ab{0}ba', [any]), undefined);
    assert.equal(phraseOfForm('nothing', 'nothing more', []), undefined);
    assert.equal(phraseOfForm('x+', 'x+', [])?.text, 'x+');
    assert.equal(phraseOfForm('xx', 'x+', []), undefined);
  });

  it('has the same value where a shape says so, and none that cannot be read', () => {
    const same: Shape = { source: String.raw`\k<v0>` };
    assert.deepEqual(phraseOfForm('a or a', '{0} or {1}', [word, same])?.values, ['a', 'a']);
    assert.equal(phraseOfForm('a or b', '{0} or {1}', [word, same]), undefined);
    const even: Shape = { source: String.raw`\d+`, read: (text) => (Number(text) % 2 === 0 ? Number(text) : undefined) };
    assert.deepEqual(phraseOfForm('2 times', '{0} times', [even])?.values, [2]);
    assert.equal(phraseOfForm('3 times', '{0} times', [even]), undefined);
  });

  it('says the same, whatever its values hold', () => {
    for (const text of ['{0} has {1}, and {1}', 'a, and b, and c', '\n, and '])
      assert.equal(english(phraseOfForm(text, '{0}, and {1}', [any, any]) ?? ''), text);
  });
});
