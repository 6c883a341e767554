/** The files of hosts elsewhere, for VS Code: `tapline-host://<host>/<path>`. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { type Look, MissedLooks } from './missedLooks.ts';
import type { RemoteFileProblem, RemoteFiles } from './remoteFiles.ts';

export const HOST_FILE_SCHEME = 'tapline-host';

/** Of a file that is told to have come and gone. There is none. */
const PASSING_NAME = '.tapline-connected';

/** Ids of hosts are URLs, and VS Code writes the authority of a URI in small letters. */
export function hostFileUri(hostId: string, path: string): vscode.Uri {
  return vscode.Uri.from({
    scheme: HOST_FILE_SCHEME,
    authority: Buffer.from(hostId).toString('hex'),
    path: path.startsWith('/') ? path : `/${path}`,
  });
}

export class HostFileSystem implements vscode.FileSystemProvider, Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]> = (listener, self, disposables) => {
    const listening = this.#changed.event((events) => void listener.call(self, events));
    disposables?.push(listening);
    return listening;
  };
  readonly #files = new WeakMap<RegisteredHost, RemoteFiles>();
  readonly #missed = this.#store.add(
    new MissedLooks((hostId, paths) => this.#changed.fire(paths.flatMap((path) => tellAgain(hostFileUri(hostId, path))))),
  );

  /** `hosts`: there may be files to read before the window has its hosts. */
  constructor(private readonly hosts: () => Promise<HostRegistry>) {
    this.#store.add(vscode.workspace.registerFileSystemProvider(HOST_FILE_SCHEME, this, { isCaseSensitive: true }));
  }

  /** What others change is seen when a file or folder is looked at again. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { isFolder, size, modified } = await this.#look(uri, 'stat', (files) => files.stat(pathOf(uri)));
    return { type: isFolder ? vscode.FileType.Directory : vscode.FileType.File, size, mtime: modified, ctime: 0 };
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const entries = await this.#look(uri, 'list', (files) => files.list(pathOf(uri)));
    return entries.map(({ name, isFolder }) => [name, isFolder ? vscode.FileType.Directory : vscode.FileType.File]);
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#with(uri, (files) => files.read(pathOf(uri)));
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array, options: { create: boolean; overwrite: boolean }): Promise<void> {
    await this.#with(uri, (files) => files.write(pathOf(uri), content, options));
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async createDirectory(uri: vscode.Uri): Promise<void> {
    await this.#with(uri, (files) => files.makeFolder(pathOf(uri)));
    this.#changed.fire([{ type: vscode.FileChangeType.Created, uri }]);
  }

  async delete(uri: vscode.Uri, { recursive }: { recursive: boolean }): Promise<void> {
    await this.#with(uri, (files) => files.remove(pathOf(uri), recursive));
    this.#changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  async rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { overwrite: boolean }): Promise<void> {
    if (from.authority !== to.authority)
      throw vscode.FileSystemError.NoPermissions(l10n.t('A file cannot be moved from one host to another. Copy it.'));
    await this.#with(from, (files) => files.move(pathOf(from), pathOf(to), overwrite));
    this.#changed.fire([
      { type: vscode.FileChangeType.Deleted, uri: from },
      { type: vscode.FileChangeType.Created, uri: to },
    ]);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #with<T>(uri: vscode.Uri, act: (files: RemoteFiles) => Promise<T>): Promise<T> {
    const host = await this.#connected(uri);
    const { RemoteFileError, RemoteFiles } = await import('./remoteFiles.ts');
    const files = this.#files.get(host) ?? new RemoteFiles(host.client, oneLine(host.label));
    this.#files.set(host, files);
    try {
      return await act(files);
    } catch (error) {
      throw error instanceof RemoteFileError ? asFileSystemError[error.problem](error.message) : error;
    }
  }

  /** What cannot be looked at while its host is away is told once the host is back. */
  async #look<T>(uri: vscode.Uri, deed: Look['deed'], act: (files: RemoteFiles) => Promise<T>): Promise<T> {
    const look = { hostId: hostIdOf(uri), path: uri.path, deed };
    let isAsked = false;
    try {
      const answer = await this.#with(uri, (files) => {
        isAsked = true;
        return act(files);
      });
      this.#missed.answered(look);
      return answer;
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === 'Unavailable')
        this.#missed[isAsked ? 'noteLost' : 'note'](await this.hosts(), look);
      throw error;
    }
  }

  async #connected(uri: vscode.Uri): Promise<RegisteredHost> {
    const { hostSoon } = await import('./hostSoon.ts');
    const host = await hostSoon(await this.hosts(), hostIdOf(uri), systemClock);
    if (host?.client.state.kind === 'connected') return host;
    throw vscode.FileSystemError.Unavailable(
      host
        ? l10n.t`${oneLine(host.label)} is not connected. Try again when it is.`
        : l10n.t('The agent host of this file is not listed in this window. Add it again to open the file.'),
    );
  }
}

/** The Explorer marks a folder that it could not read, and looks again only once something comes that it does not know: so also into an empty one. */
function tellAgain(uri: vscode.Uri): vscode.FileChangeEvent[] {
  const passing = vscode.Uri.joinPath(uri, PASSING_NAME);
  return [
    { type: vscode.FileChangeType.Changed, uri },
    { type: vscode.FileChangeType.Created, uri: passing },
    { type: vscode.FileChangeType.Deleted, uri: passing },
  ];
}

function hostIdOf({ authority }: vscode.Uri): string {
  return Buffer.from(authority, 'hex').toString();
}

function pathOf({ path }: vscode.Uri): string {
  return /^\/[a-z]:/i.test(path) ? path.slice(1) : path;
}

const asFileSystemError: Record<RemoteFileProblem, (message: string) => vscode.FileSystemError> = {
  notFound: (message) => vscode.FileSystemError.FileNotFound(message),
  exists: (message) => vscode.FileSystemError.FileExists(message),
  noPermission: (message) => vscode.FileSystemError.NoPermissions(message),
  unavailable: (message) => vscode.FileSystemError.Unavailable(message),
  refused: (message) => new vscode.FileSystemError(message),
};
