import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestTexts, rawManifest } from '../../../test/support/manifest.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { languages, manifestParts } from './manifestParts.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
const english = manifestTexts();

/** As they stand on a German keyboard. */
const germanKeys: Readonly<Record<string, string>> = { Strg: 'Ctrl', Umschalt: 'Shift', Eingabetaste: 'Enter', Rücktaste: 'Backspace' };
const inEnglishKeys = (text: string) => text.replaceAll(/Strg|Umschalt|Eingabetaste|Rücktaste/g, (key) => germanKeys[key] ?? key);

/** What a text holds that is no language: links, code, and what stands for something else. In the order of the alphabet. */
function fixedParts(text: string): string[] {
  const links = Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target);
  const code = Array.from(text.matchAll(/`[^`]+`/g), ([part]) => part);
  const keys = Array.from(
    inEnglishKeys(text).matchAll(/\b(?:Ctrl|Cmd)\+[\w+]+|⇧?⌘\w+|https?:\/\/|wss?:\/\/|ws\+unix:[\w/.]*/g),
    ([part]) => part,
  );
  return [...links, ...code, ...keys].sort();
}

/** Without links, code, names of products, and words that mean something else there. */
function wordsOf(text: string): string {
  return text.replaceAll(/\]\([^)]*\)|`[^`]*`|Chat Completions|Turn O(?:n|ff)\b|server calls/g, ' ');
}

describe('the texts of the manifest', () => {
  it('are those of the tables, in English', () => assert.deepEqual(english, manifestParts().texts, 'Run “npm run manifest”.'));

  it('are all behind keys', () => {
    const { contributes, description, capabilities } = rawManifest();
    const left: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value === 'object' && value !== null) for (const [name, one] of Object.entries(value)) look(one, `${path}/${name}`);
      const isText = /\/(?:title|name|contents|altText|label|\w*[dD]escription|enumDescriptions\/\d+|\w+ErrorMessage)$/.test(path);
      if (isText && typeof value === 'string' && !/^%.+%$/.test(value) && value !== 'Tapline') left.push(`${path}: ${value}`);
    };
    look({ contributes, description, capabilities }, '');
    assert.deepEqual(left, []);
  });

  it('do not use one key for two', () => {
    const used = JSON.stringify(rawManifest()).match(/"%[^"%]+%"/g) ?? [];
    assert.deepEqual(used.length, Object.keys(english).length);
  });

  it('say what the translations were made from', () => {
    const made = read('translatedFrom.json') as Record<string, string>;
    const stale = Object.entries(english).flatMap(([key, text]) => (made[key] === sha256(text).slice(0, 8) ? [] : [key]));
    assert.deepEqual(stale, [], 'Translate these in each language, then run “npm run manifest -- --translated”.');
    assert.deepEqual(Object.keys(made).sort(), Object.keys(english).sort());
  });

  for (const language of languages)
    describe(`in ${language}`, () => {
      const texts = manifestTexts(language);

      it('are all there, and no others', () => assert.deepEqual(Object.keys(texts), Object.keys(english)));

      it('have the links, the code and the keys of the English ones', () => {
        for (const [key, text] of Object.entries(english)) assert.deepEqual(fixedParts(texts[key] ?? ''), fixedParts(text), key);
      });

      it('name a command as the palette does', () => {
        let found = 0;
        for (const [key, text] of Object.entries(texts))
          for (const [, title, id = ''] of text.matchAll(/\[Tapline: ([^\]]+)\]\(command:tapline\.(\w+)\)/g)) {
            found++;
            assert.equal(title, texts[`command.${id}`], key);
          }
        assert.ok(found > 10);
      });

      it('end a title with “…” where there is more to say', () => {
        for (const [key, text] of Object.entries(english))
          if (key.startsWith('command.')) assert.equal(texts[key]?.endsWith('…'), text.endsWith('…'), key);
      });

      it('have different titles for different commands', () => {
        const titles = Object.entries(texts).flatMap(([key, text]) => (key.startsWith('command.') ? [text] : []));
        const twice = titles.filter((title, at) => titles.indexOf(title) !== at);
        assert.deepEqual(twice, []);
      });

      it('are no longer English', () => {
        const same = Object.entries(texts).flatMap(([key, text]) => (text === english[key] ? [text] : []));
        for (const text of same) assert.ok(text.split(' ').length <= 2, text);
      });

      it('use the words of the glossary', () => {
        const others: string[] = [];
        for (const [word, of] of Object.entries(read('glossary.json') as Record<string, Record<string, string>>)) {
          const meant = new RegExp(`\\b${word}s?\\b`, 'i');
          const wanted = of[language]?.toLowerCase() ?? '-';
          for (const [key, text] of Object.entries(english))
            if (meant.test(wordsOf(text)) && !texts[key]?.toLowerCase().includes(wanted)) others.push(`${key}: ${wanted}`);
        }
        assert.deepEqual(others, []);
      });
    });
});
