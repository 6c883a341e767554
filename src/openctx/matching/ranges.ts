/** Ranges as providers say them, made to fit the document. */
import type { Position, Range } from '../protocol/messages.ts';

/** The document's own lines: an answer may name places that it does not have. */
export class DocumentLines {
  readonly #lengths: number[];

  constructor(content: string) {
    this.#lengths = content.split(/\r\n|\r|\n/).map(({ length }) => length);
  }

  /** Whole numbers in the document, the start first. */
  clamp({ start, end }: Range): Range {
    const [one, other] = [this.#clamp(start), this.#clamp(end)];
    return comparePositions(one, other) <= 0 ? { start: one, end: other } : { start: other, end: one };
  }

  #clamp({ line, character }: Position): Position {
    const last = this.#lengths.length - 1;
    if (line > last) return { line: last, character: this.#lengths[last] ?? 0 };
    const at = Math.trunc(line);
    if (at < 0) return { line: 0, character: 0 };
    return { line: at, character: Math.min(Math.max(0, Math.trunc(character)), this.#lengths[at] ?? 0) };
  }
}

export function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** Ranges that only touch each other overlap, so that a cursor at the end of a word is on it. */
export function overlap(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}
