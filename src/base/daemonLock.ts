/**
 * The lock file of a detached process that one machine user shares: how to reach it, for its user alone, and which process it is. Whoever
 * reads one asks whether that process still lives before it believes the file. Its owner touches it every second, for readers who cannot
 * reach the process.
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
import { Challenge } from './challenge.ts';
import { messageOf, UserError } from './errors.ts';
import type { Disposable } from './lifecycle.ts';
import type { Logger } from './log.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from './processIdentity.ts';

/** How a daemon is reached. */
export interface DaemonAddress {
  /** WebSocket URL on loopback, without the token. */
  url: string;
  token: string;
  /** Version of Tapline that runs it. */
  version: string;
}

/** What a lock file says. */
export interface DaemonRecord extends DaemonAddress {
  pid: number;
  /** Absent: of a version that does not say, and cannot prove who it is. */
  process?: ProcessIdentity;
}

const BEAT_MS = 1_000;
/** A lock that is not touched for so long is left by a process that has ended, or that has stopped and finds its lock lost. */
const WATCH_MS = 4_000;
const WATCH_POLL_MS = 100;
const PROBE_TIMEOUT_MS = 2_000;
/** What a daemon answers as long as it has its lock and cannot be used yet. */
export const STARTING_STATUS = 503;

/** The record of a lock file; undefined when there is none or it is not one of ours. */
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
    return undefined; // half written by a process that was killed: stale
  }
  const { pid, url, token, version, process } = value ?? {};
  if (!Number.isSafeInteger(pid) || typeof url !== 'string' || typeof token !== 'string' || typeof version !== 'string') return undefined;
  if (!URL.canParse(url)) return undefined;
  return { pid: pid as number, url, token, version, ...(isIdentity(process) && { process }) };
}

function isIdentity(value: Partial<ProcessIdentity> | undefined | null): value is ProcessIdentity {
  return [value?.startTime, value?.pidNamespace, value?.netNamespace].every((field) => typeof field === 'string');
}

/** `starting`: it cannot be used yet. `gone`: its lock may be taken. */
export type DaemonState = 'ready' | 'starting' | 'gone';

/** True when the process of the record lives and proves that it knows the record's token. False where that cannot be seen from here. */
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
        `${dirname(lockFile)} is in use from another container or another computer (by process ${record.pid} there). ` +
          'End that one, or set TAPLINE_HOME to another folder here.',
      );
    case 'unproven':
      throw new UserError(
        `Process ${record.pid} cannot prove that it is the one of ${lockFile}, because that was written by an older version of Tapline. ` +
          'End the process, or delete the file if the process is no Tapline.',
      );
    default:
      return standing;
  }
}

async function standingOf(record: DaemonRecord): Promise<DaemonState | 'elsewhere' | 'unproven'> {
  const { pid, process: identity } = record;
  if (!identity) return isRunning(pid, { ...ownIdentity(), startTime: '' }) && (await listens(record)) ? 'unproven' : 'gone';
  if (isRunning(pid, identity) === false) return 'gone';
  if (identity.netNamespace !== ownIdentity().netNamespace) return 'elsewhere';
  return ask(record);
}

/** One that is too busy to answer is no less there: whoever connects to it asks for its proof again. */
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
    // Nobody listens, or somebody who does not speak HTTP. Any other trouble may be ours, and says nothing of it.
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

/** Tokens of those that were watched in vain: each has several locks, which it loses with the first. */
const untouched = new Set<string>();

/** By watching, not by the time of the file: the clocks of two computers differ, and one that slept has not touched it. */
async function isTouched(lockFile: string, { token }: DaemonRecord): Promise<boolean> {
  if (untouched.has(token)) return false;
  const before = touchedAt(lockFile);
  for (const end = performance.now() + WATCH_MS; performance.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, WATCH_POLL_MS));
    if (readDaemonRecord(lockFile)?.token !== token) return false; // another has it by now
    if (touchedAt(lockFile) !== before) return true;
  }
  untouched.add(token);
  return false;
}

/** Opened, so that a file system of another computer is asked anew. */
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
  /** The lock is not this process's any more: another took it while this one stood still, or the file was deleted. It must not go on. */
  onLost(): void;
}

/**
 * Called by the daemon once it listens: makes it the one of this lock file, until the result is disposed of. Undefined when another one lives; then
 * this process must end. Rejects with a {@link UserError} like {@link stateOf}.
 * The file appears whole or not at all (linked into place), and a stale one is moved away, so that of many starters one wins.
 */
export async function claimDaemonLock(
  lockFile: string,
  { url, token, version }: DaemonAddress,
  options: DaemonLockOptions,
): Promise<DaemonLock | undefined> {
  const record: DaemonRecord = { pid: process.pid, url, token, version, process: ownIdentity() };
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
  /** A starter that looks away for a moment is no loss. */
  #wasMissing = false;
  #lastTrouble = '';

  constructor(
    private readonly lockFile: string,
    private readonly token: string,
    private readonly options: DaemonLockOptions,
  ) {}

  /** Removes the lock file if it is still this daemon's. */
  dispose(): void {
    clearInterval(this.#timer);
    if (readDaemonRecord(this.lockFile)?.token === this.token) rmSync(this.lockFile, { force: true });
  }

  /**
   * Called before something is written that the lock protects: a process that stood still must not go on before it has looked. Throws when
   * that cannot be seen; a lock that is missing then is lost, because another may be about to put its own there.
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

/** Moves the stale file away. If another starter has put a live one there in between, that one is put back. */
function removeStale(lockFile: string, judged: DaemonRecord | undefined): void {
  const moved = `${lockFile}.${randomUUID()}`;
  try {
    renameSync(lockFile, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return; // another starter was faster
    throw error;
  }
  const record = readDaemonRecord(moved);
  if (record && record.token !== judged?.token) tryLink(moved, lockFile);
  rmSync(moved, { force: true });
}
