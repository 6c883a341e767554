/** What a process prints, as lines to be shown: of bounded length, without control characters and without the one secret it was given. */
import { stripVTControlCharacters } from 'node:util';
import { cleanText } from '../limits/cleanText.ts';

const LINE_LENGTH = 2000;

export class LineReader {
  /** What has come of the line that is not complete; no more than can matter is kept. */
  #open = '';

  constructor(private readonly secret: string) {}

  /** The lines that this piece completes; empty ones are left out. */
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

  /** The last line, if it was not completed. */
  end(): string[] {
    const line = cleanText(stripVTControlCharacters(this.#open.replaceAll(this.secret, '…')).trimEnd(), LINE_LENGTH);
    this.#open = '';
    return line ? [line] : [];
  }

  /** Longer than what is shown by what is stripped, and by the secret, which may begin just before the cut. */
  #add(piece: string, start: number, end: number): void {
    const room = LINE_LENGTH * 2 + this.secret.length - this.#open.length;
    this.#open += piece.slice(start, Math.min(end, start + Math.max(0, room)));
  }
}
