/** The language of the pages, which is the first one of the browser that there is. The interface for programs is English. */
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { type DisplayLanguage, PAGE_LANGUAGE } from '../../../base/l10n.ts';
import { readLanguage } from '../../../base/node/languageBundle.ts';

/** A script, because the texts must be there before those of the page are loaded. */
export const LANGUAGE_PATH = '/language.js';

const LANGUAGES = ['en', 'de', 'zh-cn'] as const;
type Language = (typeof LANGUAGES)[number];

export function readLanguages(folder: string): Record<Language, DisplayLanguage> {
  const read = (language: Language): DisplayLanguage => (language === 'en' ? { language } : readLanguage(folder, language));
  return Object.fromEntries(LANGUAGES.map((language) => [language, read(language)])) as Record<Language, DisplayLanguage>;
}

export function languageScript(language: DisplayLanguage): string {
  return `globalThis.${PAGE_LANGUAGE} = ${JSON.stringify(language)};\ndocument.documentElement.lang = ${JSON.stringify(language.language)};\n`;
}

export function languageOf(c: Context): Language {
  return accepts(c, {
    header: 'Accept-Language',
    supports: [...LANGUAGES],
    default: 'en',
    match: (wanted) => wanted.toSorted((a, b) => b.q - a.q).flatMap(({ type, q }) => (q > 0 ? ofTag(type) : []))[0] ?? 'en',
  }) as Language;
}

/** `de-AT` is German, and `zh-TW` is not Simplified Chinese. */
function ofTag(tag: string): Language[] {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    if (language === 'zh') return script === 'Hans' ? ['zh-cn'] : [];
    return LANGUAGES.filter((known) => known === language);
  } catch {
    // `*` and what is no tag.
    return [];
  }
}
