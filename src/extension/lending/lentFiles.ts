/**
 * Files and folders of this computer that the user has lent to one host, by attaching them to a message. Each host has its own: what is lent to
 * one cannot be read by another. They end with the session that they were attached in, when the user takes them back, and with the
 * connection to the host, also when it is made anew.
 */
import * as l10n from '../../base/l10n.ts';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { lentUri, parseLentUri } from '../../ahp/lentFiles.ts';
import { type LentRequest, lentRequests, type LentResult } from '../../ahp/schemas/lentSchemas.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { RpcError, RpcErrorCode } from '../../base/jsonRpc.ts';
import { openExactly } from '../../base/node/openExactly.ts';
import { utf8Of } from '../../base/text/utf8.ts';
import { byteText } from '../../views/text/excerpt.ts';
import { oneLine } from '../../views/text/oneLine.ts';

/** Of one file. */
export const MAX_LENT_BYTES = 5_000_000;
/** Entries of one folder that are looked at; the others are not listed. */
const MAX_ENTRIES = 2_000;
/** To one host at a time. */
const MAX_LENT = 200;
/** Requests that are worked on at a time. */
const MAX_OPEN = 20;

export interface LentFile {
  uri: URI;
  /** In which it was attached. */
  session: URI;
  /** Without links in it. */
  path: string;
  isFolder: boolean;
  /** In ms since the epoch. */
  at: number;
}

export class LentFiles {
  /** By key. `times`: how often it was lent and not released. */
  readonly #lent = new Map<string, { file: LentFile; times: number }>();
  readonly #change = new Emitter<void>();
  readonly onDidChange = this.#change.event;
  #open = 0;

  /** `clientId`: by which the host knows this client. */
  constructor(private readonly clientId: string) {}

  /** Oldest first. */
  get all(): readonly LentFile[] {
    return Array.from(this.#lent.values(), ({ file }) => file);
  }

  /** False for one that was taken back. Only what this client lends is known here. */
  isGone(uri: URI): boolean {
    const parsed = parseLentUri(uri);
    return parsed?.clientId === this.clientId && !this.#lent.has(parsed.key);
  }

  /** Lends what is at the path now, and below it if that is a folder; what the session has already stays what it is. Rejects with a `UserError` for what cannot be lent. */
  async lend(path: string, session: URI): Promise<LentFile> {
    const name = oneLine(basename(path));
    // Whose computer is asked then gets the user's name.
    if (/^[\\/]{2}/.test(path)) throw new UserError(l10n.t`“${name}” was not lent: it is on another computer.`);
    const real = await placeOfNoLink(path);
    const found = await stat(real);
    if (!found.isFile() && !found.isDirectory()) throw new UserError(l10n.t`“${name}” was not lent: it is neither a file nor a folder.`);
    if (found.isFile() && found.size > MAX_LENT_BYTES)
      throw new UserError(l10n.t`“${name}” was not lent: it has ${byteText(found.size)}, and at most ${byteText(MAX_LENT_BYTES)} can be.`);
    const isSame = ({ file }: { file: LentFile }) =>
      file.path === real && file.session === session && file.isFolder === found.isDirectory();
    const known = [...this.#lent.values()].find(isSame);
    if (known) {
      known.times++;
      return known.file;
    }
    if (this.#lent.size >= MAX_LENT)
      throw new UserError(
        l10n.t`“${name}” was not lent: ${l10n.countText(MAX_LENT)} files are lent to this host already. Take some back first.`,
      );
    const key = randomBytes(16).toString('hex');
    const uri = lentUri({ clientId: this.clientId, key, names: [basename(path) || 'folder'] });
    if (!parseLentUri(uri))
      throw new UserError(
        l10n.t`“${name}” was not lent: its name cannot be told to a host. Rename it, or attach a copy with another name.`,
      );
    const file = { uri, session, path: real, isFolder: found.isDirectory(), at: Date.now() };
    this.#lent.set(key, { file, times: 1 });
    this.#change.fire();
    return file;
  }

  /** Undoes one `lend`. Other messages and drafts may have the file as well: with the last of them it is taken back. */
  release(uri: URI): void {
    const lent = this.#lent.get(parseLentUri(uri)?.key ?? '');
    if (lent && --lent.times === 0) this.takeBack(uri);
  }

  /** However often it was lent. */
  takeBack(uri: URI): void {
    if (this.#lent.delete(parseLentUri(uri)?.key ?? '')) this.#change.fire();
  }

  /** Takes back what was attached in sessions that are no more. */
  keepOnly(isThere: (session: URI) => boolean): void {
    for (const { uri, session } of this.all) if (!isThere(session)) this.takeBack(uri);
  }

  serves(method: string): method is LentRequest {
    return Object.hasOwn(lentRequests, method);
  }

  /** Rejects with an {@link RpcError}, which says the same of what is not lent, not there, or outside of a folder that is lent. */
  async answer(method: LentRequest, params: unknown): Promise<LentResult<LentRequest>> {
    const checked = lentRequests[method].safeParse(params);
    // eslint-disable-next-line texts/translated -- for the host
    if (!checked.success) throw new RpcError(ErrorCode.InvalidParams, `${method}: wrong parameters`);
    const { uri } = checked.data;
    this.#grantOf(uri);
    if (this.#open >= MAX_OPEN)
      // eslint-disable-next-line texts/translated -- for the host
      throw new RpcError(RpcErrorCode.InternalError, `more than ${MAX_OPEN} requests for lent files at a time`);
    this.#open++;
    try {
      const result = await (method === 'resourceRead' ? this.#read(checked.data) : this.#list(uri));
      // It may have been taken back meanwhile.
      this.#grantOf(uri);
      return result;
    } catch (error) {
      if (error instanceof RpcError) throw error;
      throw notLent();
    } finally {
      this.#open--;
    }
  }

  async #read({ uri, encoding }: { uri: URI; encoding?: 'base64' | 'utf-8' | undefined }): Promise<LentResult<'resourceRead'>> {
    const file = await openExactly(await this.#placeOf(uri), constants.O_RDONLY);
    try {
      const { size } = await file.stat();
      if (size > MAX_LENT_BYTES) throw tooLarge();
      // One more, because it may have grown since.
      const bytes = Buffer.alloc(size + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
        length += bytesRead;
        if (bytesRead === 0 || length === bytes.length) break;
      }
      // eslint-disable-next-line texts/translated -- for the host
      if (length > size) throw new RpcError(RpcErrorCode.InternalError, 'the file is being written; ask again');
      const data = bytes.subarray(0, length);
      const text = encoding === 'base64' ? undefined : utf8Of(data);
      return text === undefined ? { data: data.toString('base64'), encoding: 'base64' } : { data: text, encoding: 'utf-8' };
    } finally {
      await file.close();
    }
  }

  /** Links are left out: what they lead to may be outside. */
  async #list(uri: URI): Promise<LentResult<'resourceList'>> {
    const place = await this.#placeOf(uri);
    const entries: { name: string; type: string }[] = [];
    let seen = 0;
    for await (const entry of await opendir(place)) {
      if (entry.isDirectory() || entry.isFile()) entries.push({ name: entry.name, type: entry.isDirectory() ? 'directory' : 'file' });
      if (++seen === MAX_ENTRIES) break;
    }
    // A part of the path may have been replaced by a link since it was checked.
    if ((await realpath(place)) !== place) throw notLent();
    return { entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  /** The real path of what the URI names now. A link in what is lent is followed only to what is lent. */
  async #placeOf(uri: URI): Promise<string> {
    const { lent, below } = this.#grantOf(uri);
    const real = await realpath(join(lent.path, ...below));
    const isInside = real === lent.path || (lent.isFolder && real.startsWith(lent.path.endsWith(sep) ? lent.path : lent.path + sep));
    if (!isInside) throw notLent();
    return real;
  }

  #grantOf(uri: URI): { lent: LentFile; below: readonly string[] } {
    const parsed = parseLentUri(uri);
    const lent = parsed?.clientId === this.clientId ? this.#lent.get(parsed.key)?.file : undefined;
    if (!parsed || !lent) throw notLent();
    const [, ...below] = parsed.names;
    const isThat = uri === lent.uri || (lent.isFolder && uri.startsWith(`${lent.uri}/`));
    // On Windows, `a:b` is a stream of a file.
    if (!isThat || (sep === '\\' && below.some((name) => name.includes(':')))) throw notLent();
    return { lent, below };
  }
}

/**
 * The real path. Rejects with a `UserError` for a link: it may have come with a repository, and leads to what the user does not see. Links
 * higher up are followed.
 */
export async function placeOfNoLink(path: string): Promise<string> {
  const real = await realpath(path);
  const parent = await realpath(dirname(resolve(path)));
  if (nameKey(real) !== nameKey(join(parent, basename(path))))
    throw new UserError(l10n.t`“${oneLine(basename(path))}” is a link to ${oneLine(real)}. Attach that instead, if you mean it.`);
  return real;
}

/** Other systems find a file by a name in other letters as well. */
function nameKey(path: string): string {
  return process.platform === 'linux' ? path : path.normalize().toLowerCase();
}

function notLent(): RpcError {
  // eslint-disable-next-line texts/translated -- for the host
  return new RpcError(ErrorCode.NotFound, 'this client lends no such file to this host');
}

function tooLarge(): RpcError {
  // eslint-disable-next-line texts/translated -- for the host
  return new RpcError(ErrorCode.InvalidParams, `the file is larger than ${MAX_LENT_BYTES} bytes`);
}
