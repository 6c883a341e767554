/** Text that VS Code's pickers and notifications show literally, and Markdown that loads nothing. */

/**
 * They turn `$(name)` into an icon, and `[text](address)` into a link, which may run a command. A zero-width character in between prevents both,
 * so a host cannot imitate our icons or offer a command.
 */
export function withoutMarkup(text: string): string {
  return text.replace(/\$(?=\([\w-]+(?:~\w+)?\))/g, '$\u200b').replaceAll('](', ']\u200b(');
}

/** Markdown whose images are links: an image is loaded when it is shown, which tells its server who looks at what. */
export function withoutImages(markdown: string): string {
  // A backslash would be undone by one that stands before it.
  return markdown.replaceAll('![', '&#33;[');
}
