/** Marks the words that differ between lines that were removed and those that stand there now. */
import { type Change, changesBetween, type Span } from '../../../base/text/changes.ts';

export interface LinePart {
  text: string;
  /** The line on the other side has something else, or nothing, in its place. */
  changed?: true;
}
/** The parts of each line. */
export interface MarkedLines {
  before: readonly (readonly LinePart[])[];
  after: readonly (readonly LinePart[])[];
}

/** For all lines of an edit, in characters. What is longer shows by whole lines what has changed. */
const MAX_COMPARED = 20_000;
/** In two lines. More marks than this tell nobody anything. */
const MAX_EDITS = 60;
/** Of the shorter of two lines, without blanks. Lines that share less are different ones, and marks would only disturb. */
const LEAST_SHARED = 0.5;
/** Words of all scripts; anything else is one character. */
const TOKENS = /[\p{L}\p{M}\p{N}_]+|[^]/gu;

/** For all changes of one edit, because it compares only so much. Gives undefined where it compares nothing. */
export function wordMarker(): (before: readonly string[], after: readonly string[]) => MarkedLines | undefined {
  let left = MAX_COMPARED;
  return (before, after) => {
    const ways = Math.abs(before.length - after.length) + 1;
    const cost = lengthOf([...before, ...after]) * ways;
    if (before.length === 0 || after.length === 0 || cost > left) return undefined;
    left -= cost;
    return markedLines(before, after, ways);
  };
}

/** Neighbouring lines of the longer side are compared with those of the shorter one: those that share most with them. */
function markedLines(before: readonly string[], after: readonly string[], ways: number): MarkedLines {
  let best: { pairs: Pair[]; shared: number } = { pairs: [], shared: 0 };
  for (let way = 0; way < ways; way++) {
    const [old, fresh] = before.length < after.length ? [0, way] : [way, 0];
    const pairs = Array.from({ length: Math.min(before.length, after.length) }, (_, at) => pairOf(before, old + at, after, fresh + at));
    const found = pairs.filter((pair) => pair !== undefined);
    const shared = found.reduce((sum, pair) => sum + pair.shared, 0);
    if (shared > best.shared) best = { pairs: found, shared };
  }
  const marked = { before: before.map((text) => [{ text }]), after: after.map((text) => [{ text }]) };
  for (const { old, fresh } of best.pairs) {
    marked.before[old.at] = old.parts;
    marked.after[fresh.at] = fresh.parts;
  }
  return marked;
}

/** A line on each side. */
interface Pair {
  old: { at: number; parts: LinePart[] };
  fresh: { at: number; parts: LinePart[] };
  /** What both have, in characters without blanks. */
  shared: number;
}

function pairOf(before: readonly string[], old: number, after: readonly string[], fresh: number): Pair | undefined {
  const [oldTokens, freshTokens] = [tokensOf(before[old]), tokensOf(after[fresh])];
  const changes = changesBetween(oldTokens, freshTokens, MAX_EDITS);
  if (!changes) return undefined;
  const spans = (side: keyof Change) => changes.map((change) => change[side]);
  const inOld = lengthOf(oldTokens);
  const shared = inOld - spans('removed').reduce((sum, span) => sum + lengthOf(oldTokens.slice(...span)), 0);
  if (shared < LEAST_SHARED * Math.min(inOld, lengthOf(freshTokens))) return undefined;
  return {
    old: { at: old, parts: partsOf(oldTokens, spans('removed')) },
    fresh: { at: fresh, parts: partsOf(freshTokens, spans('added')) },
    shared,
  };
}

function tokensOf(line = ''): readonly string[] {
  return line.match(TOKENS) ?? [];
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.trim().length, 0);
}

function partsOf(tokens: readonly string[], changes: readonly Span[]): LinePart[] {
  const changed = new Array<boolean>(tokens.length).fill(false);
  for (const span of changes) changed.fill(true, ...span);
  // Changed words with a space between them are one change to the eye.
  tokens.forEach((token, at) => {
    if (token === ' ' && changed[at - 1] && changed[at + 1]) changed[at] = true;
  });
  const parts: LinePart[] = [];
  tokens.forEach((token, at) => {
    const last = parts.at(-1);
    if (last && changed[at] === changed[at - 1]) last.text += token;
    else parts.push(changed[at] ? { text: token, changed: true } : { text: token });
  });
  return parts;
}

/** The parts of the first `length` characters. */
export function partsUpTo(parts: readonly LinePart[], length: number): LinePart[] {
  const first: LinePart[] = [];
  let left = length;
  for (const part of parts) {
    if (left <= 0) break;
    first.push({ ...part, text: part.text.slice(0, left) });
    left -= part.text.length;
  }
  return first;
}
