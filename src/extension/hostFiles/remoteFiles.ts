/** The files of a host as a file system has them. Everything that the host answers is checked and bounded before it is used. */
import * as l10n from '../../base/l10n.ts';
import { createHash } from 'node:crypto';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { folderUri } from '../../views/newSession/folderPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';

/** Bytes of one file, as the built-in host has it. */
const MAX_SIZE = 32 * 1024 * 1024;
const MAX_ENTRIES = 10_000;
const MAX_NAME = 1_000;
/** Files of which it is remembered how they were. */
const MAX_SEEN = 500;

export type RemoteFileProblem = 'notFound' | 'exists' | 'noPermission' | 'unavailable' | 'refused';

/** The message is for the user. */
export class RemoteFileError extends Error {
  override readonly name = 'RemoteFileError';
  constructor(
    readonly problem: RemoteFileProblem,
    message: string,
  ) {
    super(message);
  }
}

export interface RemoteEntry {
  name: string;
  isFolder: boolean;
}
export interface RemoteStat {
  isFolder: boolean;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. Where the host does not say it: when this content was first seen. */
  modified: number;
}

export class RemoteFiles {
  /** By path. */
  readonly #seen = new Map<string, { mark: string; at: number }>();
  /** By path: of the last look, which VS Code takes before each write. */
  readonly #etags = new Map<string, string>();

  constructor(
    private readonly client: Pick<AgentHostClient, 'command'>,
    private readonly label: string,
    private readonly now: () => number = Date.now,
  ) {}

  async list(path: string): Promise<RemoteEntry[]> {
    this.#checkServed(path, 'notFound');
    const { entries } = await this.#try(path, () => this.client.command('resourceList', { uri: folderUri(path) }));
    if (!Array.isArray(entries)) throw this.#wrong(path, l10n.t('no list'));
    if (entries.length > MAX_ENTRIES) throw this.#wrong(path, l10n.t`${l10n.countText(entries.length)} entries, which is too many to show`);
    const found = entries.map((entry: unknown) => {
      const { name, type } = (entry ?? {}) as { name?: unknown; type?: unknown };
      if (typeof name !== 'string' || !isName(name)) throw this.#wrong(path, l10n.t('an entry whose name cannot be that of a file'));
      return { name, isFolder: type === 'directory' };
    });
    return found.filter(({ name }) => !isWorkspaceSettings(name));
  }

  async stat(path: string): Promise<RemoteStat> {
    this.#checkServed(path, 'notFound');
    let found;
    try {
      found = await this.#try(path, () => this.client.command('resourceResolve', { uri: folderUri(path) }));
    } catch (error) {
      if (isUnknownMethod(error)) return this.#look(path);
      throw error;
    }
    const { type, size, mtime } = found;
    if (size !== undefined && (!Number.isSafeInteger(size) || size < 0)) throw this.#wrong(path, l10n.t('a size that no file can have'));
    const etag = typeof found.etag === 'string' && found.etag.length <= MAX_NAME ? found.etag : undefined;
    keep(this.#etags, path, etag);
    const modified = typeof mtime === 'string' ? Date.parse(mtime.slice(0, 100)) : NaN;
    if (type === 'directory') return { isFolder: true, size: size ?? 0, modified: Number.isFinite(modified) ? modified : 0 };
    // VS Code asks before it overwrites a file whose time and size are others.
    if (size !== undefined && Number.isFinite(modified)) return { isFolder: false, size, modified };
    if (size !== undefined && etag !== undefined) return { isFolder: false, size, modified: this.#firstSeen(path, etag) };
    return this.#lookAtFile(path);
  }

  async read(path: string): Promise<Uint8Array> {
    this.#checkServed(path, 'notFound');
    const { data, encoding } = await this.#try(path, () =>
      this.client.command('resourceRead', { uri: folderUri(path), encoding: 'base64' }),
    );
    if (typeof data !== 'string' || (encoding !== 'utf-8' && encoding !== 'base64')) throw this.#wrong(path, l10n.t('no content'));
    const isTooLarge = data.length > (encoding === 'base64' ? Math.ceil(MAX_SIZE / 3) * 4 : MAX_SIZE);
    if (isTooLarge) throw this.#wrong(path, l10n.t('more than 32 MB, which is the most that can be opened'));
    // A host that sends everything as text puts this character for bytes that are none. Saved, they would be lost.
    if (encoding === 'utf-8' && data.includes('\ufffd'))
      throw new RemoteFileError('refused', l10n.t`${this.label} cannot send ${path} as it is: it sends only text. Open the file there.`);
    return Buffer.from(data, encoding);
  }

  async write(path: string, content: Uint8Array, { create, overwrite }: { create: boolean; overwrite: boolean }): Promise<void> {
    this.#checkServed(path, 'noPermission');
    if (content.length > MAX_SIZE)
      throw new RemoteFileError('refused', l10n.t`${path} was not saved: at most 32 MB can be sent to ${this.label}.`);
    if (!create) await this.stat(path);
    const etag = overwrite ? this.#etags.get(path) : undefined;
    const data = Buffer.from(content).toString('base64');
    await this.#try(path, () =>
      this.client.command('resourceWrite', {
        ...{ uri: folderUri(path), data, encoding: 'base64' as const },
        ...(!overwrite && { createOnly: true }),
        ...(etag !== undefined && { ifMatch: etag }),
      }),
    );
    this.#etags.delete(path);
  }

  async makeFolder(path: string): Promise<void> {
    this.#checkServed(path, 'noPermission');
    await this.#try(path, () => this.client.command('resourceMkdir', { uri: folderUri(path) }));
  }

  async remove(path: string, recursive: boolean): Promise<void> {
    this.#checkServed(path, 'noPermission');
    await this.#try(path, () => this.client.command('resourceDelete', { uri: folderUri(path), recursive }));
  }

  async move(from: string, to: string, overwrite: boolean): Promise<void> {
    for (const path of [from, to]) this.#checkServed(path, 'noPermission');
    const params = { source: folderUri(from), destination: folderUri(to), failIfExists: !overwrite };
    await this.#try(from, () => this.client.command('resourceMove', params));
  }

  /** For hosts that cannot say what is at a path: a folder can be listed, a file read. */
  async #look(path: string): Promise<RemoteStat> {
    try {
      await this.list(path);
      return { isFolder: true, size: 0, modified: 0 };
    } catch (error) {
      if (!((error as Error).cause instanceof RpcError)) throw error;
    }
    return this.#lookAtFile(path);
  }

  async #lookAtFile(path: string): Promise<RemoteStat> {
    const content = await this.read(path);
    const digest = createHash('sha256').update(content).digest('base64');
    return { isFolder: false, size: content.length, modified: this.#firstSeen(path, digest) };
  }

  /** `mark`: another one for other content. */
  #firstSeen(path: string, mark: string): number {
    const before = this.#seen.get(path);
    const seen = before?.mark === mark ? before : { mark, at: this.now() };
    keep(this.#seen, path, seen);
    return seen.at;
  }

  #checkServed(path: string, problem: RemoteFileProblem): void {
    if (isWorkspaceSettings(path))
      throw new RemoteFileError(
        problem,
        l10n.t`${path} has settings of a workspace, which are not taken from ${this.label}. Open it there.`,
      );
  }

  async #try<T>(path: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof RpcError))
        throw new RemoteFileError('unavailable', l10n.t`${this.label} did not answer about ${path}. Try again when it is connected.`);
      const problem = problems[error.code];
      const said = oneLine(messageOf(error));
      if (error.code === ErrorCode.Conflict)
        throw new RemoteFileError(
          'refused',
          l10n.t`${path} was not saved: it has changed on ${this.label} meanwhile. Compare, and save again.`,
        );
      const failed = new RemoteFileError(problem ?? 'refused', l10n.t`${this.label} refused: ${said}`);
      failed.cause = error;
      throw failed;
    }
  }

  #wrong(path: string, what: string): RemoteFileError {
    return new RemoteFileError('refused', l10n.t`${this.label} sent ${what} for ${path}.`);
  }
}

const problems: Readonly<Record<number, RemoteFileProblem>> = {
  [ErrorCode.NotFound]: 'notFound',
  [ErrorCode.AlreadyExists]: 'exists',
  [ErrorCode.PermissionDenied]: 'noPermission',
  [ErrorCode.AuthRequired]: 'noPermission',
  [ErrorCode.MethodNotFound]: 'noPermission',
};

function isUnknownMethod(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof RpcError && cause.code === ErrorCode.MethodNotFound;
}

/** VS Code trusts folders of all file systems that extensions provide, and does what these files say: by them a host could run programs here. */
function isWorkspaceSettings(path: string): boolean {
  return path.split(/[/\\]/).some((name) => /^\.vscode$|\.code-workspace$/i.test(name));
}

function isName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.length <= MAX_NAME && !name.includes('/') && !name.includes('\0');
}

function keep<T>(map: Map<string, T>, path: string, value: T | undefined): void {
  map.delete(path);
  if (value === undefined) return;
  map.set(path, value);
  const [oldest] = map.keys();
  if (map.size > MAX_SEEN && oldest !== undefined) map.delete(oldest);
}
