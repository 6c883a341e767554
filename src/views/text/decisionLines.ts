/** Lines of a text on which the user decides, in their language. What strangers wrote is quoted, as `base/text/quoted.ts` says. */
import * as l10n from '../../base/l10n.ts';
import { field, type LineWords, named, prose } from '../../base/text/quoted.ts';

const WIDTH = 78;
/** A word, or a Chinese character, with the punctuation and the spaces beside it. */
const UNDIVIDED = /[“（《]*(?:\p{Script=Han}|[^\s\p{Script=Han}“（《]+)[”）》，。：；、]*\s*|\S\s*/gu;
const words: LineWords = { further: l10n.t('followed by'), nextLine: l10n.t('next line') };

export function fieldLines(label: string, value: string): string[] {
  return field(label, value, words);
}

export function proseLines(label: string, text: string): string[] {
  return prose(label, text, words);
}

/** A paragraph of ours. Documents do not break lines by themselves. */
export function wrapped(paragraph: string): string[] {
  const lines = [''];
  let width = 0;
  for (const piece of paragraph.match(UNDIVIDED) ?? []) {
    const needed = widthOf(piece.trimEnd());
    if (width > 0 && width + needed > WIDTH) {
      lines.push('');
      width = 0;
    }
    lines[lines.length - 1] += piece;
    width += widthOf(piece);
  }
  return lines.map((line) => line.trimEnd());
}

/** Chinese characters and their punctuation are as wide as two letters. */
function widthOf(text: string): number {
  return text.length + (text.match(/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/gu)?.length ?? 0);
}

/** A name within a sentence, which it cannot end, in the quotes of the language: “page”. */
export function namedText(name: string): string {
  return l10n.t`“${named(name).slice(1, -1)}”`;
}

/** What the codes in quoted texts are. */
export const CODES = l10n.t('A character that cannot be seen is written as \\u{…}.');
