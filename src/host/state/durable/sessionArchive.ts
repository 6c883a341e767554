/**
 * All sessions on disk, one folder each: `log.jsonl`, `summary.json` and `contents/`. It is the first listener of the store, so that
 * everything is written before clients hear of it.
 *
 * When writing fails, the session goes on in memory and its clients are told of the problem. Nothing more is appended, and the whole state
 * is written as soon as that succeeds.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { URI } from '../../../ahp/v1/common.ts';
import type { SessionState, SessionSummary } from '../../../ahp/v1/session.ts';
import { systemClock, type Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { sha256 } from '../../../base/node/sha256.ts';
import type { DispatchedAction, StateStore } from '../stateStore.ts';
import { DamagedLogError, hasLog, NewerFormatError, SessionLog, type SessionFacts } from './sessionLog.ts';
import { isKnown, type KnownSession, readSummaryFile, unreadableSummary, writeSummaryFile } from './summaryFile.ts';
import { isThere, type Write } from '../../../base/node/wholeFile.ts';

export interface ArchivedSession {
  facts: SessionFacts;
  summary: SessionSummary;
  /** The earlier run ended during a turn or similar. The session must be opened and repaired. */
  interrupted: boolean;
  /** The session cannot be read and stays as it is. Its summary says why, and may be old. */
  unreadable: boolean;
}

interface OpenSession {
  log: SessionLog;
  folder: string;
  /** Why it cannot be written at present. */
  problem: string | undefined;
}

export interface SessionArchiveOptions {
  folder: string;
  logger: Logger;
  write?: Write;
  clock?: Clock;
}

/** From the last change of a session until its summary is written and the log is synced. */
const REST_AFTER_MS = 250;
/** Between attempts to write after a failure. */
const RETRY_MS = 5000;
const TRASH = 'trash-';
const DAMAGED = 'damaged-';
/** Of the folder, only these are touched. */
const OWN_FOLDER = /^(?:[0-9a-f]{32}$|trash-)/;

export class SessionArchive implements Disposable {
  /** The sessions that were found at the start. */
  readonly found: readonly ArchivedSession[];
  /** The greatest sequence number of any envelope. */
  readonly highestSeq: number;
  readonly #open = new Map<URI, OpenSession>();
  /** Sessions that have changed since their summary was written. */
  readonly #stirred = new Set<URI>();
  readonly #clock: Clock;
  #restTimer: Disposable | undefined;
  #retryTimer: Disposable | undefined;
  #store: StateStore | undefined;
  #listener: Disposable | undefined;
  readonly #didChangeProblem = new Emitter<{ session: URI; problem: string | undefined }>();
  /** Fires when writing a session fails for the first time, or succeeds again. */
  readonly onDidChangeProblem = this.#didChangeProblem.event;

  /** Throws when the folder cannot be used. No other process may use it. */
  constructor(private readonly options: SessionArchiveOptions) {
    this.#clock = options.clock ?? systemClock;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    let highestSeq = 0;
    this.found = readdirSync(options.folder, { withFileTypes: true }).flatMap((entry) => {
      if (!entry.isDirectory() || !OWN_FOLDER.test(entry.name)) return [];
      const found = this.#find(join(options.folder, entry.name));
      if (!found) return [];
      highestSeq = Math.max(highestSeq, found.seq);
      return [found.session];
    });
    this.highestSeq = highestSeq;
  }

  /** Must be called before any other listener is added to the store. */
  attach(store: StateStore): void {
    this.#store = store;
    this.#listener = store.onDidDispatch((dispatched) => this.#append(dispatched));
  }

  /** Creates the log of a new session. Throws when it cannot be written; the caller deletes what was written then. */
  create(facts: SessionFacts, state: SessionState, seq: number): void {
    const folder = this.folderOf(facts.uri);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const log = SessionLog.create(folder, facts, state, seq, this.options.write);
    this.#open.set(facts.uri, { log, folder, problem: undefined });
    // It fits no log. It only says whose log it is, in case that cannot be read.
    writeSummaryFile(folder, { facts, summary: state.summary, logSize: 0, seq }, this.options.logger, this.options.write);
    this.#stir(facts.uri);
  }

  /** True when there is anything at the place of this session, even something that cannot be listed. */
  has(uri: URI): boolean {
    return isThere(this.folderOf(uri));
  }

  /** Reads the state of a session from its log. From now on the log is appended to. Throws when it cannot be read. */
  open(uri: URI): SessionState {
    const folder = this.folderOf(uri);
    const { log, state } = SessionLog.open(folder, this.options.logger, this.options.write);
    // The log could not be read when this run began. New envelopes must be newer than those in it.
    if (this.#store && log.seq > this.#store.serverSeq) log.rewrite(state, this.#store.serverSeq);
    this.#open.set(uri, { log, folder, problem: undefined });
    return state;
  }

  /** Closes the session's files for now. Its state must still be in the store. */
  release(uri: URI): void {
    this.#writeSummary(uri);
    this.#stirred.delete(uri);
    this.#open.get(uri)?.log.close();
    this.#open.delete(uri);
  }

  /** The session is deleted at once, even if this process is killed now. */
  delete(uri: URI): void {
    this.#open.get(uri)?.log.close();
    this.#open.delete(uri);
    this.#stirred.delete(uri);
    this.#discard(this.folderOf(uri));
  }

  /** Why the session cannot be written at present. Tries to write it first. */
  problem(uri: URI): string | undefined {
    this.#heal(uri);
    return this.#open.get(uri)?.problem;
  }

  /** Like {@link problem}, without trying. */
  hasProblem(uri: URI): boolean {
    return this.#open.get(uri)?.problem !== undefined;
  }

  get folder(): string {
    return this.options.folder;
  }
  folderOf(uri: URI): string {
    return join(this.folder, sha256(uri).slice(0, 32));
  }

  dispose(): void {
    this.#listener?.dispose();
    this.#restTimer?.dispose();
    this.#retryTimer?.dispose();
    for (const uri of [...this.#open.keys()]) {
      this.#heal(uri);
      this.release(uri);
    }
    this.#didChangeProblem.dispose();
  }

  #find(folder: string): { session: ArchivedSession; seq: number } | undefined {
    // Folders that were being deleted or created when the process was killed.
    if (basename(folder).startsWith(TRASH) || !hasLog(folder)) {
      this.#discard(folder);
      return undefined;
    }
    const known = readSummaryFile(folder, this.options.logger);
    if (known?.isCurrent && this.#isIn(folder, known))
      return { session: { facts: known.facts, summary: known.summary, interrupted: false, unreadable: false }, seq: known.seq };
    try {
      const { log, state } = SessionLog.open(folder, this.options.logger, this.options.write);
      if (!this.#isIn(folder, log)) throw new Error('it lies in the folder of another session');
      return { session: { facts: log.facts, summary: state.summary, interrupted: true, unreadable: false }, seq: log.seq };
    } catch (error) {
      if (!(error instanceof DamagedLogError)) return this.#unreadable(folder, error, known);
      this.#setAside(folder, error);
      return undefined;
    }
  }

  #isIn(folder: string, { facts }: { facts: SessionFacts }): boolean {
    return folder === this.folderOf(facts.uri);
  }

  /** Reads without changing anything. Undefined when nothing is known of the session. */
  #unreadable(
    folder: string,
    error: unknown,
    summaryFile: KnownSession | undefined,
  ): { session: ArchivedSession; seq: number } | undefined {
    const problem = readProblem(error);
    const known = [summaryFile, error instanceof NewerFormatError ? error.known : undefined].find(
      (each): each is KnownSession => each !== undefined && isKnown(each) && this.#isIn(folder, each),
    );
    this.options.logger.error(`${known?.facts.uri ?? 'A session'} stays as it is in ${folder}: ${problem}`);
    if (!known) return undefined;
    return { session: { facts: known.facts, summary: unreadableSummary(known, problem), interrupted: false, unreadable: true }, seq: 0 };
  }

  #setAside(folder: string, { message }: DamagedLogError): void {
    const aside = join(dirname(folder), `${DAMAGED}${basename(folder)}-${this.#clock.now()}`);
    try {
      renameSync(folder, aside);
      this.options.logger.error(`A session cannot be read and is put aside as ${aside}: ${message}`);
    } catch (error) {
      this.options.logger.error(`A session cannot be read and not be put aside as ${aside} (${messageOf(error)}): ${message}`);
    }
  }

  #append({ resource, envelope, at }: DispatchedAction): void {
    const session = this.#open.get(resource);
    if (!session || session.problem !== undefined || envelope.rejectionReason !== undefined) return;
    try {
      session.log.append(at, envelope);
      const state = session.log.wantsRewrite ? this.#store?.session(resource) : undefined;
      if (state && this.#store) session.log.rewrite(state, this.#store.serverSeq);
      this.#stir(resource);
    } catch (error) {
      this.#failed(resource, session, messageOf(error));
    }
  }

  #failed(uri: URI, session: OpenSession, problem: string): void {
    session.problem = problem;
    this.options.logger.error(`${uri} cannot be saved: ${problem}`);
    this.#retryTimer ??= this.#clock.setTimer(() => this.#retry(), RETRY_MS);
    this.#didChangeProblem.fire({ session: uri, problem });
  }

  #retry(): void {
    this.#retryTimer = undefined;
    for (const uri of [...this.#open.keys()]) this.#heal(uri);
    if ([...this.#open.values()].some(({ problem }) => problem !== undefined))
      this.#retryTimer ??= this.#clock.setTimer(() => this.#retry(), RETRY_MS);
  }

  #heal(uri: URI): void {
    const session = this.#open.get(uri);
    const state = this.#store?.session(uri);
    if (session?.problem === undefined || !state || !this.#store) return;
    try {
      session.log.rewrite(state, this.#store.serverSeq);
    } catch (error) {
      session.problem = messageOf(error);
      return;
    }
    session.problem = undefined;
    this.options.logger.info(`${uri} is saved again`);
    this.#stir(uri);
    this.#didChangeProblem.fire({ session: uri, problem: undefined });
  }

  #stir(uri: URI): void {
    this.#stirred.add(uri);
    this.#restTimer ??= this.#clock.setTimer(() => this.#rest(), REST_AFTER_MS);
  }

  #rest(): void {
    this.#restTimer = undefined;
    const stirred = [...this.#stirred];
    this.#stirred.clear();
    for (const uri of stirred) {
      this.#open
        .get(uri)
        ?.log.sync()
        .catch((error: NodeJS.ErrnoException) => {
          // The session was disposed meanwhile and has no file.
          if (error.code !== 'ENOENT') this.options.logger.error(`${uri} could not be synced to the disk: ${messageOf(error)}`);
        });
      this.#writeSummary(uri);
    }
  }

  /** No summary is written while something is in progress: the next run must read the log. */
  #writeSummary(uri: URI): void {
    const session = this.#open.get(uri);
    const state = this.#store?.session(uri);
    if (!session || session.problem !== undefined || !state || state.activeTurn || state.lifecycle === 'creating') return;
    const { log, folder } = session;
    const file = { facts: log.facts, summary: state.summary, logSize: log.size, seq: log.seq };
    writeSummaryFile(folder, file, this.options.logger, this.options.write);
  }

  #discard(folder: string): void {
    const trash = join(dirname(folder), `${TRASH}${randomUUID()}`);
    try {
      renameSync(folder, trash);
      rmSync(trash, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      // The rest is removed at the next start.
      this.options.logger.warn(`${folder} could not be removed: ${messageOf(error)}`);
    }
  }
}

/** Why a session cannot be read, for the user. */
export function readProblem(error: unknown): string {
  return error instanceof NewerFormatError ? error.message : `The session cannot be read from this host's disk: ${messageOf(error)}`;
}
