/** Reads the `tap.config.json` of each folder of a trusted workspace, again after each change, and shows mistakes as problems. */
import * as l10n from '../../base/l10n.ts';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { tapConfigPaths } from '../../tap/owner/config/tapConfigPaths.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import { realPath } from '../sessions/sessionFolder.ts';
import { type Project, readProject } from './project.ts';

const WATCHED = `{${tapConfigPaths.map((path) => path.replaceAll('\\', '/')).join(',')}}`;

export interface ProjectFilesOptions {
  /** `folder`: its real path. `project` is undefined where it names no providers, or its file is wrong. */
  onRead(folder: string, project: Project | undefined): void;
}

export class ProjectFiles implements Disposable {
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(vscode.languages.createDiagnosticCollection('tapline'));
  /** Watchers by folder, as the workspace names it. */
  readonly #watched = new Map<string, Disposable>();
  /** The last reading of each folder. An older one that ends later does not count, and ends with this one. */
  readonly #readings = new Map<string, Promise<string | undefined>>();

  constructor(private readonly options: ProjectFilesOptions) {
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#watch()));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#watch()));
    this.#watch();
  }

  /** Reads all files as they are now. Resolves with an error message for each that is wrong. */
  async readAll(): Promise<string[]> {
    const errors = await Promise.all([...this.#watched.keys()].map((folder) => this.#read(folder)));
    return errors.filter((error) => error !== undefined);
  }

  /** Reads the file of one folder. `folder`: its real path. */
  async read(folder: string): Promise<void> {
    for (const path of this.#watched.keys()) if (realPath(path) === folder) await this.#read(path);
  }

  dispose(): void {
    for (const watcher of this.#watched.values()) watcher.dispose();
    this.#watched.clear();
    this.#store.dispose();
  }

  #watch(): void {
    const paths = new Set(vscode.workspace.isTrusted ? folderPaths() : []);
    for (const [path, watcher] of this.#watched) {
      if (paths.has(path)) continue;
      watcher.dispose();
      this.#watched.delete(path);
      this.#readings.delete(path);
      this.#mark(path, undefined);
      this.options.onRead(realPath(path), undefined);
    }
    for (const path of paths) {
      if (this.#watched.has(path)) continue;
      this.#watched.set(path, this.#watcher(path));
      void this.#read(path);
    }
  }

  #watcher(path: string): Disposable {
    const store = new DisposableStore();
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(path), WATCHED)));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(() => void this.#read(path)));
    return store;
  }

  /** Resolves with an error message when the file is wrong. */
  #read(path: string): Promise<string | undefined> {
    const reading: Promise<string | undefined> = this.#readOnce(path, () => this.#readings.get(path) === reading);
    this.#readings.set(path, reading);
    return reading;
  }

  async #readOnce(path: string, isLast: () => boolean): Promise<string | undefined> {
    let project: Project | undefined;
    let error: string | undefined;
    try {
      project = await readProject(path);
    } catch (caught) {
      error = messageOf(caught);
    }
    // Whoever waits for this one is to find what the file says now.
    if (!isLast()) return this.#readings.get(path) ?? error;
    this.#mark(path, error);
    this.options.onRead(realPath(path), project);
    return error;
  }

  #mark(path: string, error: string | undefined): void {
    for (const place of tapConfigPaths) this.#problems.delete(vscode.Uri.file(join(path, place)));
    const file = tapConfigPaths.map((place) => join(path, place)).find((place) => existsSync(place));
    if (error === undefined || file === undefined) return;
    const text = l10n.t`${error.replace(/^.*?(?=tap\.config\.json)/, '')}. Nothing that it names runs. Correct the file and save it.`;
    const problem = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1000), text);
    problem.source = `Tapline (${basename(file)})`;
    this.#problems.set(vscode.Uri.file(file), [problem]);
  }
}
