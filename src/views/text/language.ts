/**
 * The language that people see: texts by `l10n.t`, and what is written around them by Intl. English until a shell sets another one, which it does before it
 * loads anything else. What a host, a model, a file or a log gets is English.
 */
import * as l10n from '@vscode/l10n';

/** Until a language is set, numbers are English and dates are as the system writes them. */
let locale: string | undefined;

/**
 * @param language BCP 47, such as `de` or `zh-cn`.
 * @param texts By the English text, as `l10n/bundle.l10n.de.json` has them. Absent for English.
 */
export function setLanguage(language: string, texts: Record<string, string> | undefined): void {
  const { locale: ofSystem } = new Intl.DateTimeFormat().resolvedOptions();
  // A system of the same language also says how its region writes dates.
  locale = ofSystem.split('-')[0] === language ? ofSystem : language;
  l10n.config({ contents: texts ?? {} });
}

/** A number with the separators of the language. */
export function countText(count: number, options?: Intl.NumberFormatOptions): string {
  return count.toLocaleString(locale ?? 'en', options);
}

/**
 * Both are whole texts, such as `` plural(n, l10n.t`${countText(n)} file`, l10n.t`${countText(n)} files`) ``. The languages that we have need no third one.
 */
export function plural(count: number, one: string, other: string): string {
  return new Intl.PluralRules(locale ?? 'en').select(count) === 'one' ? one : other;
}

/** One after the other, with the space between them that the language has. */
export function sentencesText(sentences: readonly string[]): string {
  const [first = '', ...others] = sentences;
  return others.reduce((text, sentence) => l10n.t({ message: '{0} {1}', comment: 'two sentences', args: [text, sentence] }), first);
}

/** “a, b and c”, or “a, b or c”. */
export function listText(items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(locale ?? 'en-GB', { type }).format(items);
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
