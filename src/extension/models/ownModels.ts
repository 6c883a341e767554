/** The user's own models. The list is in the settings and the keys are in the secret storage. Tapline's own hosts get both. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { ConnectionError } from '../../ahp/client/connection/connectionState.ts';
import { englishOf, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { MODEL_ENDPOINTS_RESOURCE, type ModelEndpoint } from '../../models/modelEndpoints.ts';
import { modelSources } from '../../views/hosts/agentModels.ts';
import { type RegisteredHost, agentsOf } from '../hosts/registeredHost.ts';
import { EMBEDDED_HOST_ID, type HostRegistry, PORTAL_HOST_ID } from '../hosts/hostRegistry.ts';
import { type ModelSetting, settings } from '../settings.ts';
import { ModelKeys } from './modelKeys.ts';

export class OwnModels implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidFail = this.#store.add(new Emitter<string>());
  /** A host refused the list, or a key was withheld. The text is for the user and contains no key. */
  readonly onDidFail = this.#onDidFail.event;
  /** What each host was sent last over its connection, and whether it accepted it. */
  readonly #given = new WeakMap<RegisteredHost, { text: string; isTaken: boolean }>();
  /** These are sent the list even if it is empty or has not changed. */
  readonly #again = new WeakSet<RegisteredHost>();
  /** What was said last about models and keys that are not sent. */
  #said = '';
  #syncing: Promise<void> = Promise.resolve();
  readonly #keys: ModelKeys;

  constructor(
    private readonly hosts: HostRegistry,
    secrets: vscode.SecretStorage,
    notes: vscode.Memento,
    private readonly logger: Logger,
  ) {
    this.#keys = new ModelKeys(secrets, notes);
    this.#store.add(hosts.onDidChange(() => void this.sync()));
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsModels(event) && void this.sync()));
    this.#store.add(secrets.onDidChange(({ key }) => ModelKeys.isKey(key) && void this.sync()));
  }

  /** Adds the model or replaces the one with its id. False when a host refused the list; {@link onDidFail} has said why. */
  async save(model: ModelSetting, apiKey: string | undefined): Promise<boolean> {
    await this.#change(async () => {
      await this.#keys.set(model, apiKey);
      await settings.setModel(model.id, model);
    });
    return this.#ownHosts().every((host) => this.#given.get(host)?.isTaken !== false);
  }

  /** The same for a model whose key stays as it is. */
  async saveWithKey(model: ModelSetting): Promise<void> {
    await this.#change(() => settings.setModel(model.id, model));
  }

  async remove(id: string): Promise<void> {
    await this.#change(async () => {
      await settings.setModel(id);
      await this.#keys.delete(id);
    });
  }

  /** For good. The models themselves stay in the settings. */
  forgetKeys(): Promise<void> {
    return this.#change(async () => {
      for (const id of this.#keys.ids) await this.#keys.delete(id);
    });
  }

  /** Sends the current list to Tapline's own hosts. A client sends it again by itself after its host has restarted. */
  sync(): Promise<void> {
    // A list that cannot be read must not stop later ones.
    this.#syncing = this.#syncing
      .then(() => this.#sync())
      .catch((error: unknown) => this.logger.error(`Your models could not be read: ${englishOf(error)}`));
    return this.#syncing;
  }

  /** After the engine was installed: the agent looks for it when it gets the list. */
  giveAgain(): Promise<void> {
    for (const host of this.#ownHosts()) this.#again.add(host);
    return this.sync();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Changes a model and its key together, so that the host never gets a list with only one of them. */
  async #change(work: () => Promise<void>): Promise<void> {
    const changed = this.#syncing.then(work);
    this.#syncing = changed.catch(() => undefined); // reported by the await above
    await changed;
    await this.sync();
  }

  /** Keys go to our own hosts on this computer and nowhere else. */
  #ownHosts(): RegisteredHost[] {
    return [EMBEDDED_HOST_ID, PORTAL_HOST_ID].flatMap((id) => this.hosts.get(id) ?? []);
  }

  async #sync(): Promise<void> {
    const connected = this.#ownHosts().filter((host) => host.client.state.kind === 'connected' && takesModels(host));
    if (connected.length === 0) return;
    const { endpoints, withheld } = await this.#endpoints();
    const text = JSON.stringify(endpoints);
    const left = settings.modelProblems().map((problem) => l10n.t`A model in the setting tapline.models is not used. ${problem}.`);
    const problem = [...left, ...withheld].join('\n');
    if (problem !== '' && problem !== this.#said) this.#onDidFail.fire(problem);
    this.#said = problem;
    const lacking = connected.filter((host) => this.#lacks(host, text));
    await Promise.all(lacking.map((host) => this.#give(host, text)));
  }

  #lacks(host: RegisteredHost, text: string): boolean {
    // There is nothing to take back from a host that got nothing.
    return this.#again.has(host) || (this.#given.get(host)?.text ?? '[]') !== text;
  }

  async #give(host: RegisteredHost, text: string): Promise<void> {
    this.#again.delete(host);
    this.#given.set(host, { text, isTaken: true });
    try {
      await host.client.command('authenticate', { resource: MODEL_ENDPOINTS_RESOURCE, token: text });
    } catch (error) {
      // Where the connection was lost before the host got it, it is sent again after the next one.
      if (error instanceof ConnectionError) this.#given.delete(host);
      else this.#given.set(host, { text, isTaken: false });
      this.logger.error(`Your models were not accepted by ${host.label}: ${englishOf(error)}`);
      this.#onDidFail.fire(l10n.t`Your models were not accepted: ${messageOf(error)}`);
    }
  }

  /** `withheld`: a text for the user about each model whose key belongs to another server. */
  async #endpoints(): Promise<{ endpoints: ModelEndpoint[]; withheld: string[] }> {
    const withheld: string[] = [];
    const endpoints: ModelEndpoint[] = [];
    for (const model of settings.models()) {
      const found = await this.#keys.get(model);
      if (found && 'otherServer' in found)
        withheld.push(
          l10n.t`The key of “${model.name}” was given for ${found.otherServer} and is not sent to ${model.baseUrl}. Add the model again to give a key for that address.`,
        );
      if (found && 'isLost' in found)
        withheld.push(
          l10n.t`VS Code has lost the key of “${model.name}”. In a browser it may keep keys only until the window is loaded again. Add the model again to enter the key.`,
        );
      endpoints.push({ ...model, ...(found && 'apiKey' in found && { apiKey: found.apiKey }) });
    }
    return { endpoints, withheld };
  }
}

function takesModels(host: RegisteredHost): boolean {
  return agentsOf(host).some((agent) => modelSources(agent).includes('ownModels'));
}
