/** Connection tokens of the hosts that the user added, in VS Code's secret storage, by URL. */
import type * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';

const PREFIX = 'tapline.host.token:';

export class HostTokens {
  readonly #onDidChange = new Emitter<string>();
  /** The URL whose token changed in this window. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(private readonly secrets: vscode.SecretStorage) {}

  get(url: string): Thenable<string | undefined> {
    return this.secrets.get(PREFIX + url);
  }

  /** Without a token the stored one is deleted. */
  async set(url: string, token: string | undefined): Promise<void> {
    if (token) await this.secrets.store(PREFIX + url, token);
    else await this.secrets.delete(PREFIX + url);
    this.#onDidChange.fire(url);
  }
}
