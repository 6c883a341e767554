/**
 * Splits a Markdown text that grows at its end into top-level blocks, so that only the tail is parsed and rendered again. Of a list or table
 * each item or row is a block. The texts of the blocks, joined, are the whole text. Rendered one by one with the shared references, they give
 * the same HTML as the whole text.
 */
import MarkdownIt from 'markdown-it';
import {
  beginsBlock,
  groupAt,
  type LinkReferences,
  makesLoose,
  type MarkdownBlock,
  type MarkdownGroup,
  MAX_ROWS,
  withLead,
} from './blockTokens.ts';

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
  const next = known[settled.length]?.group;
  const open = next && next.first < settled.length ? next : undefined;

  const before = known[0]?.references ?? known.find((block) => block.references)?.references;
  const env: { references: LinkReferences } = { references: settledReferences(settled) };
  const tail = split(text.slice(start), env, settled.length, open);
  const rows = settled.length + tail.filter(({ group }) => group && group.first === open?.first).length - (open?.first ?? 0);
  // A table that became too long to be divided.
  if (open?.tag === 'table' && (tail[0]?.group?.first !== open.first || rows > MAX_ROWS)) return markdownBlocks(emptyMarkdown, text);
  const references = before !== undefined && sameReferences(before, env.references) ? before : env.references;

  const isOpenLoose =
    tail[0]?.group?.isLoose || (open && settled.some((block, at) => block.group === open && makesLoose(blockParser, block, at)));
  const opened = open && groupLike(open, { ...open, isLoose: isOpenLoose === true });
  const ofSettled = (block: MarkdownBlock) => ({ text: block.text, group: block.group === open ? opened : block.group });
  const ofTail = ({ text: source, group }: Piece) => ({
    text: source,
    group: group && (group.first === opened?.first ? opened : groupLike(known[group.first]?.group, group)),
  });

  const blocks = [...settled.map(ofSettled), ...tail.map(ofTail)].map(({ text: source, group }, index) => {
    const old = known[index];
    const wanted = source.includes('[') ? references : undefined;
    return old !== undefined && old.text === source && old.references === wanted && old.group === group
      ? old
      : { text: source, ...(wanted && { references: wanted }), ...(group && { group }) };
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
  settled.forEach((block, at) => block.text.includes(']:') && blockParser.parse(withLead(block, at), env));
  return env.references;
}

function sameReferences(a: LinkReferences, b: LinkReferences): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && a[key]?.href === b[key]?.href && a[key]?.title === b[key]?.title)
  );
}

interface Piece {
  text: string;
  group: MarkdownGroup | undefined;
}

/** `open`: the list or table that the text goes on with. `at`: the place of the first block. */
function split(text: string, env: { references: LinkReferences }, at: number, open?: MarkdownGroup): Piece[] {
  if (text === '') return [];
  const lead = open?.lead ?? '';
  const source = lead + text;
  const lineStarts = [0];
  // The line breaks that markdown-it knows.
  for (const end of source.matchAll(/\r\n?|\n/g)) lineStarts.push(end.index + end[0].length);
  const startOf = (line: number) => lineStarts[line] ?? source.length;

  const pieces: { start: number; group: MarkdownGroup | undefined }[] = [];
  let group: MarkdownGroup | undefined;
  const tokens = blockParser.parse(source, env);
  tokens.forEach((token, index) => {
    if (token.nesting < 0 || !token.map) return;
    const start = startOf(token.map[0]);
    if (token.level === 0) {
      const found = groupAt(tokens, index);
      group = found && { ...found, first: open && index === 0 ? open.first : at + pieces.length };
    }
    const isBlock = group ? beginsBlock(group, token) : token.level === 0;
    if (isBlock && start >= lead.length) pieces.push({ start, group });
  });
  // Blank lines and definitions before the first block belong to it.
  pieces[0] = { start: lead.length, group: pieces[0]?.group };
  return pieces.map(({ start, group: of }, index) => ({ text: source.slice(start, pieces[index + 1]?.start), group: of }));
}

/** The one that is there, where it is the same. */
function groupLike(old: MarkdownGroup | undefined, group: MarkdownGroup): MarkdownGroup {
  const keys = ['first', 'tag', 'lead', 'number', 'isLoose'] as const;
  return old && keys.every((key) => old[key] === group[key]) ? old : group;
}
