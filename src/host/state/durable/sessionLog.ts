/**
 * The log of one session, as JSON lines. The first line holds the states of its channels, the session first, and the sequence number that
 * they include. Each further line holds an envelope and the time that its reducer used, or a channel that was added or removed. Reading
 * reduces the envelopes, so the result is exactly the states that clients had.
 *
 * A process that is killed leaves at most one incomplete line, at the end. It is removed when the log is read. No client has heard of its
 * envelope, because envelopes are written before they are sent.
 */
import { closeSync, openSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActionEnvelope } from '../../../ahp/channels/actions.ts';
import { channelReducers } from '../../../ahp/channels/channelReducers.ts';
import { isStateOf } from '../../../ahp/channels/reducers/isStateOf.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { isRecord } from '../../../base/isRecord.ts';
import type { Logger } from '../../../base/log.ts';
import { replaceFile, writeFully, writeToDisk, type Write } from '../../../base/node/wholeFile.ts';
import type { SessionFacts } from '../listedSession.ts';
import type { StoredChannel } from '../stateStore.ts';
import { ChannelReplay } from './channelReplay.ts';
import { listedChannels, olderSummary } from './listedChannels.ts';
import {
  DamagedLogError,
  FORMAT,
  keepDamaged,
  LOG_FILE,
  type LogFile,
  NewerFormatError,
  parsedLine,
  readLogFile,
} from './files/logFile.ts';

interface Head {
  format: number;
  facts: SessionFacts;
  /** The states include all envelopes up to this number. */
  seq: number;
  channels: readonly StoredChannel[];
  /** What an older version lists of the session, which it cannot read. */
  state: { summary: object };
}
type Line =
  | {
      /** ms since the epoch. */
      at: number;
      envelope: ActionEnvelope;
    }
  | { seq: number; added: StoredChannel }
  | { seq: number; removed: URI };

/** A log with fewer bytes of further lines is never rewritten. */
const MIN_TAIL = 256 * 1024;

export class SessionLog {
  #fd: number | undefined;
  #size = 0;
  #headSize = 0;
  #headSeq = 0;
  #seq = 0;

  private constructor(
    private readonly folder: string,
    readonly facts: SessionFacts,
    private readonly write: Write,
  ) {}

  /** The folder must exist. */
  static create(folder: string, facts: SessionFacts, channels: readonly StoredChannel[], seq: number, write = writeToDisk): SessionLog {
    const log = new SessionLog(folder, facts, write);
    log.rewrite(channels, seq);
    return log;
  }

  /**
   * Reads and repairs a log. When a line cannot be parsed, it and all later ones are dropped, because those may depend on it. The damaged
   * file is kept beside. Throws {@link DamagedLogError}, {@link NewerFormatError}, or an error of the file system; the log is unchanged
   * then.
   */
  static open(
    folder: string,
    logger: Logger,
    write = writeToDisk,
    file = readLogFile(folder),
  ): { log: SessionLog; channels: StoredChannel[] } {
    const { facts, seq, channels } = headOf(file);
    if (file.isTorn) {
      logger.warn(`${facts.uri}: the last line of its log was incomplete and is removed`);
      truncateSync(file.path, file.size);
    }
    const log = new SessionLog(folder, facts, write);
    log.#size = file.size;
    log.#headSize = file.headSize;
    log.#headSeq = log.#seq = seq;
    const replay = new ChannelReplay(channels, seq);
    for (const [index, text] of file.lines.entries()) {
      const line = lineOf(text, file);
      if (!line) {
        logger.error(`${facts.uri}: ${keepDamaged(file, index, folder)}`);
        log.rewrite(replay.channels, log.#seq);
        break;
      }
      log.#seq = Math.max(log.#seq, 'envelope' in line ? line.envelope.serverSeq : line.seq);
      if ('envelope' in line) replay.dispatch(line.envelope.channel, line.envelope.action, line.envelope.serverSeq, line.at);
      else if ('added' in line) replay.add(line.added, line.seq);
      else replay.remove(line.removed);
    }
    return { log, channels: replay.channels };
  }

  /** Size of the file in bytes. */
  get size(): number {
    return this.#size;
  }
  /** The greatest sequence number in it. */
  get seq(): number {
    return this.#seq;
  }
  /** True when rewriting the log with the states alone would make it much smaller. A log is at most about twice as large as its states. */
  get wantsRewrite(): boolean {
    return this.#size - this.#headSize > Math.max(MIN_TAIL, this.#headSize);
  }

  /** Survives the end of this process once it returns, as the two below. After an error the log must be rewritten before anything is appended. */
  append(at: number, envelope: ActionEnvelope): void {
    // The states that the log was rewritten with include it already. Numbers of further lines do not count: a channel may be added while an
    // earlier envelope is still to be delivered.
    if (envelope.serverSeq > this.#headSeq) this.#append({ at, envelope }, envelope.serverSeq);
  }
  added({ channel, kind, state }: StoredChannel, seq: number): void {
    this.#append({ seq, added: { channel, kind, state } as StoredChannel }, seq);
  }
  removed(channel: URI, seq: number): void {
    this.#append({ seq, removed: channel }, seq);
  }

  /** Replaces the log by one that holds these states alone. After an error the log is unchanged. */
  rewrite(channels: readonly StoredChannel[], seq: number): void {
    const summary = olderSummary(listedChannels(this.facts, channels));
    const head: Head = { format: FORMAT, facts: this.facts, seq, state: { summary }, channels };
    const line = Buffer.from(`${JSON.stringify(head)}\n`);
    replaceFile(join(this.folder, LOG_FILE), line, { sync: true, write: this.write });
    this.close();
    this.#size = this.#headSize = line.length;
    this.#headSeq = this.#seq = seq;
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

  #append(line: Line, seq: number): void {
    const data = Buffer.from(`${JSON.stringify(line)}\n`);
    this.#fd ??= openSync(join(this.folder, LOG_FILE), 'a', 0o600);
    writeFully(this.#fd, data, this.write);
    this.#size += data.length;
    this.#seq = Math.max(this.#seq, seq);
  }
}

function headOf(file: LogFile): Pick<Head, 'facts' | 'seq' | 'channels'> {
  const { facts, seq, channels } = file.head as Partial<Head>;
  const [session] = Array.isArray(channels) ? (channels as StoredChannel[]) : [];
  if (
    file.format !== FORMAT ||
    ![facts?.uri, facts?.workingDirectory].every((text) => typeof text === 'string') ||
    !Number.isSafeInteger(facts?.createdAt) ||
    typeof seq !== 'number' ||
    session?.kind !== 'session' ||
    session.channel !== facts?.uri ||
    !channels?.every((channel) => isChannel(channel, file))
  )
    throw new DamagedLogError(`${file.path} does not begin with a session of format ${FORMAT}`);
  return { facts, seq, channels };
}

function lineOf(text: string, file: LogFile): Line | undefined {
  const line = parsedLine(text);
  if (!line) return undefined;
  const { at, envelope, seq, added, removed } = line as Partial<Record<'at' | 'envelope' | 'seq' | 'added' | 'removed', unknown>>;
  const isEnvelope =
    typeof at === 'number' &&
    isRecord(envelope) &&
    typeof envelope.serverSeq === 'number' &&
    typeof envelope.channel === 'string' &&
    isRecord(envelope.action);
  const isChange = typeof seq === 'number' && (added === undefined ? typeof removed === 'string' : isChannel(added, file));
  return isEnvelope || isChange ? (line as unknown as Line) : undefined;
}

/** Throws {@link NewerFormatError} for a kind of channel that only a newer version has. */
function isChannel(value: unknown, { head }: LogFile): value is StoredChannel {
  const { channel, kind, state } = (value ?? {}) as Partial<StoredChannel>;
  if (typeof channel !== 'string' || typeof kind !== 'string') return false;
  if (!Object.hasOwn(channelReducers, kind)) throw new NewerFormatError(head);
  return isStateOf(kind, state);
}
