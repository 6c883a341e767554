/** The text that a reader sees of Markdown, to be searched. */
import MarkdownIt from 'markdown-it';

const parser = new MarkdownIt({ html: false });
// Only the text of a link counts.
parser.validateLink = () => true;
const blockParser = new MarkdownIt({ html: false });
blockParser.core.ruler.enableOnly(['normalize', 'block']);

/** In characters. Of a longer text, and of a longer paragraph, the source is what is searched, because they take the parser long. */
const MAX_TEXT = 50_000;
const MAX_PARAGRAPH = 5_000;
/** Of a paragraph. The time for them grows much faster than their number. */
const MAX_BRACKETS = 200;

/** One text for each paragraph, heading, cell and block of code. */
export function markdownTexts(markdown: string): string[] {
  if (markdown.length > MAX_TEXT) return [markdown];
  return blockParser.parse(markdown, {}).flatMap(({ type, content }) => {
    if (type === 'fence' || type === 'code_block') return [content];
    if (type !== 'inline') return [];
    return [content.length > MAX_PARAGRAPH || content.split('[', MAX_BRACKETS + 2).length > MAX_BRACKETS + 1 ? content : inlineOf(content)];
  });
}

function inlineOf(content: string): string {
  const children = parser.parseInline(content, {})[0]?.children ?? [];
  return children.map(({ type, content: text }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : text)).join('');
}
