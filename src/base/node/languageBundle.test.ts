import assert from 'node:assert/strict';
import { join } from 'node:path';
import { knownLanguage, readLanguage } from './languageBundle.ts';

describe('the texts of a language', () => {
  const folder = join(import.meta.dirname, '../../../l10n');

  it('are read by its name', () => {
    assert.equal(readLanguage(folder, 'de').texts?.['Try Again'], 'Erneut versuchen');
    assert.equal(knownLanguage(folder, 'zh-CN')?.language, 'zh-cn');
  });

  it('are the English ones for every other name', () => {
    for (const wanted of [undefined, true, '', 'en', 'xx', 'de.json', '../../package', '../l10n/bundle.l10n.de', 'd'.repeat(1_000)])
      assert.equal(knownLanguage(folder, wanted), undefined, String(wanted).slice(0, 40));
    assert.throws(() => readLanguage(folder, '../de'), /is not the name of a language/);
  });
});
