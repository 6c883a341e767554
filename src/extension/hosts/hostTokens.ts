/** Connection tokens of the hosts that the user added, in VS Code's secret storage, by URL. */
import { Emitter } from '../../base/event.ts';
import { NotedSecrets, type SecretNotes, type SecretStorage } from '../notedSecrets.ts';

export class HostTokens {
  readonly #onDidChange = new Emitter<string>();
  /** The URL whose token changed in this window. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #tokens: NotedSecrets;

  constructor(secrets: SecretStorage, notes: SecretNotes) {
    this.#tokens = new NotedSecrets(secrets, notes, { prefix: 'tapline.host.token:', notes: 'tapline.hostsWithTokens' });
  }

  /** Of those that were set by this version or a later one. */
  get urls(): string[] {
    return this.#tokens.names;
  }

  get(url: string): PromiseLike<string | undefined> {
    return this.#tokens.get(url);
  }

  /** Without a token the stored one is deleted. */
  async set(url: string, token: string | undefined): Promise<void> {
    if (token) await this.#tokens.store(url, token);
    else await this.#tokens.delete(url);
    this.#onDidChange.fire(url);
  }
}
