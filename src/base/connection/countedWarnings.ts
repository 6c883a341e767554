/**
 * Warnings that another process can cause without end. The first of a kind is logged, then the tenth, the hundredth and so on, with the
 * count.
 */
import type { Logger } from '../log.ts';

const MAX_LENGTH = 300;

export class CountedWarnings {
  readonly #counts = new Map<string, number>();

  constructor(private readonly logger: Logger) {}

  /** `kind` groups what is counted together. It is one of a fixed few, and never comes from outside. */
  warn(kind: string, text: string): void {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    if (!/^10*$/.test(String(count))) return;
    const short = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
    this.logger.warn(count === 1 ? short : `${short} (${count} times so far)`);
  }
}
