/**
 * The log of one session: JSON lines, the first with a state and the number that it is as of, each further one an envelope with the time
 * that its reducer saw. Reading is reducing, so the state is exactly the one that clients had.
 *
 * A process that is killed leaves at most one half line, at the end: it is cut when the log is read. Nobody has heard of its envelope,
 * because envelopes are written before they are announced.
 */
import { closeSync, copyFileSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionEnvelope } from '../../../ahp/v1/actions.ts';
import type { URI } from '../../../ahp/v1/common.ts';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { sessionReducer } from '../../../ahp/v1/sessionReducer.ts';
import type { Logger } from '../../../base/log.ts';
import type { Worktree } from '../../files/workspace/worktree.ts';
import { isThere, replaceFile, writeFully, writeToDisk, type Write } from './wholeFile.ts';

/** What the host knows of a session besides its state. */
export interface SessionFacts {
  uri: URI;
  /** Real path. */
  workingDirectory: string;
  /** The git worktree that was made for the session. */
  worktree?: Worktree;
}

interface Head {
  format: number;
  facts: SessionFacts;
  /** The state holds all envelopes up to this number. */
  seq: number;
  state: SessionState;
}
interface Entry {
  /** ms since the epoch. */
  at: number;
  envelope: ActionEnvelope;
}

/** What was read is no session: there is no state to begin with. */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
}

/** Only a newer version may touch it. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormatError';
  /** What the first line says of the session, in whatever form. */
  readonly known: { facts?: unknown; summary?: unknown };
  constructor({ facts, state }: { facts?: unknown; state?: unknown }) {
    super('This session was written by a newer version of Tapline. Update Tapline to open it.');
    this.known = { facts, summary: (state as { summary?: unknown } | undefined)?.summary };
  }
}

export const LOG_FILE = 'log.jsonl';
const DAMAGED_FILE = 'log.damaged.jsonl';
export const FORMAT = 1;
const NEWLINE = 10;
/** Bytes of envelopes below which a log is never rewritten. */
const MIN_TAIL = 256 * 1024;

export class SessionLog {
  #fd: number | undefined;
  #size = 0;
  #headSize = 0;
  #seq = 0;

  private constructor(
    private readonly folder: string,
    readonly facts: SessionFacts,
    private readonly write: Write,
  ) {}

  /** The folder must be there. */
  static create(folder: string, facts: SessionFacts, state: SessionState, seq: number, write = writeToDisk): SessionLog {
    const log = new SessionLog(folder, facts, write);
    log.rewrite(state, seq);
    return log;
  }

  /**
   * Reads and repairs. A line that cannot be parsed takes those after it along, which may build on it; the damaged file is kept beside.
   * Throws {@link DamagedLogError}, {@link NewerFormatError}, or what the file system says; the log is as it was then.
   */
  static open(folder: string, logger: Logger, write = writeToDisk): { log: SessionLog; state: SessionState } {
    const path = join(folder, LOG_FILE);
    const data = readFileSync(path);
    const end = data.lastIndexOf(NEWLINE) + 1;
    const [first = '', ...rest] = data.toString('utf8', 0, end).split('\n').slice(0, -1);
    const head = parsed<Head>(first);
    if (head && typeof head.format === 'number' && head.format > FORMAT) throw new NewerFormatError(head);
    if (head?.format !== FORMAT || !Array.isArray(head.state?.turns) || typeof head.facts?.uri !== 'string' || typeof head.seq !== 'number')
      throw new DamagedLogError(`${path} does not begin with a session of format ${FORMAT}`);
    if (end < data.length) {
      logger.warn(`${head.facts.uri}: the last line of its log was half written and is cut`);
      truncateSync(path, end);
    }
    const log = new SessionLog(folder, head.facts, write);
    log.#size = end;
    log.#headSize = Buffer.byteLength(first) + 1;
    log.#seq = head.seq;
    let { state } = head;
    for (const [index, line] of rest.entries()) {
      const entry = parsed<Entry>(line);
      if (typeof entry?.at !== 'number' || typeof entry.envelope?.serverSeq !== 'number' || typeof entry.envelope.action !== 'object') {
        logger.error(`${head.facts.uri}: line ${index + 2} of its log cannot be read; ${DAMAGED_FILE} keeps what follows`);
        copyFileSync(path, join(folder, DAMAGED_FILE));
        log.rewrite(state, log.#seq);
        break;
      }
      if (entry.envelope.serverSeq <= log.#seq) continue;
      state = sessionReducer(state, entry.envelope.action, entry.at);
      log.#seq = entry.envelope.serverSeq;
    }
    return { log, state };
  }

  /** Bytes of the whole file. */
  get size(): number {
    return this.#size;
  }
  /** Number of the newest envelope that it holds. */
  get seq(): number {
    return this.#seq;
  }
  /** It has grown so much that writing the state alone is worth it: a log is at most about twice its state. */
  get wantsRewrite(): boolean {
    return this.#size - this.#headSize > Math.max(MIN_TAIL, this.#headSize);
  }

  /** Durable against the end of this process when it returns. After an error the log must be rewritten before anything is appended. */
  append(at: number, envelope: ActionEnvelope): void {
    if (envelope.serverSeq <= this.#seq) return; // the state that the log was rewritten with holds it already
    const line = Buffer.from(`${JSON.stringify({ at, envelope } satisfies Entry)}\n`);
    this.#fd ??= openSync(join(this.folder, LOG_FILE), 'a', 0o600);
    writeFully(this.#fd, line, this.write);
    this.#size += line.length;
    this.#seq = envelope.serverSeq;
  }

  /** Replaces the log by one that holds this state alone. After an error the log is as it was. */
  rewrite(state: SessionState, seq: number): void {
    const head = Buffer.from(`${JSON.stringify({ format: FORMAT, facts: this.facts, seq, state } satisfies Head)}\n`);
    replaceFile(join(this.folder, LOG_FILE), head, { sync: true, write: this.write });
    this.close();
    this.#size = this.#headSize = head.length;
    this.#seq = seq;
  }

  /** Has what was appended brought to the disk itself, for the case of a power failure. */
  async sync(): Promise<void> {
    const file = await open(join(this.folder, LOG_FILE), 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

/** True also where that cannot be found out. */
export function hasLog(folder: string): boolean {
  return isThere(join(folder, LOG_FILE));
}

function parsed<T>(line: string): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : undefined;
  } catch {
    return undefined; // what it means for the log is the caller's to say
  }
}
