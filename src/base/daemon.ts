/**
 * Detached processes that one machine user shares (the agent host, the gateway): found by a lock file, started by whoever needs one
 * first, gone when nobody does.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Challenge } from './challenge.ts';
import { type DaemonRecord, isDaemonAlive, readDaemonRecord, stateOf } from './daemonLock.ts';
import { UserError } from './errors.ts';
import type { Logger } from './log.ts';

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

/** The running daemon of this user, started when there is none. Fails with a {@link UserError}, which names the log of one that does not start. */
export async function findOrStartDaemon(spec: DaemonSpec, logger: Logger, signal?: AbortSignal): Promise<DaemonRecord> {
  const running = await findDaemon(spec.lockFile);
  const isThere = running && !(await makesRoom(running.record, spec, logger));
  if (isThere && running.isReady) return running.record;
  const start = isThere ? undefined : startDaemon(spec, logger);

  // A starter that lost the race against another one ends with code 0; the winner's record appears all the same.
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const found = await findDaemon(spec.lockFile);
    if (found?.isReady) return found.record;
    if (start?.failure && start.failure !== 'it ended with code 0') break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new UserError(
    `The ${spec.name} did not start: ${start?.failure ?? `no answer within ${START_TIMEOUT_MS / 1000} s`}. Its log is ${spec.logFile}.`,
  );
}

/** The result says why it has ended, if it has. */
function startDaemon(spec: DaemonSpec, logger: Logger): { failure?: string } {
  mkdirSync(dirname(spec.lockFile), { recursive: true, mode: 0o700 });
  const log = openSync(spec.logFile, 'w', 0o600);
  const child = spawn(process.execPath, spec.args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...spec.env },
  });
  closeSync(log);
  child.unref();
  const start: { failure?: string } = {};
  child.once('error', (error) => (start.failure = error.message));
  child.once('exit', (code, killedBy) => (start.failure = `it ended with ${killedBy ?? `code ${code}`}`));
  logger.info(`Starting the ${spec.name} (pid ${child.pid})`);
  return start;
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
    const challenge = new Challenge(token);
    const asked = request(
      {
        host: '127.0.0.1',
        port: Number(new URL(url).port),
        method: 'POST',
        path: RETIRE_PATH,
        timeout: PROBE_TIMEOUT_MS,
        agent: false,
      },
      (response) => {
        if (!challenge.isMetBy(response)) return resolve(true); // it has gone, and another has its port
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
    challenge.send(asked);
  });
}

/** By the numbers of `major.minor.patch`; what is no such version is not older. */
function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number));
  if (!own || !other) return false;
  const index = own.findIndex((number, place) => number !== other[place]);
  return index >= 0 && (own[index] ?? 0) < (other[index] ?? 0);
}

async function findDaemon(lockFile: string): Promise<{ record: DaemonRecord; isReady: boolean } | undefined> {
  const record = readDaemonRecord(lockFile);
  const state = record && (await stateOf(lockFile, record));
  return record && state !== 'gone' ? { record, isReady: state === 'ready' } : undefined;
}
