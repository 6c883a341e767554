/** The texts of the sources in other languages. Those of the manifest are tested beside its tables. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceTexts } from '../../scripts/sourceTexts.mjs';
import { languages } from '../../src/extension/manifest/manifestParts.ts';

type Bundle = Record<string, string | { message: string; comment: string[] }>;
const root = join(import.meta.dirname, '../..');
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Bundle;
const messageOf = (text: Bundle[string] = '') => (typeof text === 'string' ? text : text.message);
/** What stands for something else, and what is no language. */
const fixedParts = (text: string) => (text.match(/\{\d+\}|\btapline\.[\w.]+|`[^`]+`|https?:\/\/|command:[\w.]+/g) ?? []).sort();

describe('the texts of pages and messages', () => {
  const english = sourceTexts(root) as Bundle;

  it('are those of the sources', () => assert.deepEqual(read('l10n/bundle.l10n.json'), english, 'Run “npm run texts”.'));

  it('are whole: none begins or ends within a sentence', () => {
    const parts = Object.keys(english).filter((key) => /^[\s,;)]|[\s(]$/.test(key));
    assert.deepEqual(parts, []);
  });

  for (const language of languages)
    describe(`in ${language}`, () => {
      const texts = read(`l10n/bundle.l10n.${language}.json`);

      it('are all there, and no others', () => assert.deepEqual(Object.keys(texts), Object.keys(english), 'Run “npm run texts”.'));

      it('have the parts of the English ones', () => {
        for (const [key, text] of Object.entries(english)) {
          const parts = new Set(fixedParts(messageOf(text)));
          assert.deepEqual(new Set(fixedParts(messageOf(texts[key]))), parts, key);
        }
      });

      it('are no longer English', () => {
        const same = Object.entries(english).filter(([key, text]) => messageOf(texts[key]) === messageOf(text));
        const words = (text: string) => text.match(/\p{L}{2,}/gu)?.length ?? 0;
        assert.deepEqual(
          same.map(([key]) => key).filter((key) => words(key) > 2),
          [],
        );
      });
    });
});
