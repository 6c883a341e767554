/** Where a process of this user listens, and its token, in a file that only the user can read. */
import { lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../errors.ts';
import type { Disposable } from '../lifecycle.ts';
import { isOwnersOnly } from '../node/ownFile.ts';
import { replaceFile } from '../node/wholeFile.ts';
import { type DaemonAddress, type DaemonRecord, readDaemonRecord } from './daemonLock.ts';
import { phrase } from '../text/phrase.ts';
import { isRunning, ownIdentity } from './processIdentity.ts';

/**
 * Until the result is disposed. The caller alone writes this file: it has the lock of its folder. An empty token: none is needed. `more`: what
 * else its readers want to know.
 */
export function writeAddressFile(path: string, { url, token, version }: DaemonAddress, more: Record<string, unknown> = {}): Disposable {
  const record: DaemonRecord = { pid: process.pid, url, token, version, process: ownIdentity() };
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  replaceFile(path, Buffer.from(JSON.stringify({ ...more, ...record })), { sync: false });
  return { dispose: () => rmSync(path, { force: true }) };
}

/**
 * The address of a process that lives: as long as it does, nobody else can listen there. Undefined: there is none. Throws a {@link UserError}
 * when others could have written or read the file.
 */
export function readAddressFile(path: string): DaemonAddress | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile() || !isOwnersOnly(stat))
    throw new UserError(phrase`${path} is not used: it must be a file that only you can read and write.`);
  const record = readDaemonRecord(path);
  if (!record?.process || record.process.netNamespace !== ownIdentity().netNamespace) return undefined;
  return isRunning(record.pid, record.process) === true ? record : undefined;
}
