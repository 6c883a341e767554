/** The user's own models: the list is in the settings, the keys are in the secret storage, and the embedded host gets both while it runs. */
import * as vscode from 'vscode';
import { ConnectionError } from '../../ahp/client/connection/connectionState.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { MODEL_ENDPOINTS_RESOURCE, type ModelEndpoint } from '../../base/modelEndpoints.ts';
import { modelSources } from '../../views/agentModels.ts';
import { type AgentHost, agentsOf } from '../hosts/agentHost.ts';
import { EMBEDDED_HOST_ID, type HostRegistry } from '../hosts/hostRegistry.ts';
import { type ModelSetting, settings } from '../settings.ts';
import { ModelKeys } from './modelKeys.ts';

export class OwnModels implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidFail = this.#store.add(new Emitter<string>());
  /** The host did not take the list, or a key was not given; the text is for the user and holds no key. */
  readonly onDidFail = this.#onDidFail.event;
  /** What this connection of the host was given last, and whether it took it. */
  #given: { host: AgentHost; text: string; isTaken: boolean } | undefined;
  /** The list has to be given even if it is empty or not new. */
  #again = false;
  #syncing: Promise<void> = Promise.resolve();
  readonly #keys: ModelKeys;

  constructor(
    private readonly hosts: HostRegistry,
    secrets: vscode.SecretStorage,
    private readonly logger: Logger,
  ) {
    this.#keys = new ModelKeys(secrets);
    this.#store.add(hosts.onDidChange(() => void this.sync()));
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsModels(event) && void this.sync()));
    this.#store.add(secrets.onDidChange(({ key }) => ModelKeys.isKey(key) && void this.sync()));
  }

  /** Adds the model or replaces the one of its id. False when the host did not take the list, as {@link onDidFail} has told. */
  async save(model: ModelSetting, apiKey: string | undefined): Promise<boolean> {
    await this.#change(async () => {
      await this.#keys.set(model, apiKey);
      await settings.setModels([...settings.models().filter(({ id }) => id !== model.id), model]);
    });
    return this.#given?.isTaken !== false;
  }

  async remove(id: string): Promise<void> {
    await this.#change(async () => {
      await settings.setModels(settings.models().filter((model) => model.id !== id));
      await this.#keys.delete(id);
    });
  }

  /** Gives the embedded host the list of now, once; the client gives it again by itself to a host that has started anew. */
  sync(): Promise<void> {
    // One list that cannot be read must not keep later ones from being given.
    this.#syncing = this.#syncing
      .then(() => this.#sync())
      .catch((error: unknown) => this.logger.error(`Your models could not be read: ${messageOf(error)}`));
    return this.#syncing;
  }

  /** The engine was installed: the agent looks again when it is given the list again. */
  giveAgain(): Promise<void> {
    this.#again = true;
    return this.sync();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** A model and its key are changed as one: no list with the one and without the other is given. */
  async #change(work: () => Promise<void>): Promise<void> {
    const changed = this.#syncing.then(work);
    this.#syncing = changed.catch(() => undefined); // told by what is awaited here
    await changed;
    await this.sync();
  }

  async #sync(): Promise<void> {
    // Keys go to our own host on this computer and nowhere else.
    const host = this.hosts.get(EMBEDDED_HOST_ID);
    if (!host || host.client.state.kind !== 'connected' || !takesModels(host)) return;
    const { endpoints, withheld } = await this.#endpoints();
    const text = JSON.stringify(endpoints);
    const given = this.#given?.host === host ? this.#given.text : undefined;
    // From a host that has been given nothing there is nothing to take back.
    if (!this.#again && (given === text || (given === undefined && text === '[]'))) return;
    this.#again = false;
    this.#given = { host, text, isTaken: true };
    for (const problem of withheld) this.#onDidFail.fire(problem);
    try {
      await host.client.request('authenticate', { resource: MODEL_ENDPOINTS_RESOURCE, token: text });
    } catch (error) {
      this.#given.isTaken = false;
      // The host has not seen it; it is given with the next connection.
      if (error instanceof ConnectionError) this.#given = undefined;
      this.logger.error(`Your models were not taken: ${messageOf(error)}`);
      this.#onDidFail.fire(`Your models were not taken: ${messageOf(error)}`);
    }
  }

  /** `withheld`: for the user, one text for each model whose key is for another server. */
  async #endpoints(): Promise<{ endpoints: ModelEndpoint[]; withheld: string[] }> {
    const withheld: string[] = [];
    const endpoints: ModelEndpoint[] = [];
    for (const model of settings.models()) {
      const found = await this.#keys.get(model);
      if (found && 'otherServer' in found)
        withheld.push(
          `The key of “${model.name}” was given for ${found.otherServer} and is not sent to ${model.baseUrl}. Add the model again to give a key for that address.`,
        );
      endpoints.push({ ...model, wireApi: model.wireApi ?? 'completions', ...(found && 'apiKey' in found && { apiKey: found.apiKey }) });
    }
    return { endpoints, withheld };
  }
}

function takesModels(host: AgentHost): boolean {
  return agentsOf(host).some((agent) => modelSources(agent).includes('ownModels'));
}
