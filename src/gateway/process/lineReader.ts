/**
 * Splits the output of a process into lines of limited length, without control characters and without the secret that the process was
 * given.
 */
import { withoutSequences } from '../../base/text/plainTerminalText.ts';
import { cleanText } from '../limits/cleanText.ts';

const LINE_LENGTH = 2000;

export class LineReader {
  /** The start of the current line, only as much as may be shown. */
  #open = '';

  /** `secret`: none where the process was given none. */
  constructor(private readonly secret?: string) {}

  /** The lines that this piece completes, without empty ones. */
  take(piece: string): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      this.#add(piece, start, end);
      lines.push(...this.end());
      start = end + 1;
    }
    this.#add(piece, start, piece.length);
    return lines;
  }

  /** The last line, if it was not terminated. */
  end(): string[] {
    if (this.#open === '') return [];
    const shown = this.secret === undefined ? this.#open : this.#open.replaceAll(this.secret, '…');
    const line = cleanText(withoutSequences(shown).trimEnd(), LINE_LENGTH);
    this.#open = '';
    return line ? [line] : [];
  }

  /** More than is shown, because control characters are removed and the secret may begin just before the cut. */
  #add(piece: string, start: number, end: number): void {
    const room = LINE_LENGTH * 2 + (this.secret?.length ?? 0) - this.#open.length;
    this.#open += piece.slice(start, Math.min(end, start + Math.max(0, room)));
  }
}
