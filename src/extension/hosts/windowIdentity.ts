/**
 * Who this window is to agent hosts and to the gateway. A window that is loaded again is the same one, so that its calls go on; two windows are
 * never the same, also where they share their storage. So each identity has a file whose name says which process has it, and renaming that
 * file takes it: of several that try, one succeeds.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, ownIdentity } from '../../base/daemon/processIdentity.ts';
import { englishOf, withTimeout } from '../../base/errors.ts';
import { isRecord } from '../../base/isRecord.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { sha256 } from '../../base/node/sha256.ts';
import type { Storage } from '../bridge/storage/storage.ts';

export interface WindowIdentity {
  /** To agent hosts. */
  readonly clientId: string;
  /** A secret: the gateway knows its session owner again by it. */
  readonly ownerKey: string;
}

export interface WindowIdentityOptions {
  /** Of the workspace. Windows of one workspace may share it. */
  storage: Storage;
  /** Of the files, on this computer. */
  folder: string;
  /** How long to wait for the window before, which may still be ending. */
  waitMs: number;
  logger: Logger;
}

const STORAGE_KEY = 'tapline.windowIdentities';
/** Of windows that shared the storage; the one that was used last comes first. */
const MAX_KNOWN = 8;
const POLL_MS = 50;
/** How long the file system and the storage may take. */
const DISK_MS = 5_000;
/** Files of windows that nobody opens any more. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const FREE = 'free';
const clientIdShape = /^tapline-[\da-f-]{36}$/;
const ownerKeyShape = /^[\w-]{43}$/;

/** An identity that no other window has until this one is disposed of, or its process has ended. */
export class HeldIdentity implements Disposable {
  constructor(
    readonly identity: WindowIdentity,
    private readonly folder: string,
  ) {}

  /** For the next window. The process may go on for a while. */
  dispose(): void {
    const { clientId } = this.identity;
    try {
      renameSync(join(this.folder, fileOf(clientId, ownHolder())), join(this.folder, fileOf(clientId, FREE)));
    } catch {
      // It could not be written, so nobody has it after this window.
    }
  }
}

/** The identity of the window before, or a new one. Never rejects, and does not wait for a disk that does not answer. */
export async function holdIdentity(options: WindowIdentityOptions): Promise<HeldIdentity> {
  const holding = hold(options);
  try {
    // eslint-disable-next-line texts/translated -- for the log
    return await withTimeout(holding, options.waitMs + DISK_MS, 'reading the identity of this window');
  } catch (error) {
    options.logger.warn(`This window gets an identity that is not kept, so calls end when it is loaded again: ${englishOf(error)}`);
    void holding.then((late) => late.dispose());
    return new HeldIdentity(newIdentity(), options.folder);
  }
}

/** How many other windows have an identity now, as far as that can be known from here. */
export async function otherWindows(folder: string): Promise<number> {
  const own = ownHolder();
  return (await holdersIn(folder)).filter(({ holder }) => holder !== own && holder !== FREE && isHolderRunning(holder) === true).length;
}

async function hold({ storage, folder, waitMs, logger }: WindowIdentityOptions): Promise<HeldIdentity> {
  const known = readKnown(storage);
  const identity = (await takeOne(folder, known, waitMs)) ?? newIdentity();
  try {
    await writeHolder(folder, identity.clientId);
    await storage.update(STORAGE_KEY, [identity, ...known.filter(({ clientId }) => clientId !== identity.clientId)].slice(0, MAX_KNOWN));
    await removeOld(folder);
  } catch (error) {
    logger.warn(`The identity of this window is not kept, so calls end when it is loaded again: ${englishOf(error)}`);
  }
  return new HeldIdentity(identity, folder);
}

async function takeOne(folder: string, known: readonly WindowIdentity[], waitMs: number): Promise<WindowIdentity | undefined> {
  for (const end = Date.now() + waitMs; ;) {
    let isHeld = false;
    for (const identity of known) {
      const outcome = await take(folder, identity.clientId);
      if (outcome === 'taken') return identity;
      isHeld ||= outcome === 'held';
    }
    if (!isHeld || Date.now() >= end) return undefined;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** `unknown`: there is no file of it, for example because it was never written. */
async function take(folder: string, clientId: string): Promise<'taken' | 'held' | 'unknown'> {
  const holder = (await holdersIn(folder)).find((other) => other.clientId === clientId)?.holder;
  if (holder === undefined) return 'unknown';
  if (!isAvailable(holder)) return 'held';
  try {
    // Another window that tries the same finds the file gone.
    await rename(join(folder, fileOf(clientId, holder)), join(folder, fileOf(clientId, ownHolder())));
    return 'taken';
  } catch {
    return 'held';
  }
}

/** Also tells how old the file is. */
async function writeHolder(folder: string, clientId: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, fileOf(clientId, ownHolder()));
  await writeFile(file, '', { mode: 0o600 });
  await utimes(file, new Date(), new Date());
}

async function removeOld(folder: string): Promise<void> {
  for (const { clientId, holder } of await holdersIn(folder)) {
    if (!isAvailable(holder)) continue;
    const file = join(folder, fileOf(clientId, holder));
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > MAX_AGE_MS) await rm(file, { force: true });
  }
}

async function holdersIn(folder: string): Promise<{ clientId: string; holder: string }[]> {
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => {
    const [clientId = '', holder, ...more] = name.split('+');
    return holder !== undefined && more.length === 0 && clientIdShape.test(clientId) ? [{ clientId, holder }] : [];
  });
}

function fileOf(clientId: string, holder: string): string {
  return `${clientId}+${holder}`;
}

/** The process, as a part of a file's name. */
function ownHolder(): string {
  const { startTime, pidNamespace } = ownIdentity();
  return [process.pid, startTime, sha256(pidNamespace).slice(0, 16)].join('_');
}

/** Whether the process has given it up or has ended. False where that cannot be known. */
function isAvailable(holder: string): boolean {
  return holder === FREE || isHolderRunning(holder) === false;
}

/** Whether the process lives. Undefined where that cannot be known. */
function isHolderRunning(holder: string): boolean | undefined {
  const [pid = '', startTime = '', namespace] = holder.split('_');
  const { pidNamespace } = ownIdentity();
  if (namespace !== sha256(pidNamespace).slice(0, 16)) return undefined;
  return isRunning(Number(pid), { startTime, pidNamespace });
}

function newIdentity(): WindowIdentity {
  return { clientId: `tapline-${randomUUID()}`, ownerKey: randomBytes(32).toString('base64url') };
}

function readKnown(storage: Storage): WindowIdentity[] {
  const kept = storage.get(STORAGE_KEY);
  return (Array.isArray(kept) ? kept : []).slice(0, MAX_KNOWN).flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const { clientId, ownerKey } = entry;
    const isIdentity = typeof clientId === 'string' && typeof ownerKey === 'string';
    return isIdentity && clientIdShape.test(clientId) && ownerKeyShape.test(ownerKey) ? [{ clientId, ownerKey }] : [];
  });
}
