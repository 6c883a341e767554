/**
 * Detached processes that all windows of one user share (the agent host, the gateway). A daemon is found by its lock file, started by the
 * first window that needs it, and ends when nobody uses it.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { Challenge } from '../server/challenge.ts';
import { type DaemonRecord, isDaemonAlive, readDaemonRecord, stateOf } from './daemonLock.ts';
import { isRunning } from './processIdentity.ts';
import { UserError } from '../errors.ts';
import { english, phrase, type Words } from '../text/phrase.ts';
import type { Logger } from '../log.ts';

export interface DaemonSpec {
  /** For messages, such as `agent host`. */
  name: Words;
  lockFile: string;
  /** Where its output goes. Overwritten at each start. */
  logFile: string;
  /** Script and arguments. It is run by this process's own Node (or Electron as Node). */
  args: string[];
  /** Version of the Tapline that needs it. A daemon of an older version is replaced once nobody uses it. */
  version?: string;
  /** One that has texts, or `en`. A daemon of that version in another language is replaced if nobody uses it now. Absent: any will do. */
  language?: string;
  env?: Record<string, string>;
}

const START_TIMEOUT_MS = 15_000;
const POLL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;
/** A daemon stops what runs in it first. */
const END_TIMEOUT_MS = 20_000;
/** A POST to this path asks a daemon to make room for another one. */
export const RETIRE_PATH = '/retire';
/** In the query of that path. A daemon of an older version ends once nobody uses it; one in another language ends only if it is idle now. */
export const RETIRE_FOR_LANGUAGE = 'for=language';

/**
 * The running daemon of this user, started if there is none. Rejects with a {@link UserError}; when the daemon does not start, it names the
 * log.
 */
export async function findOrStartDaemon(spec: DaemonSpec, logger: Logger, signal?: AbortSignal): Promise<DaemonRecord> {
  const running = await findDaemon(spec.lockFile);
  const isThere = running && !(await makesRoom(running.record, spec, logger));
  if (isThere && running.isReady) return running.record;
  const start = isThere ? undefined : startDaemon(spec, logger);

  // A starter that lost the race against another one ends with code 0. The winner's record appears all the same.
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const found = await findDaemon(spec.lockFile);
    if (found?.isReady) return found.record;
    if (start?.failure !== undefined && !start.isDone) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new UserError(
    phrase`The ${spec.name} did not start: ${start?.failure ?? phrase`no answer within ${START_TIMEOUT_MS / 1000} s`}. Its log is ${spec.logFile}.`,
  );
}

/** Ends the running daemon and waits until its process is gone; false when none runs. Rejects with a {@link UserError} when it does not end. */
export async function stopDaemon({ name, lockFile }: Pick<DaemonSpec, 'name' | 'lockFile'>): Promise<boolean> {
  const running = readDaemonRecord(lockFile);
  if (!running?.process || !(await isDaemonAlive(running))) return false;
  process.kill(running.pid, 'SIGTERM');
  for (const deadline = Date.now() + END_TIMEOUT_MS; isRunning(running.pid, running.process);) {
    if (Date.now() > deadline) throw didNotEnd(name, running, END_TIMEOUT_MS);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

function didNotEnd(name: Words, { pid }: DaemonRecord, ms: number): UserError {
  return new UserError(phrase`The ${name} (process ${String(pid)}) did not end within ${ms / 1000} s. End that process.`);
}

/** Of a process. `failure`: why it has ended. `isDone`: by itself, with code 0. */
interface Start {
  failure?: Words;
  isDone?: boolean;
}

function startDaemon(spec: DaemonSpec, logger: Logger): Start {
  mkdirSync(dirname(spec.lockFile), { recursive: true, mode: 0o700 });
  const log = openSync(spec.logFile, 'w', 0o600);
  const child = spawn(process.execPath, spec.args, {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...spec.env },
  });
  closeSync(log);
  child.unref();
  const start: Start = {};
  child.once('error', (error) => (start.failure = error.message));
  child.once('exit', (code, killedBy) => {
    start.isDone = code === 0;
    start.failure = killedBy === null ? phrase`it ended with code ${String(code)}` : phrase`it ended with ${killedBy}`;
  });
  logger.info(`Starting the ${english(spec.name)} (pid ${child.pid})`);
  return start;
}

/** True when a daemon of an older version, or in another language, has ended. One that is in use stays and is used as it is. */
async function makesRoom(running: DaemonRecord, spec: DaemonSpec, logger: Logger): Promise<boolean> {
  const difference = differenceOf(running, spec);
  if (!difference) return false;
  const retired = await askToRetire(running, difference.isOfLanguage);
  logger.info(
    `The running ${english(spec.name)} ${difference.what}. ${retired ? 'It ends for another one.' : 'It is in use and stays for now.'}`,
  );
  if (!retired) return false;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (readDaemonRecord(spec.lockFile)?.token === running.token && (await isDaemonAlive(running))) {
    if (Date.now() > deadline) throw didNotEnd(spec.name, running, START_TIMEOUT_MS);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

/** False when it is in use, or too old to know the request. True also when it ends without an answer. */
function askToRetire({ url, token }: DaemonRecord, isOfLanguage: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const challenge = new Challenge(token);
    const asked = request(
      {
        host: '127.0.0.1',
        port: Number(new URL(url).port),
        method: 'POST',
        path: isOfLanguage ? `${RETIRE_PATH}?${RETIRE_FOR_LANGUAGE}` : RETIRE_PATH,
        timeout: PROBE_TIMEOUT_MS,
        agent: false,
      },
      (response) => {
        if (!challenge.isMetBy(response)) return resolve(true); // The daemon has ended, and another process has its port.
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
    // Another window asked at the same time, and the daemon has ended already.
    asked.on('error', () => resolve(true));
    challenge.send(asked);
  });
}

/** Why the daemon is not the one that is wanted, for a log. Undefined when it is, or is a newer one. */
function differenceOf(
  { version: running, language: spoken = 'en' }: DaemonRecord,
  { version, language = spoken }: DaemonSpec,
): { what: string; isOfLanguage: boolean } | undefined {
  if (version === undefined) return undefined;
  if (isOlder(running, version)) return { what: `has version ${running}, older than ${version}`, isOfLanguage: false };
  return running === version && spoken !== language ? { what: `speaks “${spoken}”, not “${language}”`, isOfLanguage: true } : undefined;
}

/** Compares the numbers of `major.minor.patch`. False when one of the two is not such a version. */
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
