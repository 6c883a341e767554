/** The texts of a language, as VS Code gets them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { englishOf } from '../errors.ts';
import type { DisplayLanguage } from '../l10n.ts';

/** Such as `de` or `zh-cn`. It names a file. */
const LANGUAGE = /^[a-z]{2,3}(-[a-z]{2,4})?$/;
const ENGLISH = /^en(-|$)/i;

/** Throws for a language without texts. `folder`: with `bundle.l10n.de.json` and the others. */
export function readLanguage(folder: string, language: string): DisplayLanguage {
  if (!LANGUAGE.test(language)) throw new Error(`${JSON.stringify(language.slice(0, 20))} is not the name of a language`);
  return { language, texts: JSON.parse(readFileSync(join(folder, `bundle.l10n.${language}.json`), 'utf8')) as DisplayLanguage['texts'] };
}

/** Undefined, and so English, for all that has no texts. `onTrouble` gets why, for a log, where another language is wanted. */
export function knownLanguage(folder: string, wanted: unknown, onTrouble?: (why: string) => void): DisplayLanguage | undefined {
  if (typeof wanted !== 'string' || ENGLISH.test(wanted)) return undefined;
  try {
    return readLanguage(folder, wanted.toLowerCase());
  } catch (error) {
    onTrouble?.(`English, because there are no texts of the language that is wanted: ${englishOf(error)}`);
    return undefined;
  }
}
