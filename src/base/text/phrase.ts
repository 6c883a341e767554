/**
 * Texts that are made where no language is known: in a library, whose programs read English, or in a process that stores them. They keep what
 * stands in them apart, so that who shows them can say them in another language. `npm run texts` finds them beside those of `l10n.t`.
 */

import { isRecord } from '../isRecord.ts';

/** `text`: English, with `{0}` for the first of `values`. Plain JSON, so it may cross to another process. */
export interface Phrase {
  readonly text: string;
  readonly values: readonly Words[];
}

/** A string is said as it is: a name, a path, a code, or the words of somebody else. A number is a quantity. */
export type Words = Phrase | string | number;

/** A tag, such as `` phrase`${name} has restarted.` ``. */
export function phrase(parts: TemplateStringsArray, ...values: readonly Words[]): Phrase {
  return { text: parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`), values };
}

/** How phrases, with their values, and numbers are said. */
export interface Language {
  /** In place of the English text, with the same places for values. */
  text(text: string): string;
  number(value: number): string;
}

const inEnglish: Language = {
  text: (text) => text,
  number: (value) => value.toLocaleString('en'),
};
let here = inEnglish;

/** Sets the language of the people here. */
export function sayPhrases(language: Language): void {
  here = language;
}

/** For programs, models and logs. */
export function english(words: Words): string {
  return inWords(words, inEnglish);
}

/** For people. English until {@link sayPhrases}. */
export function said(words: Words): string {
  return inWords(words, here);
}

/** With all strings in it replaced. */
export function withValues(words: Words, replace: (value: string) => string): Words {
  if (typeof words === 'string') return replace(words);
  return typeof words === 'number' ? words : { text: words.text, values: words.values.map((value) => withValues(value, replace)) };
}

const PLACE = /\{(\d+)\}/g;
/** In characters, in values, and in phrases within each other. */
const MAX_TEXT = 2_000;
const MAX_VALUES = 10;
const MAX_DEPTH = 5;

/**
 * Of another process. Undefined for what is none, or is too large to be one. Each value has one place at most, so that what is said is no longer than
 * what has come.
 */
export function phraseFrom(value: unknown, depth = MAX_DEPTH): Phrase | undefined {
  if (!isRecord(value) || depth === 0) return undefined;
  const { text, values } = value;
  if (typeof text !== 'string' || text.length > MAX_TEXT || !Array.isArray(values) || values.length > MAX_VALUES) return undefined;
  const places = text.match(PLACE) ?? [];
  if (new Set(places).size < places.length) return undefined;
  const known = values.map((one: unknown) => {
    if (typeof one === 'number') return one;
    return typeof one === 'string' ? one.slice(0, MAX_TEXT) : phraseFrom(one, depth - 1);
  });
  return known.every((one) => one !== undefined) ? { text, values: known } : undefined;
}

function inWords(words: Words, language: Language): string {
  if (typeof words === 'string') return words;
  if (typeof words === 'number') return language.number(words);
  const values = words.values.map((value) => inWords(value, language));
  return language.text(words.text).replace(PLACE, (place, at: string) => values[Number(at)] ?? place);
}
