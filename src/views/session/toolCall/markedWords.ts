/** Marks the words that differ between lines that were removed and those that stand there now. */
import { changesBetween, type Span } from '../../../base/text/changes.ts';

export interface LinePart {
  text: string;
  /** The lines on the other side have something else, or nothing, in its place. */
  changed?: true;
}

const MAX_EDITS = 200;
/** Of a line, below which it is another one, and marks would only disturb. */
const LEAST_SHARED = 1 / 3;
/** Words of all scripts; anything else is one character. */
const TOKENS = /[\p{L}\p{M}\p{N}_]+|[^]/gu;

/** The parts of each line. Undefined when they differ in too much, or when there is nothing on one side. */
export function markedLines(
  before: readonly string[],
  after: readonly string[],
): { before: readonly LinePart[][]; after: readonly LinePart[][] } | undefined {
  if (before.length === 0 || after.length === 0) return undefined;
  const [old, fresh] = [tokensOf(before), tokensOf(after)];
  const changes = changesBetween(old, fresh, MAX_EDITS);
  return (
    changes && {
      before: partsOf(
        old,
        changes.map(({ removed }) => removed),
      ),
      after: partsOf(
        fresh,
        changes.map(({ added }) => added),
      ),
    }
  );
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

function tokensOf(lines: readonly string[]): readonly string[] {
  return lines.join('\n').match(TOKENS) ?? [];
}

function partsOf(tokens: readonly string[], changes: readonly Span[]): LinePart[][] {
  const changed = new Array<boolean>(tokens.length).fill(false);
  for (const span of changes) changed.fill(true, ...span);
  // Changed words with a space between them are one change to the eye.
  tokens.forEach((token, at) => {
    if (token === ' ' && changed[at - 1] && changed[at + 1]) changed[at] = true;
  });
  const lines: LinePart[][] = [];
  for (let start = 0; start <= tokens.length;) {
    const next = tokens.indexOf('\n', start);
    const end = next < 0 ? tokens.length : next;
    lines.push(partsOfLine(tokens.slice(start, end), changed.slice(start, end)));
    start = end + 1;
  }
  return lines;
}

function partsOfLine(tokens: readonly string[], changed: readonly boolean[]): LinePart[] {
  const length = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.trim().length, 0);
  if (length(tokens.filter((_, at) => !changed[at])) < length(tokens) * LEAST_SHARED) return [{ text: tokens.join('') }];
  const parts: LinePart[] = [];
  tokens.forEach((token, at) => {
    const last = parts.at(-1);
    if (last && at > 0 && changed[at] === changed[at - 1]) last.text += token;
    else parts.push(changed[at] ? { text: token, changed: true } : { text: token });
  });
  return parts;
}
