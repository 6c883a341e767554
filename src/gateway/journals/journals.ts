/** The journals of all sessions, in one folder. */
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { isMissing } from '../../base/node/missing.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { type Kept, readJournal, SessionJournal } from './sessionJournal.ts';

/** Of journals whose sessions did not come back. */
const MAX_FILES = 200;
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;
/** More than one can grow to. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface JournalsOptions {
  readonly folder: string;
  /** How long a session waits for an owner that has left it. */
  readonly graceMs: number;
  readonly now: () => number;
  readonly logger: Logger;
}

export class Journals {
  constructor(private readonly options: JournalsOptions) {
    this.#sweep();
  }

  /** The journal of a session that begins, with what a gateway that was killed has left of it. Sessions that had ended have left nothing. */
  open(sessionId: string): { readonly journal: SessionJournal; readonly kept: Kept | undefined } {
    const { folder, graceMs, now, logger } = this.options;
    const path = join(folder, `${sha256(sessionId).slice(0, 32)}.jsonl`);
    const left = this.#read(path);
    const kept = left === undefined ? undefined : readJournal(left, sessionId);
    const hadEnded = kept?.leftAt !== undefined && now() - kept.leftAt > graceMs;
    if (left !== undefined && (!kept || hadEnded)) this.#remove(path);
    const taken = hadEnded ? undefined : kept;
    return { journal: new SessionJournal({ path, sessionId, logger }, taken?.emitters), kept: taken };
  }

  #read(path: string): string | undefined {
    try {
      const stat = lstatSync(path);
      if (stat.isFile() && stat.size <= MAX_FILE_BYTES) return readFileSync(path, 'utf8');
      this.#remove(path);
    } catch (error) {
      if (!isMissing(error)) this.options.logger.warn(`${path} cannot be read, so nothing of the session is there: ${messageOf(error)}`);
    }
    return undefined;
  }

  #sweep(): void {
    const { folder, now } = this.options;
    try {
      const files = readdirSync(folder).map((name) => ({ name, at: lstatSync(join(folder, name)).mtimeMs }));
      const newest = files.sort((a, b) => b.at - a.at);
      for (const [index, { name, at }] of newest.entries())
        if (!name.endsWith('.jsonl') || index >= MAX_FILES || now() - at > MAX_AGE_MS) this.#remove(join(folder, name));
    } catch (error) {
      if (!isMissing(error)) this.options.logger.warn(`${folder} cannot be cleared: ${messageOf(error)}`);
    }
  }

  #remove(path: string): void {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      this.options.logger.warn(`${path} cannot be removed: ${messageOf(error)}`);
    }
  }
}
