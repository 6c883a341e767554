/**
 * Texts that are made where no language is known: in a library, whose programs read English, or in a process that stores them. They keep what
 * stands in them apart, so that who shows them can say them in another language. `npm run texts` finds them beside those of `l10n.t`.
 */

/** `text`: English, with `{0}` for the first of `values`. Plain JSON, so it may cross to another process. */
export interface Phrase {
  readonly text: string;
  readonly values: readonly Words[];
}

/** A string is said as it is: a name, a path, or the words of somebody else. */
export type Words = Phrase | string;

/** A tag, such as `` phrase`${name} has restarted.` ``. */
export function phrase(parts: TemplateStringsArray, ...values: readonly (Words | number)[]): Phrase {
  return {
    text: parts.reduce((text, part, at) => `${text}{${at - 1}}${part}`),
    values: values.map((value) => (typeof value === 'number' ? String(value) : value)),
  };
}

type Say = (text: string, values: readonly string[]) => string;

const sayInEnglish: Say = (text, values) => text.replace(/\{(\d+)\}/g, (place, at: string) => values[Number(at)] ?? place);
let sayHere = sayInEnglish;

/** Sets the language of people here: how {@link said} says a phrase with its values. */
export function sayPhrases(say: Say): void {
  sayHere = say;
}

/** For programs, models and logs. */
export function english(words: Words): string {
  return inWords(words, sayInEnglish);
}

/** For people. English until {@link sayPhrases}. */
export function said(words: Words): string {
  return inWords(words, sayHere);
}

/** With all strings in it replaced. */
export function withValues(words: Words, replace: (value: string) => string): Words {
  if (typeof words === 'string') return replace(words);
  return { text: words.text, values: words.values.map((value) => withValues(value, replace)) };
}

function inWords(words: Words, say: Say): string {
  return typeof words === 'string'
    ? words
    : say(
        words.text,
        words.values.map((value) => inWords(value, say)),
      );
}
