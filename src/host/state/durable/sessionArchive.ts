/**
 * All sessions on disk, one folder each: `log.jsonl`, `summary.json`, `contents/`, and `opening.json` of long ones. It is the first listener of the store, so that
 * everything is written before clients hear of it.
 *
 * When writing fails, the session goes on in memory and its clients are told of the problem. Nothing more is appended, and the whole state
 * is written as soon as that succeeds.
 */
import { mkdirSync } from 'node:fs';
import type { URI } from '../../../ahp/common/shapes.ts';
import { systemClock, type Clock } from '../../../base/clock.ts';
import { englishOf, messageOf } from '../../../base/errors.ts';
import { Emitter } from '../../../base/event.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { Logger } from '../../../base/log.ts';
import { isThere, type Write } from '../../../base/node/wholeFile.ts';
import type { SessionFacts } from '../listedSession.ts';
import type { AddedChannel, DispatchedAction, StateStore, StoredChannel } from '../stateStore.ts';
import { ArchiveFolder } from './files/archiveFolder.ts';
import { type ArchivedSession, findSessions } from './findSessions.ts';
import { FamiliesOfFormatOne, isFormatOne } from './formatOne/familiesOfFormatOne.ts';
import { isInProgress, listedChannels } from './listedChannels.ts';
import { readLogFile } from './files/logFile.ts';
import { readOpeningFile, writeOpeningFile } from './openingFile.ts';
import { SessionLog } from './sessionLog.ts';
import { writeSummaryFile } from './summaryFile.ts';

export { type ArchivedSession, readProblem } from './findSessions.ts';

interface OpenSession {
  log: SessionLog;
  folder: string;
  /** Channels of its log that are not in the store yet, with their states there. */
  expected: Map<URI, StoredChannel>;
  /** Its channels in the store. */
  channels: Set<URI>;
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

export class SessionArchive implements Disposable {
  /** The sessions that were found at the start. */
  readonly found: readonly ArchivedSession[];
  /** The greatest sequence number of any envelope. */
  readonly highestSeq: number;
  readonly #folders: ArchiveFolder;
  readonly #families: FamiliesOfFormatOne;
  readonly #open = new Map<URI, OpenSession>();
  /** Sessions that have changed since their summary was written. */
  readonly #stirred = new Set<URI>();
  readonly #clock: Clock;
  #restTimer: Disposable | undefined;
  #retryTimer: Disposable | undefined;
  #store: StateStore | undefined;
  #listeners: Disposable[] = [];
  readonly #didChangeProblem = new Emitter<{ session: URI; problem: string | undefined }>();
  /** Fires when writing a session fails for the first time, or succeeds again. */
  readonly onDidChangeProblem = this.#didChangeProblem.event;

  /** Throws when the folder cannot be used. No other process may use it. */
  constructor(private readonly options: SessionArchiveOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#folders = new ArchiveFolder(options.folder, options.logger, this.#clock);
    this.#families = new FamiliesOfFormatOne(this.#folders, options.logger);
    const { found, highestSeq } = findSessions({ ...options, folders: this.#folders, families: this.#families });
    this.found = found;
    this.highestSeq = highestSeq;
  }

  /** Must be called before any other listener is added to the store. */
  attach(store: StateStore): void {
    this.#store = store;
    this.#listeners = [
      store.onDidDispatch((dispatched) => this.#append(dispatched)),
      store.onDidAdd((added) => this.#added(added)),
      store.onDidDelete((channel) => this.#removed(channel)),
    ];
  }

  /**
   * Creates the log of a new session, with the channels that it begins with. They are added to the store after that. Throws when it cannot be
   * written; the caller deletes what was written then.
   */
  create(facts: SessionFacts, channels: readonly StoredChannel[], seq: number): void {
    const folder = this.folderOf(facts.uri);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#opened(facts.uri, SessionLog.create(folder, facts, channels, seq, this.options.write), folder, channels);
    // It fits no log. It only says whose log it is, in case that cannot be read.
    writeSummaryFile(folder, { facts, listed: listedChannels(facts, channels), logSize: 0, seq }, this.options.logger, this.options.write);
    this.#stir(facts.uri);
  }

  /** True when there is anything at the place of this session, even something that cannot be listed. */
  has(uri: URI): boolean {
    return isThere(this.folderOf(uri));
  }

  /**
   * Reads the channels of a session from its log, the session first. From now on the log is appended to. Throws when it cannot be read, or
   * must be written anew and cannot.
   */
  open(uri: URI): StoredChannel[] {
    const folder = this.folderOf(uri);
    const { log, channels } = this.#read(uri, folder);
    // The log could not be read when this run began. New envelopes must be newer than those in it.
    if (this.#store && log.seq > this.#store.serverSeq) log.rewrite(channels, this.#store.serverSeq);
    this.#opened(uri, log, folder, channels);
    return channels;
  }

  /** What a client sees first of a session that is not open, where that is known without its log: the session and its own chat. */
  glance(uri: URI): readonly StoredChannel[] | undefined {
    return this.#open.has(uri) ? undefined : readOpeningFile(this.folderOf(uri), this.options.logger);
  }

  /** Closes the session's files for now. Its channels must still be in the store. */
  release(uri: URI): void {
    this.#writeSummary(uri);
    this.#stirred.delete(uri);
    this.#open.get(uri)?.log.close();
    this.#open.delete(uri);
  }

  /** The session is deleted at once, even if this process is killed now. Its channels are taken from the store after that. */
  delete(uri: URI): void {
    this.#open.get(uri)?.log.close();
    this.#open.delete(uri);
    this.#stirred.delete(uri);
    this.#folders.discard(this.folderOf(uri));
    this.#families.delete(uri);
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
    return this.#folders.path;
  }
  folderOf(uri: URI): string {
    return this.#folders.folderOf(uri);
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#restTimer?.dispose();
    this.#retryTimer?.dispose();
    for (const uri of [...this.#open.keys()]) {
      this.#heal(uri);
      this.release(uri);
    }
    this.#didChangeProblem.dispose();
  }

  /** A session of format 1 is written anew, with its subagents. */
  #read(uri: URI, folder: string): { log: SessionLog; channels: StoredChannel[] } {
    const { logger, write } = this.options;
    const file = readLogFile(folder);
    if (isFormatOne(file)) {
      const { facts, channels, seq, taken } = this.#families.read(file);
      const log = SessionLog.create(folder, facts, channels, seq, write);
      this.#families.discard(uri, taken);
      // The summary is that of the old log.
      this.#stir(uri);
      return { log, channels };
    }
    const opened = SessionLog.open(folder, logger, write, file);
    const missing = this.#families.missing(uri, opened.channels);
    if (!missing) return opened;
    opened.log.rewrite(missing.channels, Math.max(opened.log.seq, missing.seq));
    this.#families.discard(uri, missing.taken);
    return { log: opened.log, channels: missing.channels };
  }

  #opened(uri: URI, log: SessionLog, folder: string, channels: readonly StoredChannel[]): void {
    const expected = new Map(channels.map((stored) => [stored.channel, stored]));
    this.#open.set(uri, { log, folder, expected, channels: new Set(), problem: undefined });
  }

  #append({ session: uri, envelope, at }: DispatchedAction): void {
    if (envelope.rejectionReason === undefined) this.#write(uri, ({ log }) => log.append(at, envelope));
  }

  #added(added: AddedChannel): void {
    const { channel, session: uri, state, seq } = added;
    const session = uri === undefined ? undefined : this.#open.get(uri);
    if (!session) return;
    session.channels.add(channel);
    const isInLog = session.expected.get(channel)?.state === state;
    session.expected.delete(channel);
    if (!isInLog) this.#write(uri, ({ log }) => log.added(added, seq));
  }

  #removed(channel: URI): void {
    const [uri, session] = [...this.#open].find(([, { channels }]) => channels.has(channel)) ?? [];
    session?.channels.delete(channel);
    // A log without its session could not be read.
    if (channel !== uri) this.#write(uri, ({ log }) => log.removed(channel, this.#store?.serverSeq ?? log.seq));
  }

  /** Writes to the log of an open session, unless that cannot be written at present. */
  #write(uri: URI | undefined, write: (session: OpenSession) => void): void {
    const session = uri === undefined ? undefined : this.#open.get(uri);
    if (uri === undefined || !session || session.problem !== undefined) return;
    try {
      write(session);
      if (session.log.wantsRewrite) this.#rewrite(uri, session);
      this.#stir(uri);
    } catch (error) {
      this.#failed(uri, session, messageOf(error));
    }
  }

  /** With the channels as the store has them now. False where it does not have the session. */
  #rewrite(uri: URI, { log, expected }: OpenSession): boolean {
    const channels = this.#store?.family(uri) ?? [];
    if (!this.#store || channels[0]?.channel !== uri) return false;
    log.rewrite([...channels, ...expected.values()], this.#store.serverSeq);
    return true;
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
    if (session?.problem === undefined) return;
    try {
      if (!this.#rewrite(uri, session)) return;
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
          if (error.code !== 'ENOENT') this.options.logger.error(`${uri} could not be synced to the disk: ${englishOf(error)}`);
        });
      this.#writeSummary(uri);
    }
  }

  /** No summary is written while something is in progress: the next run must read the log. */
  #writeSummary(uri: URI): void {
    const session = this.#open.get(uri);
    const channels = this.#store?.family(uri) ?? [];
    if (!session || session.problem !== undefined || channels[0]?.channel !== uri || isInProgress(channels)) return;
    const { log, folder } = session;
    const file = { facts: log.facts, listed: listedChannels(log.facts, channels), logSize: log.size, seq: log.seq };
    writeOpeningFile(folder, channels, file, this.options);
    writeSummaryFile(folder, file, this.options.logger, this.options.write);
  }
}
