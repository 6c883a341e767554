/** Finds the agent hosts of VS Code on this computer by the entries that they write. Nothing is connected to here. */
/* eslint-disable texts/translated -- what is wrong with an entry is for the log */
import * as l10n from '../../../base/l10n.ts';
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { socketAddress } from '../../../ahp/client/connection/hostUrl.ts';
import type { Logger } from '../../../base/log.ts';
import { englishOf } from '../../../base/errors.ts';
import { isRunning, ownIdentity } from '../../../base/daemon/processIdentity.ts';
import { isOwnersOnly } from '../../../base/node/ownFile.ts';
import { sha256 } from '../../../base/node/sha256.ts';
import { type LocalEndpoint, MAX_ENTRY_LENGTH, parseLocalEndpoint } from '../../../views/hosts/localEndpoint.ts';
import type { UserDataFolder } from './userDataFolders.ts';

/** Files of one folder that are looked at. A VS Code has one or two. */
const MAX_ENTRIES = 50;
const ENTRIES = ['agent-host', 'local-endpoint', 'entries'];

export interface LocalHost {
  /** The same after the host has started again: of this folder, and of this type. */
  id: string;
  label: string;
  pid: number;
  /** A WebSocket address without the token. */
  address: string;
  token: string;
}

/** Why an entry is not used. */
class Unfit extends Error {}

export class LocalHosts {
  /** Logged already. */
  readonly #said = new Set<string>();

  constructor(
    private readonly folders: readonly UserDataFolder[],
    private readonly logger: Logger,
  ) {}

  /** Those whose entry passes all checks: at most two of each folder. Never rejects. */
  async find(): Promise<LocalHost[]> {
    return (await Promise.all(this.folders.map((folder) => this.#findIn(folder)))).flat();
  }

  async #findIn({ product, path }: UserDataFolder): Promise<LocalHost[]> {
    const newest = new Map<string, { host: LocalHost; written: number }>();
    for (const file of await this.#entriesOf(path)) {
      try {
        const { endpoint, address, written } = await readEntry(file);
        const { type, pid, token } = endpoint;
        if ((newest.get(type)?.written ?? 0) > written) continue;
        const label = type === 'editor' ? product : l10n.t`${product} (command line)`;
        newest.set(type, { host: { id: `vscode-${type}:${path}`, label, pid, address, token }, written });
      } catch (error) {
        this.#leaveOut(file, error);
      }
    }
    return [...newest.values()].map(({ host }) => host);
  }

  async #entriesOf(userData: string): Promise<string[]> {
    let folder = userData;
    try {
      for (const name of ENTRIES) await checkFolder((folder = join(folder, name)), name !== ENTRIES[0]);
      const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
      if (names.length > MAX_ENTRIES) this.#leaveOut(folder, new Unfit(`only ${MAX_ENTRIES} of its files are looked at`));
      return names.slice(0, MAX_ENTRIES).map((name) => join(folder, name));
    } catch (error) {
      if (!isAbsent(error)) this.#leaveOut(folder, error);
      return [];
    }
  }

  /** An entry that has just gone is no news. */
  #leaveOut(path: string, error: unknown): void {
    if (isAbsent(error)) return;
    const line = `Agent hosts of VS Code: ${path} is left out: ${englishOf(error)}`;
    if (!this.#said.has(line)) this.logger.warn(line);
    this.#said.add(line);
  }
}

/** No link, and the user's. Those that VS Code protects must not be writable by others. */
async function checkFolder(path: string, isProtected: boolean): Promise<void> {
  const stat = await lstat(path);
  if (!stat.isDirectory()) throw new Unfit('it is no folder');
  if (!isOwn(stat) || (isProtected && isWritableByOthers(stat))) throw new Unfit('others can write to it');
}

async function readEntry(path: string): Promise<{ endpoint: LocalEndpoint; address: string; written: number }> {
  // Windows has no such flag.
  if (!(await lstat(path)).isFile()) throw new Unfit('it is no file');
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
  const file = await open(path, (O_RDONLY ?? 0) | O_NOFOLLOW | O_NONBLOCK);
  let text: string;
  let stat: Stats;
  try {
    stat = await file.stat();
    if (!stat.isFile() || stat.nlink !== 1) throw new Unfit('it is no file of its own');
    if (!isOwnersOnly(stat)) throw new Unfit('others can read or write it');
    if (stat.size > MAX_ENTRY_LENGTH) throw new Unfit('it is too large');
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_ENTRY_LENGTH), length: MAX_ENTRY_LENGTH, position: 0 });
    text = buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
  const endpoint = parseLocalEndpoint(text, process.platform);
  if ('problem' in endpoint) throw new Unfit(endpoint.problem);
  if (path !== join(dirname(path), `${sha256(endpoint.identity)}.json`)) throw new Unfit('its name is that of another entry');
  if (isRunning(endpoint.pid, { ...ownIdentity(), startTime: '' }) !== true) throw new Unfit('no process of yours has its process id');
  return { endpoint, address: await checkedAddress(endpoint), written: stat.mtimeMs };
}

async function checkedAddress({ at, address }: LocalEndpoint): Promise<string> {
  if (at.kind === 'socket') return socketAddress(await checkedSocket(at.path));
  await checkPort(at.port);
  return address;
}

/** The user's own, where nobody else can put another in its place. Windows does not say whose a pipe is. */
async function checkedSocket(named: string): Promise<string> {
  if (process.platform === 'win32') return named;
  // Without links in it. Whoever can replace one of them leads elsewhere.
  const parent = await realpath(dirname(named)).catch(socketIsGone);
  const path = join(parent, basename(named));
  const stat = await lstat(path).catch(socketIsGone);
  if (!stat.isSocket() || !isOwn(stat)) throw new Unfit('its address is no socket of yours');
  // Whoever can rename a folder above it can put another one there.
  for (let folder = parent; ; folder = dirname(folder)) {
    if (await canOthersReplaceIn(folder)) throw new Unfit('others can replace its socket');
    if (folder === dirname(folder)) return path;
  }
}

function socketIsGone(error: unknown): never {
  throw isAbsent(error) ? new Unfit('its socket is gone') : error;
}

/** In a folder that is sticky, they can replace only what is theirs. */
async function canOthersReplaceIn(path: string): Promise<boolean> {
  const folder = await lstat(path);
  const isSticky = (folder.mode & 0o1000) !== 0;
  return !folder.isDirectory() || !(isOwn(folder) || folder.uid === 0) || (isWritableByOthers(folder) && !isSticky);
}

/** Where the system tells who listens, it must be the user alone. */
async function checkPort(port: number): Promise<void> {
  if (process.platform !== 'linux') return;
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')));
  const listeners = tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && parseInt(local?.split(':')[1] ?? '', 16) === port);
  if (listeners.length === 0) throw new Unfit('nothing listens at its port');
  if (listeners.some((fields) => Number(fields[7]) !== process.getuid?.())) throw new Unfit('another user listens at its port');
}

function isOwn(stat: Stats): boolean {
  return process.getuid === undefined || stat.uid === process.getuid();
}

function isWritableByOthers(stat: Stats): boolean {
  return process.getuid !== undefined && (stat.mode & 0o022) !== 0;
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}
