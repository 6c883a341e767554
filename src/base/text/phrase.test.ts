import assert from 'node:assert/strict';
import { TimeoutError, UserError, messageOf, wordsOf } from '../errors.ts';
import { english, type Language, phrase, phraseFrom, said, sayPhrases, withValues } from './phrase.ts';

const texts: Readonly<Record<string, string>> = {
  'The way to {0} is closed: {1}': '{1}: Der Weg zu {0} ist zu',
  'nobody answered': 'niemand antwortete',
  '{0} did not finish within {1} s': '{0} dauerte länger als {1} s',
};
const german: Language = {
  text: (text) => texts[text] ?? text,
  number: (value) => value.toLocaleString('de'),
};

describe('a phrase of another process', () => {
  it('is taken as it is where it is one', () => {
    const words = phrase`${1} of ${phrase`two ${'x'}`}`;
    assert.deepEqual(phraseFrom(JSON.parse(JSON.stringify(words))), words);
  });

  it('is no longer than what has come, and takes no names for values', () => {
    const longest = phraseFrom({ text: '{0}{1}', values: ['x'.repeat(2_000), { text: '{0}', values: ['y'.repeat(2_000)] }] });
    assert.equal(said(longest ?? '').length, 4_000);
    assert.equal(said(phraseFrom({ text: '{length} {constructor} {0}', values: ['x'] }) ?? ''), '{length} {constructor} x');
  });

  it('is none where it has another form, or is too large', () => {
    const deep = Array.from({ length: 6 }).reduce<object>((inner) => ({ text: '{0}', values: [inner] }), { text: '', values: [] });
    const wrong = ['x', null, {}, { text: 'x' }, { text: 1, values: [] }, { text: 'x', values: [null] }, { text: 'x', values: [{}] }, deep];
    const large = [
      { text: 'x'.repeat(10_000), values: [] },
      { text: '', values: Array.from({ length: 100 }, String) },
      { text: '{0}'.repeat(600), values: [{ text: '{0}'.repeat(600), values: ['x'.repeat(1_400)] }] },
    ];
    for (const value of [...wrong, ...large]) assert.equal(phraseFrom(value), undefined, JSON.stringify(value).slice(0, 80));
  });
});

describe('a phrase', () => {
  const closed = phrase`The way to ${'box {1}'} is closed: ${phrase`nobody answered`}`;

  afterEach(() => sayPhrases({ text: (text) => text, number: english }));

  it('is English for programs, and its values are said as they are', () => {
    assert.equal(english(closed), 'The way to box {1} is closed: nobody answered');
    assert.equal(said(closed), english(closed), 'nobody has set a language');
    assert.equal(said('box {0}'), 'box {0}');
  });

  it('is said in the language of people, with the phrases in it', () => {
    sayPhrases(german);
    assert.equal(said(closed), 'niemand antwortete: Der Weg zu box {1} ist zu');
    assert.equal(english(closed), 'The way to box {1} is closed: nobody answered');
  });

  it('keeps what is replaced in its values', () => {
    assert.equal(english(withValues(closed, (value) => value.replace('box', '…'))), 'The way to … {1} is closed: nobody answered');
  });

  it('is what an error says to people, and not what it says to programs', () => {
    sayPhrases(german);
    const error = new UserError(closed);
    assert.equal(messageOf(error), 'niemand antwortete: Der Weg zu box {1} ist zu');
    assert.equal(error.message, 'The way to box {1} is closed: nobody answered');
    assert.equal(messageOf(new TimeoutError(phrase`nobody answered`, 2_000_000)), 'niemand antwortete dauerte länger als 2.000 s');
    assert.equal(wordsOf(new Error('as it is')), 'as it is');
  });
});
