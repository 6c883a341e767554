import assert from 'node:assert/strict';
import { english } from './phrase.ts';
import { phraseOfForm } from './phraseOfForm.ts';

describe('a phrase of a record', () => {
  it('has the values that stood in it', () => {
    assert.deepEqual(phraseOfForm('a/b is at main now, and was at dev.', '{0} is at {1} now, and was at {2}.')?.values, [
      'a/b',
      'main',
      'dev',
    ]);
    assert.deepEqual(phraseOfForm('nothing stands in it', 'nothing stands in it'), { text: 'nothing stands in it', values: [] });
    assert.deepEqual(phraseOfForm('why: ', 'why: {0}')?.values, ['']);
  });

  it('is none of another form', () => {
    for (const text of ['', 'a is at b now', 'is at now, and was at .', ' is at  now, and was at', 'x. a is at b, and was at c'])
      assert.equal(phraseOfForm(text, '{0} is at {1} now, and was at {2}.'), undefined, text);
    assert.equal(phraseOfForm('aba', 'ab{0}ba'), undefined);
    assert.equal(phraseOfForm('nothing', 'nothing more'), undefined);
  });

  it('says the same, whatever its values hold', () => {
    for (const text of ['{0} has {1}, and {1}', 'a, and b, and c', '\n, and '])
      assert.equal(english(phraseOfForm(text, '{0}, and {1}') ?? ''), text);
  });
});
