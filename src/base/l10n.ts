/**
 * The language that people see: texts by `l10n.t`, and by Intl what is written with them. English until a shell sets another one. What a host, a model, a file
 * or a log gets is English (docs/languages.md).
 */
import * as l10n from '@vscode/l10n';
import { sayPhrases } from './text/phrase.ts';

export interface DisplayLanguage {
  /** BCP 47, such as `de` or `zh-cn`. */
  language: string;
  /** By the English text and its comment, as `l10n/bundle.l10n.de.json` has them. Absent for English. */
  texts?: Readonly<l10n.l10nJsonFormat>;
}

/** Where the document of a page puts it, because texts are read while the page's script is loaded. */
export const PAGE_LANGUAGE = 'taplineLanguage';

/** Of dates. Until a language is set they are as the system writes them. */
let locale: string | undefined;
/** Of numbers, plurals and lists. */
let words = 'en';
// Made once, because that takes longer than to use them.
let numbers = new Intl.NumberFormat('en');
let plurals = new Intl.PluralRules('en');

export const { t } = l10n;

/** Before anything is loaded that has texts. */
export function setLanguage({ language, texts }: DisplayLanguage): void {
  const { locale: ofSystem } = new Intl.DateTimeFormat().resolvedOptions();
  // A system of the same language also says how its region writes dates.
  locale = ofSystem.split('-')[0] === language ? ofSystem : language;
  // A language without texts is shown in English, and English sentences have English numbers and plurals.
  words = texts ? locale : 'en';
  numbers = new Intl.NumberFormat(words);
  plurals = new Intl.PluralRules(words);
  l10n.config({ contents: texts ?? {} });
  // Not by `t`, which would take names in braces for those of values.
  const translated = (text: string): string => {
    const found = texts && Object.hasOwn(texts, text) ? texts[text] : undefined;
    return typeof found === 'string' ? found : (found?.message ?? text);
  };
  sayPhrases({ text: translated, number: countText });
}

/** A number with the separators of the language. */
export function countText(count: number, options?: Intl.NumberFormatOptions): string {
  return options ? count.toLocaleString(words, options) : numbers.format(count);
}

/**
 * Both are whole texts, such as `` plural(n, l10n.t`${countText(n)} file`, l10n.t`${countText(n)} files`) ``. The languages that we have need no third one.
 */
export function plural(count: number, one: string, other: string): string {
  return plurals.select(count) === 'one' ? one : other;
}

/** One after the other, with the space between them that the language has. */
export function sentencesText(sentences: readonly string[]): string {
  const [first = '', ...others] = sentences;
  return others.reduce((text, sentence) => l10n.t({ message: '{0} {1}', comment: 'two sentences', args: [text, sentence] }), first);
}

/** “a, b and c”, or “a, b or c”. */
export function listText(items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  // Our English has no comma before “and”.
  const place = words.startsWith('en') ? 'en-GB' : words;
  return new Intl.ListFormat(place, { type }).format(items);
}

/** “a, b, c”, for facts beside each other. */
export function commaText(facts: readonly string[]): string {
  const [first = '', ...others] = facts;
  return others.reduce((text, fact) => l10n.t`${text}, ${fact}`, first);
}

/** Of dates and times. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, options);
}

const ofPage = (globalThis as { [PAGE_LANGUAGE]?: DisplayLanguage })[PAGE_LANGUAGE];
if (ofPage) setLanguage(ofPage);
