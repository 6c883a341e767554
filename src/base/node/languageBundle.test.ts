import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

  describe('in a folder that does not have them all', () => {
    let parent: string;
    let own: string;
    beforeEach(() => {
      parent = mkdtempSync(join(tmpdir(), 'tapline-texts-'));
      own = join(parent, 'l10n');
      mkdirSync(own);
      writeFileSync(join(parent, 'package.json'), '{"Try Again": "outside"}');
      writeFileSync(join(own, 'bundle.l10n.de.json'), '{"Try Again": "Ern');
    });
    afterEach(() => rmSync(parent, { recursive: true }));

    it('are none of another folder', () => {
      assert.equal(knownLanguage(own, '../../../package'), undefined);
    });

    it('are told to be missing, or broken, where others than the English ones are wanted', () => {
      const troubles: string[] = [];
      for (const wanted of ['de', 'fr', '../../package', undefined, 'en', 'en-us', 'EN'])
        assert.equal(
          knownLanguage(own, wanted, (why) => troubles.push(why)),
          undefined,
        );
      assert.equal(troubles.length, 3);
      assert.match(troubles[0] ?? '', /JSON/);
      assert.match(troubles[1] ?? '', /ENOENT.*bundle\.l10n\.fr\.json/);
      assert.match(troubles[2] ?? '', /is not the name of a language/);
    });
  });
});
