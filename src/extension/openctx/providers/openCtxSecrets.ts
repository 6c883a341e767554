/** The values of `${secret:NAME}` in settings of providers, in VS Code's secret storage. */
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';

const PREFIX = 'tapline.openctx.secret:';
/** Names only: the storage does not list them. */
const NAMES = 'tapline.openCtxSecrets';
const NAME = /^[\w.-]+$/;

export class OpenCtxSecrets {
  readonly onDidChange: vscode.Event<vscode.SecretStorageChangeEvent>;

  constructor(
    private readonly storage: vscode.SecretStorage,
    private readonly notes: vscode.Memento,
  ) {
    this.onDidChange = (listener, ...rest) => storage.onDidChange((event) => event.key.startsWith(PREFIX) && listener(event), ...rest);
  }

  readonly find = async (name: string): Promise<string | undefined> => this.storage.get(PREFIX + name);

  async store(name: string, value: string): Promise<void> {
    await this.notes.update(NAMES, [...new Set([...this.#names, name])]);
    await this.storage.store(PREFIX + name, value);
  }

  async delete(name: string): Promise<void> {
    await this.storage.delete(PREFIX + name);
    await this.notes.update(
      NAMES,
      this.#names.filter((one) => one !== name),
    );
  }

  /** Asks the user for one. */
  async enter(): Promise<void> {
    const title = 'Set an OpenCtx Secret';
    const name = await vscode.window.showInputBox({
      title,
      prompt: 'Its name. Settings of providers refer to it as ${secret:NAME}.',
      validateInput: (text) => (NAME.test(text.trim()) ? undefined : 'Use letters, digits, “.”, “_” and “-”.'),
    });
    if (name === undefined) return;
    const prompt = `The value of “${name.trim()}”. It is kept in the secret storage, and sent to providers whose settings refer to it.`;
    const value = await vscode.window.showInputBox({ title, prompt, password: true, ignoreFocusOut: true });
    if (value) await this.store(name.trim(), value);
  }

  async remove(): Promise<void> {
    if (this.#names.length === 0) throw new UserError('No OpenCtx secret is set.');
    const name = await vscode.window.showQuickPick(this.#names, { title: 'Remove an OpenCtx Secret' });
    if (name !== undefined) await this.delete(name);
  }

  get #names(): string[] {
    const kept = this.notes.get(NAMES);
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : [];
  }
}
