/** The values of `${secret:NAME}` in settings of providers, in VS Code's secret storage. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { NotedSecrets } from '../../notedSecrets.ts';

const PREFIX = 'tapline.openctx.secret:';
const NAME = /^[\w.-]+$/;

export class OpenCtxSecrets {
  readonly onDidChange: vscode.Event<vscode.SecretStorageChangeEvent>;
  readonly #secrets: NotedSecrets;

  constructor(storage: vscode.SecretStorage, notes: vscode.Memento) {
    this.#secrets = new NotedSecrets(storage, notes, { prefix: PREFIX, notes: 'tapline.openCtxSecrets' });
    this.onDidChange = (listener, ...rest) => storage.onDidChange((event) => event.key.startsWith(PREFIX) && listener(event), ...rest);
  }

  readonly find = async (name: string): Promise<string | undefined> => this.#secrets.get(name);

  get names(): string[] {
    return this.#secrets.names;
  }

  store(name: string, value: string): Promise<void> {
    return this.#secrets.store(name, value);
  }

  delete(name: string): Promise<void> {
    return this.#secrets.delete(name);
  }

  /** Asks the user for one. */
  async enter(): Promise<void> {
    const title = l10n.t('Set a Secret of Context Providers');
    const name = await vscode.window.showInputBox({
      title,
      prompt: l10n.t('Its name. Settings of providers refer to it as ${secret:NAME}.'),
      validateInput: (text) => (NAME.test(text.trim()) ? undefined : l10n.t('Use letters, digits, “.”, “_” and “-”.')),
    });
    if (name === undefined) return;
    const prompt = l10n.t`The value of “${name.trim()}”. It is kept in the secret storage, and sent to providers whose settings refer to it.`;
    const value = await vscode.window.showInputBox({ title, prompt, password: true, ignoreFocusOut: true });
    if (value) await this.store(name.trim(), value);
  }

  async remove(): Promise<void> {
    if (this.names.length === 0) throw new UserError(l10n.t('No OpenCtx secret is set.'));
    const name = await vscode.window.showQuickPick(this.names, { title: l10n.t('Remove a Secret of Context Providers') });
    if (name !== undefined) await this.delete(name);
  }
}
