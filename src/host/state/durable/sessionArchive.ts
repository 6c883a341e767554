/**
 * All sessions on disk, one folder each: `log.jsonl`, `summary.json` and `contents/`. Listens to the store first of all, so that whatever
 * a client hears was written before.
 *
 * Where writing fails, the session goes on in memory with a problem that its clients are told, nothing more is appended, and the whole
 * state is written anew as soon as that works.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { URI } from '../../../ahp/v1/common.ts';
import type { SessionState, SessionSummary } from '../../../ahp/v1/session.ts';
import { systemClock, type Clock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import type { DispatchedAction, StateStore } from '../stateStore.ts';
import { DamagedLogError, hasLog, NewerFormatError, SessionLog, type SessionFacts } from './sessionLog.ts';
import { isKnown, type KnownSession, readSummaryFile, unreadableSummary, writeSummaryFile } from './summaryFile.ts';
import { isThere, type Write } from './wholeFile.ts';

export interface ArchivedSession {
  facts: SessionFacts;
  summary: SessionSummary;
  /** The run before ended in the middle of something: it must be opened to be put right. */
  interrupted: boolean;
  /** It stays as it was found; its summary says why, and may be old. */
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

/** From the last change of a session to its summary and fsync. */
const REST_AFTER_MS = 250;
/** Between attempts to write what could not be written. */
const RETRY_MS = 5000;
const TRASH = 'trash-';
const DAMAGED = 'damaged-';
/** Nothing else in the folder is touched. */
const OWN_FOLDER = /^(?:[0-9a-f]{32}$|trash-)/;

export class SessionArchive implements Disposable {
  /** As they were found at the start. */
  readonly found: readonly ArchivedSession[];
  /** The greatest number of any envelope. */
  readonly highestSeq: number;
  readonly #open = new Map<URI, OpenSession>();
  /** Changed since their summary was written. */
  readonly #stirred = new Set<URI>();
  readonly #clock: Clock;
  #restTimer: Disposable | undefined;
  #retryTimer: Disposable | undefined;
  #store: StateStore | undefined;
  #listener: Disposable | undefined;
  readonly #didChangeProblem = new Emitter<{ session: URI; problem: string | undefined }>();
  /** Writing a session began to fail, or works again. */
  readonly onDidChangeProblem = this.#didChangeProblem.event;

  /** Throws when the folder cannot be used. It must be this process's alone. */
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

  /** Must be called before anyone else listens to the store. */
  attach(store: StateStore): void {
    this.#store = store;
    this.#listener = store.onDidDispatch((dispatched) => this.#append(dispatched));
  }

  /** Begins the log of a new session. Throws when it cannot be written; what there is of it is to be deleted then. */
  create(facts: SessionFacts, state: SessionState, seq: number): void {
    const folder = this.folderOf(facts.uri);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const log = SessionLog.create(folder, facts, state, seq, this.options.write);
    this.#open.set(facts.uri, { log, folder, problem: undefined });
    // Valid for no log: it only says whose log it is, should that not be readable.
    writeSummaryFile(folder, { facts, summary: state.summary, logSize: 0, seq }, this.options.logger, this.options.write);
    this.#stir(facts.uri);
  }

  /** There is something in the place of this session, though perhaps none that could be listed. */
  has(uri: URI): boolean {
    return isThere(this.folderOf(uri));
  }

  /** The state of a session, read from its log, which is appended to from here on. Throws when it cannot be read. */
  open(uri: URI): SessionState {
    const folder = this.folderOf(uri);
    const { log, state } = SessionLog.open(folder, this.options.logger, this.options.write);
    // One that could not be read when this run began: what comes now must count as newer than what it holds.
    if (this.#store && log.seq > this.#store.serverSeq) log.rewrite(state, this.#store.serverSeq);
    this.#open.set(uri, { log, folder, problem: undefined });
    return state;
  }

  /** Nothing more will happen in this session for now. Its state must still be in the store. */
  release(uri: URI): void {
    this.#writeSummary(uri);
    this.#stirred.delete(uri);
    this.#open.get(uri)?.log.close();
    this.#open.delete(uri);
  }

  /** Gone at once, even if this process is killed now. */
  delete(uri: URI): void {
    this.#open.get(uri)?.log.close();
    this.#open.delete(uri);
    this.#stirred.delete(uri);
    this.#discard(this.folderOf(uri));
  }

  /** Why the session cannot be written at present; tries again first. */
  problem(uri: URI): string | undefined {
    this.#heal(uri);
    return this.#open.get(uri)?.problem;
  }

  /** Known without trying. */
  hasProblem(uri: URI): boolean {
    return this.#open.get(uri)?.problem !== undefined;
  }

  get folder(): string {
    return this.options.folder;
  }
  folderOf(uri: URI): string {
    return join(this.folder, createHash('sha256').update(uri).digest('hex').slice(0, 32));
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
    // What was being deleted, or was not yet made when the process was killed.
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

  /** Nothing of it is touched. Undefined when nothing is known of it. */
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
          // A session that was disposed of meanwhile has no file any more.
          if (error.code !== 'ENOENT') this.options.logger.error(`${uri} could not be brought to the disk: ${messageOf(error)}`);
        });
      this.#writeSummary(uri);
    }
  }

  /** None for a session in the middle of something: the next run must look at its log. */
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
      // What is left of it is removed at the next start.
      this.options.logger.warn(`${folder} could not be removed: ${messageOf(error)}`);
    }
  }
}

/** Why a session cannot be read, for a person. */
export function readProblem(error: unknown): string {
  return error instanceof NewerFormatError ? error.message : `The session cannot be read from this host's disk: ${messageOf(error)}`;
}
