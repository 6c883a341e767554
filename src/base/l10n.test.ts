import assert from 'node:assert/strict';
import * as l10n from './l10n.ts';

describe('the language of what people see', () => {
  afterEach(() => l10n.setLanguage({ language: 'en' }));
  const files = (n: number) => l10n.plural(n, l10n.t`${l10n.countText(n)} file`, l10n.t`${l10n.countText(n)} files`);

  it('is English where nothing is set, or a text is missing', () => {
    assert.equal(l10n.t`The host ${'a'} is away.`, 'The host a is away.');
    assert.deepEqual([files(0), files(1), files(1_200)], ['0 files', '1 file', '1,200 files']);
    assert.equal(l10n.listText(['a', 'b', 'c'], 'disjunction'), 'a, b or c');
    l10n.setLanguage({ language: 'de', texts: {} });
    assert.equal(l10n.t('Try again'), 'Try again');
  });

  it('has its own order of words, separators and plurals', () => {
    const texts = { '{0} file': '{0} Datei', '{0} files': '{0} Dateien', '{0} of {1}': 'Von {1} die Nummer {0}' };
    l10n.setLanguage({ language: 'de', texts });
    assert.deepEqual([files(0), files(1), files(1_200)], ['0 Dateien', '1 Datei', '1.200 Dateien']);
    assert.equal(l10n.t`${1} of ${2}`, 'Von 2 die Nummer 1');
    assert.equal(l10n.listText(['a', 'b', 'c']), 'a, b und c');
    assert.equal(l10n.dateFormat({ month: 'long', timeZone: 'UTC' }).format(0), 'Januar');
  });

  it('does not read what it puts into a text', () => {
    assert.equal(l10n.t`${'{1}'} and ${'$&'}`, '{1} and $&');
  });
});
