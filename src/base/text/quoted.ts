/** Values in a text on which the user decides: two different ones never look the same. */
/** In characters of the text that is quoted. Editors stop drawing a line that is very long. */
const LINE_LENGTH = 60;
/** What cannot be seen, and what is written from right to left and would reorder its neighbours. */
const HIDDEN =
  /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;

/** A long value goes on in the next lines. */
export function field(label: string, value: string): string[] {
  const characters = [...value];
  const pieces = [characters.slice(0, LINE_LENGTH)];
  for (let at = LINE_LENGTH; at < characters.length; at += LINE_LENGTH) pieces.push(characters.slice(at, at + LINE_LENGTH));
  return pieces.map((piece, at) => `    ${at === 0 ? label : '  followed by'} ${quoted(piece.join(''))}`);
}

export function quoted(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
