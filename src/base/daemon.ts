/**
 * Detached processes that one machine user shares (the agent host, the gateway): found by a lock file, started by whoever needs one
 * first, gone when nobody does. The lock file holds how to reach the process and is readable by its user alone.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, linkSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UserError } from './errors.ts';
import type { Logger } from './log.ts';

/** What a lock file says. */
export interface DaemonRecord {
  pid: number;
  /** WebSocket URL on loopback, without the token. */
  url: string;
  token: string;
  /** Version of Tapline that runs it. */
  version: string;
}

export interface DaemonSpec {
  /** For messages, such as `agent host`. */
  name: string;
  lockFile: string;
  /** Where what it prints goes; begun anew at each start. */
  logFile: string;
  /** Script and arguments; run by this process's own Node (or Electron as Node). */
  args: string[];
  /** Version of Tapline that asks: an older daemon is replaced once nobody uses it. */
  version?: string;
  env?: Record<string, string>;
}

const START_TIMEOUT_MS = 15_000;
const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;
/** Where a daemon is asked, with POST, to make room for a newer one. */
export const RETIRE_PATH = '/retire';

/** The folder of Tapline's own files: `TAPLINE_HOME`, else `~/.tapline`. */
export function taplineHome(): string {
  return process.env.TAPLINE_HOME || join(homedir(), '.tapline');
}

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
  const { pid, url, token, version } = value ?? {};
  if (!Number.isInteger(pid) || typeof url !== 'string' || typeof token !== 'string' || typeof version !== 'string') return undefined;
  if (!URL.canParse(url)) return undefined;
  return { pid: pid as number, url, token, version };
}

/** True when the process of the record lives and its port answers. */
export async function isDaemonAlive(record: DaemonRecord): Promise<boolean> {
  try {
    process.kill(record.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const port = Number(new URL(record.url).port);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: PROBE_TIMEOUT_MS });
    const finish = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}

/** The running daemon of this user, started when there is none. Fails with a {@link UserError} that names the log. */
export async function findOrStartDaemon(spec: DaemonSpec, logger: Logger, signal?: AbortSignal): Promise<DaemonRecord> {
  const running = await findDaemon(spec.lockFile);
  if (running && !(await makesRoom(running, spec, logger))) return running;
  mkdirSync(dirname(spec.lockFile), { recursive: true, mode: 0o700 });
  const log = openSync(spec.logFile, 'w', 0o600);
  const child = spawn(process.execPath, spec.args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...spec.env },
  });
  closeSync(log);
  child.unref();
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, killedBy) => (failure = `it ended with ${killedBy ?? `code ${code}`}`));
  logger.info(`Starting the ${spec.name} (pid ${child.pid})`);

  // A starter that lost the race against another one ends with code 0; the winner's record appears all the same.
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const record = await findDaemon(spec.lockFile);
    if (record) return record;
    if (failure && failure !== 'it ended with code 0') break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new UserError(
    `The ${spec.name} did not start: ${failure ?? `no answer within ${START_TIMEOUT_MS / 1000} s`}. Its log is ${spec.logFile}.`,
  );
}

/** True when the daemon of an older version has gone or goes now; it is used as it is while it has work or other clients. */
async function makesRoom(running: DaemonRecord, spec: DaemonSpec, logger: Logger): Promise<boolean> {
  if (spec.version === undefined || !isOlder(running.version, spec.version)) return false;
  const retired = await askToRetire(running);
  logger.info(`The running ${spec.name} is of version ${running.version}; ${retired ? 'it makes room' : 'it is in use and stays for now'}`);
  if (!retired) return false;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (readDaemonRecord(spec.lockFile)?.token === running.token && (await isDaemonAlive(running))) {
    if (Date.now() > deadline) throw new UserError(`The older ${spec.name} (process ${running.pid}) did not end. End it and try again.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

/** False when it is in use, or so old that it does not understand; true also when it goes without a word. */
function askToRetire({ url, token }: DaemonRecord): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: Number(new URL(url).port),
        method: 'POST',
        path: `${RETIRE_PATH}?tkn=${token}`,
        timeout: PROBE_TIMEOUT_MS,
      },
      (response) => {
        let body = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (body = (body + chunk).slice(0, 1000)));
        response.on('error', () => resolve(true));
        response.on('end', () => resolve(response.statusCode === 200 && body === JSON.stringify({ retired: true })));
      },
    );
    asked.once('timeout', () => {
      resolve(false);
      asked.destroy();
    });
    // Another window asked at the same time, and it has gone already.
    asked.on('error', () => resolve(true));
    asked.end();
  });
}

/** By the numbers of `major.minor.patch`; what is no such version is not older. */
function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number));
  if (!own || !other) return false;
  const index = own.findIndex((number, place) => number !== other[place]);
  return index >= 0 && (own[index] ?? 0) < (other[index] ?? 0);
}

async function findDaemon(lockFile: string): Promise<DaemonRecord | undefined> {
  const record = readDaemonRecord(lockFile);
  return record && (await isDaemonAlive(record)) ? record : undefined;
}

/**
 * Called by the daemon once it listens: makes it the one of this lock file. False when another one lives; then this process must end.
 * The file appears whole or not at all (linked into place), and a stale one is moved away, so that of many starters one wins.
 */
export async function claimDaemonLock(lockFile: string, record: DaemonRecord): Promise<boolean> {
  const own = `${lockFile}.${randomUUID()}`;
  mkdirSync(dirname(lockFile), { recursive: true, mode: 0o700 });
  chmodSync(dirname(lockFile), 0o700);
  writeFileSync(own, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
  try {
    for (;;) {
      if (tryLink(own, lockFile)) return true;
      const current = readDaemonRecord(lockFile);
      if (current && (await isDaemonAlive(current))) return false;
      removeStale(lockFile, current);
    }
  } finally {
    rmSync(own, { force: true });
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

/** Removes the lock file if it is still this daemon's. */
export function releaseDaemonLock(lockFile: string, record: DaemonRecord): void {
  if (readDaemonRecord(lockFile)?.token === record.token) rmSync(lockFile, { force: true });
}
