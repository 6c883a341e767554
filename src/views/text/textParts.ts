/**
 * Where a browser would end a line within a word of a command, and must not: `rm --no-` looks whole and is not, nor is `rm -rf /` before a name that
 * begins with an umlaut.
 */

/** Characters. More of them could be wider than a page. */
const MAX_LENGTH = 12;
/** What comes after so many is left as it is, because each is an element of the page. */
const MAX_PARTS = 1_000;

export interface TextPart {
  text: string;
  /** No line may end in it. */
  isUnbroken: boolean;
}

const clusters = /[^][\p{M}\u200d]*/gu;
const hyphen = /^[\p{Pd}?]/u;
const letter = /^[\p{L}\p{N}]/u;
const isAscii = (character: string) => character < '\u0080';

/** Browsers have a table of their own for ASCII, and rules for all languages beside other characters. Letters of any kind are kept together by styles. */
function endsLine(before: string, after: string): boolean {
  if (/^\s/.test(before) || /^\s/.test(after)) return false;
  return hyphen.test(before) || (isAscii(before) !== isAscii(after) && !(letter.test(before) && letter.test(after)));
}

/** All of the text, in order. A hyphen at its end is a part, as it may go on in another element. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  const add = (start: number, end: number) => {
    if (start > done) parts.push({ text: text.slice(done, start), isUnbroken: false });
    if (end > start) parts.push({ text: text.slice(start, end), isUnbroken: true });
    done = end;
  };
  let start = 0;
  let end = 0;
  let before = '';
  for (const { 0: character, index } of text.matchAll(clusters)) {
    const next = index + character.length;
    if (before !== '' && endsLine(before, character)) {
      const from = index - before.length;
      if (from > end || next - start > MAX_LENGTH) {
        add(start, end);
        start = Math.max(from, done);
      }
      end = next;
      if (parts.length > MAX_PARTS) return [...parts, { text: text.slice(done), isUnbroken: false }];
    }
    before = character;
  }
  add(start, end);
  if (end < text.length && hyphen.test(before)) add(text.length - before.length, text.length);
  else add(text.length, text.length);
  return parts;
}
