/**
 * The lock file of a daemon. It says which process the daemon is and how to reach it, and only its user can read it. A reader believes it
 * only while that process lives. The daemon touches the file every second, for readers that cannot reach the process.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { Challenge } from '../server/challenge.ts';
import { messageOf, UserError } from '../errors.ts';
import type { Disposable } from '../lifecycle.ts';
import type { Logger } from '../log.ts';
import { phrase } from '../text/phrase.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from './processIdentity.ts';

/** How to reach a daemon. */
export interface DaemonAddress {
  /** WebSocket URL on loopback, without the token. */
  url: string;
  token: string;
  /** Version of the Tapline that runs it. */
  version: string;
  /** That it speaks, such as `de`: one that has texts. Absent: English. */
  language?: string;
}

/** The content of a lock file. */
export interface DaemonRecord extends DaemonAddress {
  pid: number;
  /** Absent in files of versions that do not write it, and cannot prove who they are. */
  process?: ProcessIdentity;
}

const BEAT_MS = 1_000;
/** A lock file that is not touched for so long belongs to a process that has ended, or that will notice that it lost the lock. */
const WATCH_MS = 4_000;
const WATCH_POLL_MS = 100;
const PROBE_TIMEOUT_MS = 2_000;
/** A daemon answers with this status while it has its lock and cannot be used yet. */
export const STARTING_STATUS = 503;

/** The record of a lock file. Undefined when there is none, or its content is not a record. */
export function readDaemonRecord(lockFile: string): DaemonRecord | undefined {
  let text: string;
  try {
    text = readFileSync(lockFile, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  let value: Partial<DaemonRecord> | null;
  try {
    value = JSON.parse(text) as Partial<DaemonRecord> | null;
  } catch {
    return undefined; // Half written by a process that was killed.
  }
  const { pid, url, token, version, language, process } = value ?? {};
  if (!Number.isSafeInteger(pid) || typeof url !== 'string' || typeof token !== 'string' || typeof version !== 'string') return undefined;
  if (!URL.canParse(url)) return undefined;
  return {
    pid: pid as number,
    url,
    token,
    version,
    ...(typeof language === 'string' && { language }),
    ...(isIdentity(process) && { process }),
  };
}

function isIdentity(value: Partial<ProcessIdentity> | undefined | null): value is ProcessIdentity {
  return [value?.startTime, value?.pidNamespace, value?.netNamespace].every((field) => typeof field === 'string');
}

/** `starting`: it cannot be used yet. `gone`: its lock may be taken. */
export type DaemonState = 'ready' | 'starting' | 'gone';

/** True when the process of the record lives and proves that it knows the token. False also where that cannot be checked from here. */
export async function isDaemonAlive(record: DaemonRecord): Promise<boolean> {
  return ['ready', 'starting'].includes(await standingOf(record));
}

/** Rejects with a {@link UserError} where the process of the record cannot be used from here and must not be replaced either. */
export async function stateOf(lockFile: string, record: DaemonRecord): Promise<DaemonState> {
  const standing = await standingOf(record);
  switch (standing) {
    case 'elsewhere':
      if (!(await isTouched(lockFile, record))) return 'gone';
      throw new UserError(
        phrase`${dirname(lockFile)} is in use from another container or another computer (by process ${String(record.pid)} there). End that one, or set TAPLINE_HOME to another folder here.`,
      );
    case 'unproven':
      throw new UserError(
        phrase`Process ${String(record.pid)} cannot prove that it is the one of ${lockFile}, because that was written by an older version of Tapline. End the process, or delete the file if the process is no Tapline.`,
      );
    default:
      return standing;
  }
}

/** The daemon of a lock file, which one that was killed has left. Undefined where none runs. Rejects like {@link stateOf}. */
export async function findDaemon(lockFile: string): Promise<DaemonRecord | undefined> {
  const record = readDaemonRecord(lockFile);
  return record && (await stateOf(lockFile, record)) !== 'gone' ? record : undefined;
}

async function standingOf(record: DaemonRecord): Promise<DaemonState | 'elsewhere' | 'unproven'> {
  const { pid, process: identity } = record;
  if (!identity) return isRunning(pid, { ...ownIdentity(), startTime: '' }) && (await listens(record)) ? 'unproven' : 'gone';
  if (isRunning(pid, identity) === false) return 'gone';
  if (identity.netNamespace !== ownIdentity().netNamespace) return 'elsewhere';
  return ask(record);
}

/** A daemon that is too busy to answer counts as ready. Whoever connects to it asks for its proof again. */
function ask({ url, token }: DaemonRecord): Promise<DaemonState> {
  return new Promise((resolve) => {
    const challenge = new Challenge(token);
    const asked = request({
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      agent: false,
    });
    asked.once('response', (response) => {
      response.resume();
      if (challenge.isMetBy(response)) resolve(response.statusCode === STARTING_STATUS ? 'starting' : 'ready');
      else resolve('gone');
    });
    // Nothing listens there, or something that does not speak HTTP. Any other error may be on our side.
    asked.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' || code.startsWith('HPE_') ? 'gone' : 'ready'),
    );
    challenge.send(asked);
  });
}

function listens({ url }: DaemonRecord): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), timeout: PROBE_TIMEOUT_MS });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}

/** Tokens of daemons whose lock files were watched without a change. A daemon that has lost one of its locks has lost them all. */
const untouched = new Set<string>();

/** Watches the file instead of reading its time once: the clocks of two computers differ, and a computer that slept has not touched it. */
async function isTouched(lockFile: string, { token }: DaemonRecord): Promise<boolean> {
  if (untouched.has(token)) return false;
  const before = touchedAt(lockFile);
  for (const end = performance.now() + WATCH_MS; performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, WATCH_POLL_MS));
    if (readDaemonRecord(lockFile)?.token !== token) return false; // Another daemon has the lock now.
    if (touchedAt(lockFile) !== before) return true;
  }
  untouched.add(token);
  return false;
}

/** Opens the file, because a network file system may answer `stat` from a cache. */
function touchedAt(lockFile: string): number | undefined {
  let file: number;
  try {
    file = openSync(lockFile, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return fstatSync(file).mtimeMs;
  } finally {
    closeSync(file);
  }
}

export interface DaemonLockOptions {
  logger: Logger;
  /** Called when the lock is lost: another process took it while this one was suspended, or the file was deleted. The process must stop. */
  onLost(): void;
}

/**
 * Makes this process the daemon of the lock file, until the result is disposed. To be called once it listens. Resolves with undefined when
 * another daemon has the lock; this process must end then. Rejects with a {@link UserError} like {@link stateOf}.
 *
 * The file appears as a whole, by a hard link. A stale file is moved away first, so that one of several starters wins.
 */
export async function claimDaemonLock(
  lockFile: string,
  { url, token, version, language }: DaemonAddress,
  options: DaemonLockOptions,
): Promise<DaemonLock | undefined> {
  const record: DaemonRecord = {
    pid: process.pid,
    url,
    token,
    version,
    ...(language !== undefined && { language }),
    process: ownIdentity(),
  };
  const own = `${lockFile}.${randomUUID()}`;
  mkdirSync(dirname(lockFile), { recursive: true, mode: 0o700 });
  chmodSync(dirname(lockFile), 0o700);
  writeFileSync(own, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
  try {
    for (;;) {
      if (tryLink(own, lockFile)) return new DaemonLock(lockFile, token, options);
      const current = readDaemonRecord(lockFile);
      if (current && (await stateOf(lockFile, current)) !== 'gone') return undefined;
      removeStale(lockFile, current);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

export class DaemonLock implements Disposable {
  #lookedAt = Date.now();
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  /** Another starter moves the file away for a moment while it looks at it. */
  #wasMissing = false;
  #lastTrouble = '';

  constructor(
    private readonly lockFile: string,
    private readonly token: string,
    private readonly options: DaemonLockOptions,
  ) {}

  /** Removes the lock file if it still belongs to this daemon. */
  dispose(): void {
    clearInterval(this.#timer);
    if (readDaemonRecord(this.lockFile)?.token === this.token) rmSync(this.lockFile, { force: true });
  }

  /**
   * To be called before a write that the lock protects, because a process that was suspended may have lost its lock. Throws when that
   * cannot be checked. A missing file counts as lost, because another process may be about to write its own.
   */
  check(): void {
    if (Math.abs(Date.now() - this.#lookedAt) < 2 * BEAT_MS) return;
    if (readDaemonRecord(this.lockFile)?.token === this.token) this.#lookedAt = Date.now();
    else this.#lost();
  }

  #lost(): void {
    clearInterval(this.#timer);
    this.options.onLost();
  }

  #beat(): void {
    try {
      const current = readDaemonRecord(this.lockFile);
      if (current?.token === this.token) {
        const now = new Date();
        utimesSync(this.lockFile, now, now);
        this.#lookedAt = now.getTime();
        this.#wasMissing = false;
      } else if (current || this.#wasMissing) {
        this.#lost();
      } else {
        this.#wasMissing = true;
      }
    } catch (error) {
      const trouble = messageOf(error);
      if (trouble !== this.#lastTrouble) this.options.logger.warn(`touching the lock file: ${trouble}`);
      this.#lastTrouble = trouble;
    }
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the stale file away. If another starter has replaced it by a live one meanwhile, that one is put back. */
function removeStale(lockFile: string, judged: DaemonRecord | undefined): void {
  const moved = `${lockFile}.${randomUUID()}`;
  try {
    renameSync(lockFile, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return; // Another starter was faster.
    throw error;
  }
  const record = readDaemonRecord(moved);
  if (record && record.token !== judged?.token) tryLink(moved, lockFile);
  rmSync(moved, { force: true });
}
