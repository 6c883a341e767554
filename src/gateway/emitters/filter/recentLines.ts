/** The newest lines of an emitter, also those that are dropped: what a filter is tried on before it is in force. */
import { Limit } from '../../../tap/wire/limits.ts';

export class RecentLines {
  readonly #lines: string[] = [];
  #at = 0;

  add(line: string): void {
    this.#lines[this.#at] = line;
    this.#at = (this.#at + 1) % Limit.previewLines;
  }

  /** Oldest first. */
  get all(): string[] {
    return [...this.#lines.slice(this.#at), ...this.#lines.slice(0, this.#at)];
  }
}
