/**
 * Splits a Markdown text that grows at its end into its top-level blocks, so that only the tail is parsed and rendered again.
 * Joined, the blocks' texts are the whole text; rendered one by one with the shared references they give what the whole gives.
 */
import MarkdownIt from 'markdown-it';

/** Link definitions by normalised label, as markdown-it's `env.references` holds them. */
export type LinkReferences = Record<string, { href: string; title: string }>;

export interface MarkdownBlock {
  /** Source of the block with the blank lines and link definitions that follow it. */
  readonly text: string;
  /** All definitions of the whole text; a new object when one was added. Absent for a block that can hold no reference. */
  readonly references?: LinkReferences;
}

export interface MarkdownBlocks {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
}

export const emptyMarkdown: MarkdownBlocks = { text: '', blocks: [] };

/** Only block structure: the inline rules cost the most and do not move a block's border. */
const blockParser = new MarkdownIt({ html: false });
blockParser.core.ruler.enableOnly(['normalize', 'block']);

/**
 * A block's end is decided by the lines up to the second line of the block after it (a table looks one line ahead, and the last
 * line may be half there). Three blocks back is always settled.
 */
const UNSETTLED_BLOCKS = 3;

/**
 * The blocks of `text`. When `text` continues `previous.text`, blocks that did not change are the same objects and only the
 * tail is parsed; otherwise all of it is.
 */
export function markdownBlocks(previous: MarkdownBlocks, text: string): MarkdownBlocks {
  if (text === previous.text) return previous;
  const known = text.startsWith(previous.text) ? previous.blocks : [];
  const settled = known.slice(0, Math.max(0, known.length - UNSETTLED_BLOCKS));
  const start = settled.reduce((sum, block) => sum + block.text.length, 0);

  const before = known[0]?.references ?? known.find((block) => block.references)?.references;
  const env: { references: LinkReferences } = { references: settledReferences(settled) };
  const tail = split(text.slice(start), env);
  const references = before !== undefined && sameReferences(before, env.references) ? before : env.references;

  const blocks = [...settled.map((block) => block.text), ...tail].map((source, index) => {
    const old = known[index];
    const wanted = source.includes('[') ? references : undefined;
    return old !== undefined && old.text === source && old.references === wanted
      ? old
      : { text: source, ...(wanted && { references: wanted }) };
  });
  return { text, blocks };
}

/** Definitions of the settled part: parsed anew, because a half-written definition of the tail must not stay. */
function settledReferences(settled: readonly MarkdownBlock[]): LinkReferences {
  const env: { references: LinkReferences } = { references: {} };
  for (const block of settled) if (block.text.includes(']:')) blockParser.parse(block.text, env);
  return env.references;
}

function sameReferences(a: LinkReferences, b: LinkReferences): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && a[key]?.href === b[key]?.href && a[key]?.title === b[key]?.title)
  );
}

function split(text: string, env: { references: LinkReferences }): string[] {
  if (text === '') return [];
  const lineStarts = [0];
  // The line ends that markdown-it knows.
  for (const end of text.matchAll(/\r\n?|\n/g)) lineStarts.push(end.index + end[0].length);
  const starts: number[] = [];
  for (const token of blockParser.parse(text, env)) {
    if (token.level === 0 && token.nesting >= 0 && token.map) starts.push(lineStarts[token.map[0]] ?? text.length);
  }
  // What stands before the first block (blank lines, definitions) belongs to it.
  starts[0] = 0;
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}
