/** Texts of strangers in a Markdown document, so that none of them swallows or imitates what comes after it. */
import MarkdownIt from 'markdown-it';

/** In a fence that is longer than any within. */
export function fenced(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}

export function quoted(text: string): string {
  return `> ${text.replace(/\r\n|\r|\n/g, '\n> ')}`;
}

/** Words in a line, with nothing of them read as Markdown. They must be one line already. */
export function escaped(words: string): string {
  const inline = words.replace(/[\\`*[\]<>|~&]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
  // At its beginning the line could be a heading, a list or a rule.
  return inline.replace(/^(?:(?=[-+#])|\d{1,9}(?=[.)]))/, '$&\\');
}

const blocks = new MarkdownIt({ html: true });
// Where a block ends does not depend on what is in its lines.
blocks.core.ruler.enableOnly(['normalize', 'block']);
/** A longer text is not parsed. In characters. */
const MAX_PARSED = 200_000;

/**
 * Markdown after which a heading is one. A code block without an end gets one, as the answer of a turn that was stopped has; anything else
 * that would not end is quoted.
 */
export function closed(markdown: string): string {
  if (!/```|~~~|</.test(markdown)) return markdown;
  if (markdown.length > MAX_PARSED) return quoted(markdown);
  const last = lastBlock(markdown);
  if (last?.type === 'heading_close') return markdown;
  if (last?.type !== 'fence') return quoted(markdown);
  const withEnd = `${markdown}\n${last.markup}`;
  return lastBlock(withEnd)?.type === 'heading_close' ? withEnd : quoted(markdown);
}

/** With a heading behind the text. */
function lastBlock(markdown: string) {
  return blocks.parse(`${markdown}\n\n# x`, {}).findLast(({ level }) => level === 0);
}
