/**
 * Splits a Markdown text that grows at its end into top-level blocks, so that only the tail is parsed and rendered again. The texts of the
 * blocks, joined, are the whole text. Rendered one by one with the shared references, they give the same HTML as the whole text.
 */
import MarkdownIt from 'markdown-it';

/** Link definitions by normalised label, as markdown-it's `env.references` holds them. */
export type LinkReferences = Record<string, { href: string; title: string }>;

export interface MarkdownBlock {
  /** The source of the block, with the blank lines and link definitions after it. */
  readonly text: string;
  /** All definitions of the text, in a new object when one was added. Absent for a block that cannot contain a reference. */
  readonly references?: LinkReferences;
}

export interface MarkdownBlocks {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
}

export const emptyMarkdown: MarkdownBlocks = { text: '', blocks: [] };

/** Parses blocks only: the inline rules cost most of the time and do not change where a block ends. */
const blockParser = new MarkdownIt({ html: false });
blockParser.core.ruler.enableOnly(['normalize', 'block']);

/**
 * Where a block ends depends on the text up to the second line of the next block: a table looks one line ahead, and the last line may be
 * incomplete. A block that is three blocks back never changes.
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

/** The first of the blocks before `end` that have so many characters in all. It is one block at least. */
export function startOfSlice(blocks: readonly MarkdownBlock[], end: number, characters: number): number {
  let start = end;
  for (let left = characters; start > 0; start--) {
    left -= blocks[start - 1]?.text.length ?? 0;
    if (left < 0 && start < end) break;
  }
  return start;
}

/** Parsed again for the unchanged part, because an incomplete definition of the old tail must not stay. */
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
  // The line breaks that markdown-it knows.
  for (const end of text.matchAll(/\r\n?|\n/g)) lineStarts.push(end.index + end[0].length);
  const starts: number[] = [];
  for (const token of blockParser.parse(text, env)) {
    if (token.level === 0 && token.nesting >= 0 && token.map) starts.push(lineStarts[token.map[0]] ?? text.length);
  }
  // Blank lines and definitions before the first block belong to it.
  starts[0] = 0;
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}
