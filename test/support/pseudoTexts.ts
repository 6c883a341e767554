/** A language for tests: every text is marked, and longer by a third, as texts often are in other languages. */
import { join } from 'node:path';
import { sourceTexts } from '../../scripts/sourceTexts.mjs';
import type { DisplayLanguage } from '../../src/base/l10n.ts';

const accents: Record<string, string> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú' };

export const BEGIN = '⟦';
export const END = '⟧';

function pseudo(text: string): string {
  const accented = text.replaceAll(/\{\d+\}|[aeiouAEIOU]/g, (found) => accents[found] ?? found);
  return `${BEGIN}${accented}${'·'.repeat(Math.ceil(text.length / 3))}${END}`;
}

export function pseudoLanguage(): DisplayLanguage {
  const texts = Object.entries(sourceTexts(join(import.meta.dirname, '../..')));
  // English in all that Intl writes.
  return {
    language: 'en',
    texts: Object.fromEntries(texts.map(([key, text]) => [key, pseudo(typeof text === 'string' ? text : text.message)])),
  };
}
