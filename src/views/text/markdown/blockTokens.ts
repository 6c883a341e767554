/**
 * A block of a Markdown text, and the tokens that it has there. Lists and tables are divided into their items and rows, each a block of its
 * own, so that a long one that grows costs no more than its end. The parser reads such a block behind a lead, which brings it into the state
 * that it has there in the whole text.
 */
import type { Env, MarkdownIt, Token } from 'markdown-it';

/** Link definitions by normalised label, as markdown-it's `env.references` holds them. */
export type LinkReferences = Record<string, { href: string; title: string }>;

export interface MarkdownBlock {
  /** The source of the block, with the blank lines and link definitions after it. */
  readonly text: string;
  /** All definitions of the text, in a new object when one was added. Absent for a block that cannot contain a reference. */
  readonly references?: LinkReferences;
  /** For an item of a list or a row of a table. The same object for all of them. */
  readonly group?: MarkdownGroup;
}

/** What blocks in a row are the items or the rows of. */
export interface MarkdownGroup {
  /** The place of its first block, before which the text may hold blank lines and link definitions. Of a table it is the head. */
  readonly first: number;
  readonly tag: 'ul' | 'ol' | 'table';
  /** Stands before each block for the parser, except before the first. */
  readonly lead: string;
  /** Of the first item. */
  readonly number: number;
  /** The paragraphs of the items are paragraphs. It depends on all of the list. */
  readonly isLoose: boolean;
}

/** In a table of so many columns and rows the parser does not reach its limit of cells, which counts those of the whole table. */
const MAX_COLUMNS = 20;
export const MAX_ROWS = 3_000;

/** The group that begins at a token of level 0. */
export function groupAt(tokens: readonly Token[], index: number): Omit<MarkdownGroup, 'first'> | undefined {
  const token = tokens[index];
  switch (token?.type) {
    case 'bullet_list_open':
    case 'ordered_list_open': {
      const isOrdered = token.type === 'ordered_list_open';
      // Indented as far as an item can be, so that none that follows is in it.
      const lead = `   ${isOrdered ? '1' : ''}${token.markup} x\n`;
      return { tag: isOrdered ? 'ol' : 'ul', lead, number: Number(token.attrGet('start') ?? 1), isLoose: isLoose(tokens, index) };
    }
    case 'table_open': {
      const inside = tokens.slice(index, endOf(tokens, index));
      const columns = inside.filter(({ type }) => type === 'th_open');
      if (columns.length > MAX_COLUMNS || inside.filter(({ type }) => type === 'tr_open').length > MAX_ROWS) return undefined;
      const sides = columns.map((column) => delimiters[String(column.attrGet('style'))] ?? '-');
      // The head itself may be long.
      return { tag: 'table', lead: `|${'x|'.repeat(sides.length)}\n|${sides.join('|')}|\n`, number: 1, isLoose: false };
    }
    default:
      return undefined;
  }
}

const delimiters: Record<string, string> = { 'text-align:left': ':-', 'text-align:right': '-:', 'text-align:center': ':-:' };

/** Whether a token is where a block of the group begins. */
export function beginsBlock({ tag }: Pick<MarkdownGroup, 'tag'>, { type, level }: Token): boolean {
  return tag === 'table' ? type === 'tr_open' && level === 2 : type === 'list_item_open' && level === 1;
}

const loosening = new WeakMap<MarkdownBlock, boolean>();

/** Whether an item makes its list loose, when another one follows. */
export function makesLoose(md: MarkdownIt, block: MarkdownBlock, at: number): boolean {
  const { group } = block;
  if (!group || group.tag === 'table') return false;
  let known = loosening.get(block);
  if (known === undefined) {
    known = isLoose(md.parse(withLead(block, at) + group.lead.trimStart(), {}), 0);
    loosening.set(block, known);
  }
  return known;
}

/** What the parser reads of a block. `at`: its place. */
export function withLead({ text, group }: MarkdownBlock, at: number): string {
  return group && at > group.first ? group.lead + text : text;
}

/** The tokens of a block. Those of an item or a row are in those that open and close the list or the table. */
export function tokensOf(md: MarkdownIt, block: MarkdownBlock, at: number, env: Env): Token[] {
  const { group } = block;
  const all = md.parse(withLead(block, at), env);
  if (!group) return all;
  const endOfLead = group.tag === 'table' ? 'thead_close' : 'list_item_close';
  const from = at === group.first ? 1 : all.findIndex(({ type, level }) => type === endOfLead && level === 1) + 1;
  const tokens = [...all.slice(0, 1), ...all.slice(from)];
  if (group.tag !== 'table') for (const token of tokens) if (isParagraph(token)) token.hidden = !group.isLoose;
  return tokens;
}

/** Of a list without paragraphs it makes no difference. */
function isLoose(tokens: readonly Token[], list: number): boolean {
  const end = endOf(tokens, list);
  for (let index = list; index < end; index++) {
    const token = tokens[index];
    if (token && isParagraph(token)) return !token.hidden;
  }
  return false;
}

/** Of an item itself. */
function isParagraph({ type, level }: Token): boolean {
  return level === 2 && (type === 'paragraph_open' || type === 'paragraph_close');
}

function endOf(tokens: readonly Token[], start: number): number {
  for (let index = start + 1; index < tokens.length; index++) if (tokens[index]?.level === 0) return index;
  return tokens.length;
}
