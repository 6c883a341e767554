/**
 * Reads one line of Markdown as text and code. Of emphasis, links and images the text stays, and HTML is text. It follows the rules of CommonMark,
 * with `~~` as well, but it is a fraction of a parser of all of Markdown: a page needs it for its first picture.
 */
import { withoutEnd } from '../../base/text/ends.ts';

export interface InlinePiece {
  text: string;
  /** Written in backticks. */
  code?: true;
}

/** Marks of emphasis that may yet find their partners. What is left of the text is shown. */
interface Run {
  text: string;
  readonly length: number;
  readonly opens: boolean;
  readonly closes: boolean;
}
type Node = InlinePiece | Run;

/** A bracket that may begin a link or an image. */
interface Bracket {
  /** Of its text in the nodes. */
  readonly node: number;
  /** Where the text after it begins. */
  readonly from: number;
  readonly isImage: boolean;
  /** False inside a link. */
  isActive: boolean;
}

const PUNCTUATION = /[!-/:-@[-`{-~]|\p{P}|\p{S}/u;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^<>\0- ]*|[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9.-]+)>/iy;
const ENTITY = /&(?:#(?:x([a-f0-9]{1,6})|([0-9]{1,7}))|([a-z]{2,6}));/iy;
const SPACES = /[ \t\n]*/y;
/** What comes before one of these is text. */
const PLAIN = /[^\\`*_~[\]!<&\n]+/y;
const TITLE = /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\((?:\\[^]|[^()\\])*\)/y;
const BRACKETED = /<(?:\\[^\n]|[^<>\\\n])*>/y;
/** The others are shown as they are written. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  bull: '•',
  middot: '·',
  rarr: '→',
  larr: '←',
  times: '×',
  copy: '©',
};
/** Deeper parentheses end no address. */
const MAX_PARENTHESES = 32;

export function readInline(markdown: string): InlinePiece[] {
  const source = markdown.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  const nodes = new Reader(source).read();
  const pieces: InlinePiece[] = [];
  for (const node of nodes) {
    const last = pieces.at(-1);
    if ('code' in node) pieces.push({ text: node.text, code: true });
    else if (last && !last.code) last.text += node.text;
    else pieces.push({ text: node.text });
  }
  return pieces.filter(({ text }) => text !== '');
}

class Reader {
  #at = 0;
  readonly #nodes: Node[] = [];
  readonly #brackets: Bracket[] = [];
  /** Lengths of backticks that nothing after this place closes. */
  readonly #unclosed = new Set<number>();
  #lastBreak: Node | undefined;

  constructor(private readonly source: string) {}

  read(): readonly Node[] {
    while (this.#at < this.source.length) this.#step();
    pair(this.#nodes, 0);
    return this.#nodes;
  }

  #step(): void {
    const { source } = this;
    const at = this.#at;
    const plain = this.#match(PLAIN);
    if (plain) return this.#add(plain[0]);
    switch (source[at]) {
      case '\\':
        return this.#escape();
      case '`':
        return this.#code();
      case '*':
      case '_':
      case '~':
        return this.#run();
      case '!':
        if (source[at + 1] === '[') return this.#open(true);
        break;
      case '[':
        return this.#open(false);
      case ']':
        return this.#close();
      case '<': {
        const link = this.#match(AUTOLINK);
        if (link) return this.#add(link[1] ?? '');
        break;
      }
      case '&': {
        const entity = this.#match(ENTITY);
        if (entity) return this.#add(characterOf(entity));
        break;
      }
      case '\n':
        return this.#lineBreak(1);
    }
    this.#at++;
    this.#add(source[at] ?? '');
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.source);
    if (found) this.#at += found[0].length;
    return found;
  }

  #add(text: string): void {
    this.#nodes.push({ text });
  }

  #escape(): void {
    const next = this.source[this.#at + 1] ?? '';
    if (next === '\n') return this.#lineBreak(2);
    const isEscape = /[!-/:-@[-`{-~]/.test(next);
    this.#at += isEscape ? 2 : 1;
    this.#add(isEscape ? next : '\\');
  }

  #lineBreak(length: number): void {
    const last = this.#nodes.at(-1);
    if (length === 1 && last && last !== this.#lastBreak && !('code' in last)) last.text = withoutEnd(last.text, ' ');
    this.#at += length;
    while (/[ \t]/.test(this.source[this.#at] ?? '')) this.#at++;
    this.#lastBreak = { text: ' ' };
    this.#nodes.push(this.#lastBreak);
  }

  #code(): void {
    const { source } = this;
    const start = this.#at;
    const length = lengthOfRun(source, start);
    const from = start + length;
    for (let end = from; !this.#unclosed.has(length);) {
      end = source.indexOf('`', end);
      if (end < 0) {
        this.#unclosed.add(length);
        break;
      }
      const found = lengthOfRun(source, end);
      if (found === length) {
        const text = source.slice(from, end).replaceAll('\n', ' ');
        this.#nodes.push({ text: text.replace(/^ (.+) $/, '$1'), code: true });
        this.#at = end + length;
        return;
      }
      end += found;
    }
    this.#at = from;
    this.#add(source.slice(start, from));
  }

  #run(): void {
    const { source } = this;
    const start = this.#at;
    const length = lengthOfRun(source, start);
    this.#at += length;
    const mark = source[start] ?? '';
    const before = kindOf(source.slice(Math.max(0, start - 2), start), true);
    const after = kindOf(source.slice(this.#at, this.#at + 2), false);
    const isLeft = after !== 'space' && (after !== 'punctuation' || before !== 'other');
    const isRight = before !== 'space' && (before !== 'punctuation' || after !== 'other');
    const splitsWords = mark !== '_';
    const opens = isLeft && (splitsWords || !isRight || before === 'punctuation');
    const closes = isRight && (splitsWords || !isLeft || after === 'punctuation');
    if (mark !== '~') this.#nodes.push({ text: mark.repeat(length), length, opens, closes });
    else {
      // Two of them are one mark.
      if (length % 2 === 1) this.#add('~');
      if (length > 1) this.#nodes.push({ text: '~'.repeat(length - (length % 2)), length: 0, opens, closes });
    }
  }

  #open(isImage: boolean): void {
    const text = isImage ? '![' : '[';
    this.#at += text.length;
    this.#brackets.push({ node: this.#nodes.length, from: this.#at, isImage, isActive: true });
    this.#add(text);
  }

  #close(): void {
    const end = this.#at;
    this.#at++;
    const bracket = this.#brackets.pop();
    if (!bracket?.isActive || !this.#skipTarget()) {
      this.#at = end + 1;
      return this.#add(']');
    }
    const { node, from, isImage } = bracket;
    if (isImage) {
      this.#nodes.splice(node);
      return this.#add(this.source.slice(from, end));
    }
    // No link is in another.
    for (const outer of this.#brackets) if (!outer.isImage) outer.isActive = false;
    pair(this.#nodes, node + 1);
    this.#nodes[node] = { text: '' };
  }

  /** Goes behind `(address "title")`. */
  #skipTarget(): boolean {
    if (this.source[this.#at] !== '(') return false;
    this.#at++;
    this.#match(SPACES);
    if (this.source[this.#at] === '<' ? !this.#match(BRACKETED) : !this.#skipAddress()) return false;
    const space = this.#match(SPACES)?.[0] ?? '';
    if (space !== '' && this.#match(TITLE)) this.#match(SPACES);
    if (this.source[this.#at] !== ')') return false;
    this.#at++;
    return true;
  }

  #skipAddress(): boolean {
    const { source } = this;
    let depth = 0;
    for (; this.#at < source.length; this.#at++) {
      const mark = source[this.#at] ?? '';
      // These end an address.
      if (/[\0- \x7f]/.test(mark)) break;
      if (mark === '\\' && /[^ ]/.test(source[this.#at + 1] ?? '')) this.#at++;
      else if (mark === '(' && ++depth > MAX_PARENTHESES) return false;
      else if (mark === ')' && depth-- === 0) return true;
    }
    return depth === 0;
  }
}

/** Takes the marks of emphasis that belong together out of the nodes from `first` on. */
function pair(nodes: Node[], first: number): void {
  const openers: Run[] = [];
  for (let index = first; index < nodes.length; index++) {
    const closer = nodes[index];
    if (!closer || !('opens' in closer)) continue;
    if (closer.closes)
      for (let at = openers.length - 1; at >= 0 && closer.text !== ''; at--) {
        const opener = openers[at];
        if (!opener || !belong(opener, closer)) continue;
        // What is between them finds no partner any more.
        openers.length = at + 1;
        const taken = opener.text[0] === '~' ? 2 : 1;
        const count = Math.floor(Math.min(opener.text.length, closer.text.length) / taken) * taken;
        opener.text = opener.text.slice(count);
        closer.text = closer.text.slice(count);
        if (opener.text === '') openers.pop();
        else at++;
      }
    if (closer.opens && closer.text !== '') openers.push(closer);
  }
  // They are in another text than those that come later.
  for (let index = first; index < nodes.length; index++) {
    const node = nodes[index];
    if (node) nodes[index] = 'code' in node ? node : { text: node.text };
  }
}

function belong(opener: Run, closer: Run): boolean {
  if (opener.text[0] !== closer.text[0]) return false;
  if (!opener.closes && !closer.opens) return true;
  // Of `*a**b*` the two in the middle are text.
  return (opener.length + closer.length) % 3 !== 0 || (opener.length % 3 === 0 && closer.length % 3 === 0);
}

function lengthOfRun(source: string, start: number): number {
  let end = start;
  while (source[end] === source[start]) end++;
  return end - start;
}

/** Of the character beside a mark. The ends of the text are spaces. */
function kindOf(beside: string, isBefore: boolean): 'space' | 'punctuation' | 'other' {
  const character = isBefore ? [...beside].at(-1) : [...beside][0];
  if (character === undefined || /\s/.test(character)) return 'space';
  return PUNCTUATION.test(character) ? 'punctuation' : 'other';
}

function characterOf([whole, hex, decimal, name]: RegExpExecArray): string {
  if (name !== undefined) return (Object.hasOwn(entities, name) && entities[name]) || whole;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter = code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
