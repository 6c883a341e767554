/**
 * The log of one session, as JSON lines. The first line holds a state and the sequence number that it includes. Each further line holds an
 * envelope and the time that its reducer used. Reading reduces the envelopes, so the result is exactly the state that clients had.
 *
 * A process that is killed leaves at most one incomplete line, at the end. It is removed when the log is read. No client has heard of its
 * envelope, because envelopes are written before they are sent.
 */
import { closeSync, copyFileSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../../base/isRecord.ts';
import type { ActionEnvelope } from '../../../ahp/v1/actions.ts';
import type { URI } from '../../../ahp/v1/common.ts';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { sessionReducer } from '../../../ahp/v1/reducers/sessionReducer.ts';
import type { Logger } from '../../../base/log.ts';
import type { Worktree } from '../../files/workspace/worktree.ts';
import { isThere, replaceFile, writeFully, writeToDisk, type Write } from '../../../base/node/wholeFile.ts';

/** What the host knows of a session besides its state. */
export interface SessionFacts {
  uri: URI;
  /** Real path. */
  workingDirectory: string;
  /** The git worktree that was created for the session. */
  worktree?: Worktree;
}

interface Head {
  format: number;
  facts: SessionFacts;
  /** The state includes all envelopes up to this number. */
  seq: number;
  state: SessionState;
}
interface Entry {
  /** ms since the epoch. */
  at: number;
  envelope: ActionEnvelope;
}

/** The file does not begin with a state, so nothing can be read. */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
}

/** The file was written by a newer version, and only that may change it. */
export class NewerFormatError extends Error {
  override readonly name = 'NewerFormatError';
  /** What the first line says of the session, whatever its format. */
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
/** A log with fewer bytes of envelopes is never rewritten. */
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

  /** The folder must exist. */
  static create(folder: string, facts: SessionFacts, state: SessionState, seq: number, write = writeToDisk): SessionLog {
    const log = new SessionLog(folder, facts, write);
    log.rewrite(state, seq);
    return log;
  }

  /**
   * Reads and repairs a log. When a line cannot be parsed, it and all later ones are dropped, because those may depend on it. The damaged
   * file is kept beside. Throws {@link DamagedLogError}, {@link NewerFormatError}, or an error of the file system; the log is unchanged
   * then.
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
      logger.warn(`${head.facts.uri}: the last line of its log was incomplete and is removed`);
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

  /** Size of the file in bytes. */
  get size(): number {
    return this.#size;
  }
  /** Sequence number of the newest envelope. */
  get seq(): number {
    return this.#seq;
  }
  /** True when rewriting the log with the state alone would make it much smaller. A log is at most about twice as large as its state. */
  get wantsRewrite(): boolean {
    return this.#size - this.#headSize > Math.max(MIN_TAIL, this.#headSize);
  }

  /** Survives the end of this process once it returns. After an error the log must be rewritten before anything is appended. */
  append(at: number, envelope: ActionEnvelope): void {
    if (envelope.serverSeq <= this.#seq) return; // The state that the log was rewritten with includes it already.
    const line = Buffer.from(`${JSON.stringify({ at, envelope } satisfies Entry)}\n`);
    this.#fd ??= openSync(join(this.folder, LOG_FILE), 'a', 0o600);
    writeFully(this.#fd, line, this.write);
    this.#size += line.length;
    this.#seq = envelope.serverSeq;
  }

  /** Replaces the log by one that holds this state alone. After an error the log is unchanged. */
  rewrite(state: SessionState, seq: number): void {
    const head = Buffer.from(`${JSON.stringify({ format: FORMAT, facts: this.facts, seq, state } satisfies Head)}\n`);
    replaceFile(join(this.folder, LOG_FILE), head, { sync: true, write: this.write });
    this.close();
    this.#size = this.#headSize = head.length;
    this.#seq = seq;
  }

  /** Syncs to the disk what was appended, for the case of a power failure. */
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

/** True also where it is not known. */
export function hasLog(folder: string): boolean {
  return isThere(join(folder, LOG_FILE));
}

function parsed<T>(line: string): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? (value as Partial<T>) : undefined;
  } catch {
    return undefined; // The caller decides what that means for the log.
  }
}
