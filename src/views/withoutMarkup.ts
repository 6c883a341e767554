/** A text as VS Code's pickers and notifications must take it: as nothing but text. */

/**
 * They make icons of `$(name)` and links (of commands too) of `[text](address)`. A mark without width goes in between, so that a
 * host can neither fake one of our icons nor put a command under the user's cursor.
 */
export function withoutMarkup(text: string): string {
  return text.replace(/\$(?=\([\w-]+(?:~\w+)?\))/g, '$\u200b').replaceAll('](', ']\u200b(');
}
