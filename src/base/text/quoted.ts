/** Values in a text on which the user decides: two different ones never look the same, and none reads as words of ours. */
/** In characters of the text that is quoted. Editors stop drawing a line that is very long. */
const LINE_LENGTH = 60;
const JSON_LENGTH = 80;
const PROGRAM_LENGTH = 1_000;
/** What cannot be seen, or turns the direction of its neighbours. */
const unseen = String.raw`(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;
/** The blocks of scripts that are written from right to left. */
const rightToLeft = String.raw`[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
const UNSEEN = new RegExp(unseen, 'gu');
const HIDDEN = new RegExp(`${unseen}|${rightToLeft}`, 'gu');

/** Before what goes on in another line. */
export interface LineWords {
  readonly further: string;
  readonly nextLine: string;
}
const ENGLISH: LineWords = { further: 'followed by', nextLine: 'next line' };

/** A long value goes on in the next lines. */
export function field(label: string, value: string, { further } = ENGLISH): string[] {
  return pieces(value, LINE_LENGTH).map((piece, at) => `    ${at === 0 ? label : `  ${further}`} ${quoted(piece)}`);
}

/** Sentences, line by line. Words that are written from right to left can be read; they stay within their quotes. */
export function prose(label: string, text: string, { further, nextLine } = ENGLISH): string[] {
  return text.split('\n').flatMap((line, lineAt) =>
    pieces(line, LINE_LENGTH).map((piece, at) => {
      const before = at > 0 ? `  ${further}` : lineAt > 0 ? `  ${nextLine}` : label;
      return `    ${before} ${coded(JSON.stringify(piece), UNSEEN)}`;
    }),
  );
}

/** A JSON value on lines of its own. A long line goes on after “…”, with which no line of JSON begins. */
export function json(label: string, value: unknown): string[] {
  const lines = JSON.stringify(value, undefined, 2).split('\n');
  const shown = lines.flatMap((line) => pieces(coded(line, HIDDEN), JSON_LENGTH).map((piece, at) => (at === 0 ? piece : `…${piece}`)));
  return [`    ${label}`, ...shown.map((line) => `      ${line}`)];
}

/** The text of a program, line by line. A long line goes on after “…”. Tabs stay. */
export function program(text: string): string {
  const lines = text.split(/\r\n|\n/).flatMap((line) => {
    const shown = line.split('\t').map((part) => coded(part, HIDDEN));
    return pieces(shown.join('\t'), PROGRAM_LENGTH).map((piece, at) => (at === 0 ? piece : `…${piece}`));
  });
  return lines.join('\n');
}

export function quoted(text: string): string {
  return coded(JSON.stringify(text), HIDDEN);
}

/** A name within a sentence, which it cannot end: “page”. */
export function named(name: string): string {
  return `“${coded(quoted(name).slice(1, -1), /[“”„‟]/gu)}”`;
}

function coded(text: string, which: RegExp): string {
  return text.replace(which, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** At least one. */
function pieces(text: string, length: number): string[] {
  const characters = [...text];
  const all = [characters.slice(0, length).join('')];
  for (let at = length; at < characters.length; at += length) all.push(characters.slice(at, at + length).join(''));
  return all;
}
