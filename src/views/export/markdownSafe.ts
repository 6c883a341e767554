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

/** Levels of headings that the document has for itself: its title and its turns. */
const OWN_LEVELS = 2;

/** An answer in a document: it ends before what comes after it, and its headings are below those of the document. */
export function answered(markdown: string): string {
  if (markdown.length > MAX_PARSED) return quoted(markdown);
  return demoted(closed(markdown));
}

function demoted(markdown: string): string {
  if (!/[#=-]|<h/i.test(markdown)) return markdown;
  const lines: (string | undefined)[] = markdown.split(/\r\n?|\n/);
  const deeper = (level: number) => Math.min(6, level + OWN_LEVELS);
  for (const { type, tag, map, level, markup } of blocks.parse(markdown, {})) {
    if (!map) continue;
    const [from, to] = map;
    if (type === 'html_block') {
      for (let at = from; at < to; at++)
        lines[at] = lines[at]?.replace(/(<\/?h)([1-6])(?=[\s>/])/gi, (_, begin: string, n: string) => begin + deeper(Number(n)));
    } else if (type === 'heading_open' && level === 0) {
      const marks = '#'.repeat(deeper(Number(tag.slice(1))));
      if (markup.startsWith('#')) lines[from] = lines[from]?.replace(/#+/, marks);
      else {
        // Underlined: a heading of the lower levels is one line.
        lines[from] = `${marks} ${lines
          .slice(from, to - 1)
          .join(' ')
          .trim()}`;
        lines.fill(undefined, from + 1, to);
      }
    }
  }
  return lines.filter((line) => line !== undefined).join('\n');
}

/** With a heading behind the text. */
function lastBlock(markdown: string) {
  return blocks.parse(`${markdown}\n\n# x`, {}).findLast(({ level }) => level === 0);
}
