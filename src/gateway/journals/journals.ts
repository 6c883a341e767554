/** The journals of all sessions, in one folder. */
import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { englishOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { isMissing } from '../../base/node/missing.ts';
import { sha256 } from '../../base/node/sha256.ts';
import { type Kept, readJournal, SessionJournal, type SessionJournalOptions } from './sessionJournal.ts';

/** Of journals whose sessions did not come back. */
const MAX_FILES = 200;
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;
/** More than one can grow to. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const BEAT_MS = 5_000;

export interface JournalsOptions extends Pick<SessionJournalOptions, 'charge' | 'logger'> {
  readonly folder: string;
  /** How long a session waits for an owner that has left it, and for a gateway after one that was killed. */
  readonly graceMs: number;
  readonly clock: Clock;
}

/** What an earlier gateway has left of a session. */
export interface KeptSession extends Kept {
  /** That gateway lived a moment ago, so that what was on may start again. */
  readonly isRecent: boolean;
}

export class Journals implements Disposable {
  readonly #open = new Set<SessionJournal>();
  #beating: Disposable | undefined;

  constructor(private readonly options: JournalsOptions) {}

  /** The journal of a session that begins, with what a gateway that was killed has left of it. Sessions that had ended have left nothing. */
  open(sessionId: string): { readonly journal: SessionJournal; readonly kept: KeptSession | undefined } {
    const { folder, charge, clock, logger } = this.options;
    const path = join(folder, `${sha256(sessionId).slice(0, 32)}.jsonl`);
    const left = this.#read(path);
    const kept = left === undefined ? undefined : readJournal(left, sessionId);
    const hadEnded = kept?.leftAt !== undefined && !this.#isRecent(kept.leftAt);
    if (left !== undefined && (!kept || hadEnded)) this.#remove(path);
    const taken = hadEnded ? undefined : kept;
    if (taken?.lost.length) logger.warn(`${path}: ${taken.lost.length} emitters are not understood, so they are not there any more`);
    const journal = new SessionJournal({ path, sessionId, charge, now: () => clock.now(), logger }, taken);
    this.#open.add(journal);
    this.#beating ??= clock.setTimer(() => this.#beat(), BEAT_MS);
    return { journal, kept: taken && { ...taken, isRecent: this.#isRecent(taken.leftAt ?? taken.aliveAt) } };
  }

  /** Removes what is of no use any more. Only once no other gateway of this user can have the folder. */
  sweep(): void {
    const { folder, clock } = this.options;
    try {
      const files = readdirSync(folder).map((name) => ({ name, at: lstatSync(join(folder, name)).mtimeMs }));
      const newest = files.sort((a, b) => b.at - a.at);
      for (const [index, { name, at }] of newest.entries())
        if (!name.endsWith('.jsonl') || index >= MAX_FILES || clock.now() - at > MAX_AGE_MS) this.#remove(join(folder, name));
    } catch (error) {
      if (!isMissing(error)) this.options.logger.warn(`${folder} cannot be cleared: ${englishOf(error)}`);
    }
  }

  dispose(): void {
    this.#beating?.dispose();
    this.#open.clear();
  }

  #beat(): void {
    for (const journal of this.#open) {
      if (journal.isClosed) this.#open.delete(journal);
      else journal.beat();
    }
    this.#beating = this.#open.size > 0 ? this.options.clock.setTimer(() => this.#beat(), BEAT_MS) : undefined;
  }

  /** A clock that was set back says nothing about how long ago something was. */
  #isRecent(at: number | undefined): boolean {
    return at !== undefined && Math.abs(this.options.clock.now() - at) <= this.options.graceMs;
  }

  #read(path: string): string | undefined {
    try {
      const stat = lstatSync(path);
      if (stat.isFile() && stat.size <= MAX_FILE_BYTES) return readFileSync(path, 'utf8');
      this.#remove(path);
    } catch (error) {
      if (!isMissing(error)) this.options.logger.warn(`${path} cannot be read, so nothing of the session is there: ${englishOf(error)}`);
    }
    return undefined;
  }

  #remove(path: string): void {
    try {
      rmSync(path, { force: true });
    } catch (error) {
      this.options.logger.warn(`${path} cannot be removed: ${englishOf(error)}`);
    }
  }
}
