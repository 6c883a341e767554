/** The log of one MCP server: what it says as `notifications/message`, in the file that has the stderr of a local program. */
import { appendFileSync, statSync, truncateSync } from 'node:fs';
import type { LoggingMessageNotification } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../base/clock.ts';
import { printable } from '../printable.ts';

const LINE_LENGTH = 2_000;
const NAME_LENGTH = 100;
/** A server must not fill the disk. */
const MAX_LINES = 100;
const WINDOW_MS = 60_000;
/** A longer file begins anew. In bytes. */
const MAX_BYTES = 5 * 1024 * 1024;

export class ServerLog {
  #windowSince = -Infinity;
  #lines = 0;

  constructor(
    private readonly file: string,
    private readonly clock: Clock,
  ) {}

  /** Throws where the file cannot be written. */
  add({ level, logger, data }: LoggingMessageNotification['params']): void {
    // A server without levels says everything.
    if (level === 'debug') return;
    const now = this.clock.now();
    if (now - this.#windowSince >= WINDOW_MS) {
      if ((statSync(this.file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) truncateSync(this.file);
      const leftOut = this.#lines - MAX_LINES;
      if (leftOut > 0) this.#write(`(${leftOut} messages were left out: more than ${MAX_LINES} in a minute)`);
      this.#windowSince = now;
      this.#lines = 0;
    }
    if (++this.#lines > MAX_LINES) return;
    const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
    this.#write(`[${level}] ${logger === undefined ? '' : `${printable(logger, NAME_LENGTH)}: `}${printable(text, LINE_LENGTH)}`);
  }

  #write(line: string): void {
    appendFileSync(this.file, `${line}\n`, { mode: 0o600 });
  }
}
