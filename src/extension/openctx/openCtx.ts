/**
 * The OpenCtx providers of this window's folders. Nothing that a workspace names runs, or gets the text of a file, before the user has allowed
 * exactly that. Changes of settings, folders, trust, secrets and modules take effect at once.
 */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { OpenCtxClientCore, OpenCtxClientOptions, ProviderAnswer } from '../../openctx/client.ts';
import type { FindSecret } from '../../openctx/secrets.ts';
import { shownAddress } from '../../base/text/shownAddress.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { Answers } from '../projectProviders/consentAnswers.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import { settings } from '../settings.ts';
import { configuredProviders } from './providers/configured.ts';
import type { ListedProvider } from './providers/listedProvider.ts';
import { findProvider, type Provider } from './providers/findProvider.ts';

const STORAGE_KEY = 'tapline.openCtxProviders';

export interface OpenCtxOptions {
  storage: vscode.Memento;
  secrets: { find: FindSecret; onDidChange: vscode.Event<unknown> };
  /** `openctxWorker.js` of the build. */
  workerScript: string;
  /** Called once for each provider that waits for the user's word. */
  ask(provider: Provider): void;
  /** The window could not look at its providers. What was known of them stays. It looks again with the next change, or by `tryAgain`. */
  onUpdateFailure(error: unknown, tryAgain: () => void): void;
}

interface Folder {
  readonly listed: readonly Omit<ListedProvider, 'folder'>[];
  readonly client: OpenCtxClientCore;
  /** The same for the same providers, answers and contents. */
  readonly key: string;
}

export class OpenCtx implements Disposable {
  readonly #store = new DisposableStore();
  readonly #answers: Answers;
  readonly #folders = new Map<string, Folder>();
  readonly #watchers = new Map<string, Disposable>();
  readonly #asked = new Set<string>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly #onDidAnswer = this.#store.add(new Emitter<void>());
  // eslint-disable-next-line texts/translated -- a name
  readonly #log = this.#store.add(vscode.window.createOutputChannel('Tapline: OpenCtx'));
  /** What the log says last of what was left out of the answers of each provider. */
  readonly #said = new Map<string, string>();
  /** Of the last update. An earlier one that ends later does not count. */
  #updates = 0;

  constructor(private readonly options: OpenCtxOptions) {
    this.#answers = new Answers(options.storage, STORAGE_KEY);
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsOpenCtx(event) && this.#updateSoon()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#updateSoon()));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#updateSoon()));
    this.#store.add(options.secrets.onDidChange(() => this.tryAgain()));
    this.#updateSoon();
  }

  /** There are other providers than before, so that earlier answers do not count. A client of before is disposed. */
  readonly onDidChange = this.#onDidChange.event;
  /** A provider has answered, or failed: its status may be another. */
  readonly onDidAnswer = this.#onDidAnswer.event;

  /** Of a workspace folder, by its path. Undefined where no provider may be asked. Fetch it for each question, and do not keep or dispose it. */
  client(folder: string): OpenCtxClientCore | undefined {
    const { client, listed } = this.#folders.get(folder) ?? {};
    return listed?.some(({ provider }) => provider && this.#mayAsk(provider)) ? client : undefined;
  }

  get providers(): ListedProvider[] {
    return [...this.#folders].flatMap(([folder, { listed, client }]) =>
      listed.map((one) => ({ folder, ...one, status: client.state(one.uri) ?? one.status })),
    );
  }

  /** What is wrong with providers now. */
  get errors(): { folder: string; provider: string; message: string }[] {
    return this.providers.flatMap(({ folder, uri, status }) => {
      const message = 'message' in status ? status.message : 'leftOut' in status ? status.leftOut : undefined;
      return message === undefined ? [] : [{ folder, provider: uri, message }];
    });
  }

  /** Asks a provider (without a URI: all) again with the next question, also one that is left alone. */
  tryAgain(uri?: string): void {
    for (const { client, listed } of this.#folders.values())
      for (const one of listed) if (uri === undefined || one.uri === uri) client.tryAgain(one.uri);
    this.#onDidChange.fire();
    // A file that was missing may be there.
    this.#updateSoon();
  }

  /** The provider as it is now. */
  find(folder: string, uri: string): Provider | undefined {
    return this.#folders.get(folder)?.listed.find((one) => one.uri === uri)?.provider;
  }

  answerOf(provider: Provider): 'run' | 'never' | undefined {
    return this.#answers.of(provider);
  }

  /** The user has seen this and allows it. False, and nothing changes, when it is something else by now. */
  async allow(shown: Provider): Promise<boolean> {
    await this.update();
    if (this.find(shown.folder, shown.uri)?.digest !== shown.digest) return false;
    await this.#answers.set(shown, 'run');
    await this.update();
    return true;
  }

  async refuse(shown: Provider): Promise<void> {
    await this.#answers.set(shown, 'never');
    await this.update();
  }

  showLog(): void {
    this.#log.show(true);
  }

  /** Nobody waits for it, so that the user is told of a failure. */
  #updateSoon(): void {
    this.update().catch((error: unknown) => {
      if (!this.#store.isDisposed) this.options.onUpdateFailure(error, () => this.#store.isDisposed || this.#updateSoon());
    });
  }

  /** Looks at settings and files as they are now. Rejects when they cannot be looked at. */
  async update(): Promise<void> {
    const update = ++this.#updates;
    const isOn = vscode.workspace.isTrusted && settings.openCtx();
    const paths = isOn ? folderPaths() : [];
    const looked = await Promise.all(paths.map(async (path) => [path, await this.#look(path, paths)] as const));
    const found = looked.filter(([, listed]) => listed.length > 0);
    // Most windows have no provider, and what asks one is large.
    const loaded = found.length > 0 ? await import('../../openctx/client.ts') : undefined;
    if (update !== this.#updates || this.#store.isDisposed) return;
    let isChanged = false;
    for (const path of this.#folders.keys()) if (!found.some(([folder]) => folder === path)) isChanged = this.#remove(path);
    for (const [path, listed] of found) {
      const key = JSON.stringify(listed.map(({ uri, status, provider }) => [uri, status, provider?.digest]));
      if (!loaded || this.#folders.get(path)?.key === key) continue;
      this.#remove(path);
      this.#folders.set(path, { listed, key, client: new loaded.OpenCtxClientCore(this.#clientOptions(path, listed)) });
      isChanged = true;
    }
    this.#watch();
    if (isChanged) this.#onDidChange.fire();
    for (const { status, provider } of found.flatMap(([, listed]) => listed)) {
      if (status.kind !== 'waits' || !provider || this.#asked.has(provider.digest)) continue;
      this.#asked.add(provider.digest);
      this.options.ask(provider);
    }
  }

  dispose(): void {
    for (const path of [...this.#folders.keys()]) this.#remove(path);
    this.#watch();
    this.#store.dispose();
  }

  async #look(folder: string, folders: readonly string[]): Promise<Folder['listed']> {
    const { providers, problems } = configuredProviders(settings.openCtxProviders(vscode.Uri.file(folder)));
    const listed = providers.map(async (configured): Promise<Folder['listed'][number]> => {
      const { uri } = configured;
      if (configured.settings === false) return { uri, status: { kind: 'off' } };
      try {
        const provider = await findProvider(folder, folders, { ...configured, settings: configured.settings });
        const kinds = { run: 'unused', never: 'refused', none: provider.needsConsent ? 'waits' : 'unused' } as const;
        return { uri, provider, status: { kind: kinds[this.#answers.of(provider) ?? 'none'] } };
      } catch (error) {
        return { uri, status: { kind: 'wrong', message: messageOf(error) } };
      }
    });
    return [...(await Promise.all(listed)), ...problems.map(({ uri, message }) => ({ uri, status: { kind: 'wrong', message } as const }))];
  }

  #mayAsk(provider: Provider): boolean {
    const answer = this.#answers.of(provider);
    return answer === 'run' || (answer === undefined && !provider.needsConsent);
  }

  #clientOptions(folder: string, listed: Folder['listed']): OpenCtxClientOptions {
    const asked = listed.flatMap(({ provider }) => (provider && this.#mayAsk(provider) ? [provider] : []));
    return {
      providers: Object.fromEntries(asked.map(({ uri, settings: own }) => [uri, own])),
      moduleDigests: Object.fromEntries(asked.flatMap(({ uri, target }) => (target.kind === 'module' ? [[uri, target.sha256]] : []))),
      workspaceFolder: folder,
      findSecret: this.options.secrets.find,
      workerScript: this.options.workerScript,
      onDidAnswer: (answer) => this.#answered(answer),
    };
  }

  #answered({ provider, results, durationMs, error, leftOut }: ProviderAnswer): void {
    // Each answer has the same wrong items again.
    const isNew = leftOut !== undefined && this.#said.get(provider) !== leftOut;
    if (leftOut !== undefined) this.#said.set(provider, leftOut);
    if (settings.openCtxDebug() || isNew) {
      const what = error === undefined ? [`${results} results`, leftOut].filter(Boolean).join('. ') : error;
      this.#log.appendLine(`${new Date().toISOString()} ${oneLine(shownAddress(provider))}: ${oneLine(what, 2_000)} (${durationMs} ms)`);
    }
    this.#onDidAnswer.fire();
  }

  #remove(path: string): true {
    this.#folders.get(path)?.client.dispose();
    this.#folders.delete(path);
    return true;
  }

  /** A module that changes is another one, and one that is missing may come. */
  #watch(): void {
    const files = new Set(
      [...this.#folders.values()].flatMap(({ listed }) =>
        listed.flatMap(({ provider }) => (provider?.target.kind === 'module' ? [provider.target.path] : [])),
      ),
    );
    for (const [file, watcher] of this.#watchers) {
      if (files.has(file)) continue;
      watcher.dispose();
      this.#watchers.delete(file);
    }
    for (const file of files) {
      if (this.#watchers.has(file)) continue;
      const store = new DisposableStore();
      const pattern = new vscode.RelativePattern(vscode.Uri.file(dirname(file)), basename(file));
      const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
      for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) store.add(event(() => this.#updateSoon()));
      this.#watchers.set(file, store);
    }
  }
}
