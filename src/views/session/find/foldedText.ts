/** Between texts that do not continue each other, such as two paragraphs. No query has it. */
export const GAP = '\0';

/** In lower case, with a blank for each white space. It is as long as the text, so that a place in one is a place in the other. */
export function foldedText(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text.replace(/./gsu, sameLength)).replace(/\s/g, ' ');
}

/** What is looked for. Empty: nothing. */
export function foldedQuery(query: string): string {
  return foldedText(query.slice(0, MAX_QUERY)).replaceAll(GAP, '');
}

const MAX_QUERY = 1_000;

function sameLength(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}
