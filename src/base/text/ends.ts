/**
 * Cuts texts in a time that grows with their length alone. A pattern for the end of a text, such as `/\/+$/`, begins anew at every character
 * that might be part of it.
 */

/** Without those characters at its end, however many there are. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** All before the first line feed. */
export function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}
