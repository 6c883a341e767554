/** The agent hosts of this window: the embedded one and those of the settings, each connected while it is listed. */
import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import { connectNodeTransport } from '../../ahp/client/nodeTransport.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { messageOf } from '../../base/errors.ts';
import { settings } from '../settings.ts';
import { EMBEDDED_HOST_URL, embeddedHostTransport } from './embeddedHost.ts';
import { AgentHost, type HostDefinition } from './agentHost.ts';
import type { HostTokens } from './hostTokens.ts';

export const EMBEDDED_HOST_ID = 'embedded';

export class HostRegistry implements Disposable {
  readonly #store = new DisposableStore();
  readonly #hosts = new Map<string, { host: AgentHost; store: DisposableStore }>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** A host came, went, or changed (its connection, sessions or root state). */
  readonly onDidChange = this.#onDidChange.event;
  // One id per window and activation: hosts deliver to the newest connection of an id only.
  readonly #clientId = `tapline-${randomUUID()}`;
  #syncing: Promise<void> = Promise.resolve();

  constructor(
    private readonly extensionPath: string,
    private readonly tokens: HostTokens,
    private readonly logger: Logger,
  ) {
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsHosts(event) && this.sync()));
    this.#store.add(tokens.onDidChange((url) => void this.#renew(url)));
  }

  get all(): AgentHost[] {
    return [...this.#hosts.values()].map(({ host }) => host);
  }

  get(id: string): AgentHost | undefined {
    return this.#hosts.get(id)?.host;
  }

  /** Connects what the settings list and drops what they no longer do. Calls run one after another. */
  sync(): Promise<void> {
    this.#syncing = this.#syncing.then(() => this.#sync()).catch((error: unknown) => this.logger.error(`Hosts: ${messageOf(error)}`));
    return this.#syncing;
  }

  /** At once where it is waiting for the next attempt anyway; otherwise a new connection, with the token of now. */
  async reconnect(id: string): Promise<void> {
    const client = this.get(id)?.client;
    if (!client) return;
    if (client.state.kind === 'reconnecting') {
      client.reconnectNow();
      return;
    }
    await this.#renew(id);
  }

  async #renew(id: string): Promise<void> {
    if (!this.#hosts.has(id)) return;
    this.#drop(id);
    await this.sync();
  }

  async #sync(): Promise<void> {
    const wanted = new Map<string, HostDefinition>();
    if (settings.embeddedHost()) wanted.set(EMBEDDED_HOST_ID, { id: EMBEDDED_HOST_ID, label: 'This computer', kind: 'embedded' });
    for (const { name, url } of settings.hosts()) wanted.set(url, { id: url, label: name, kind: 'configured' });
    for (const [id, { host }] of this.#hosts) {
      if (wanted.get(id)?.label !== host.label) this.#drop(id);
    }
    for (const definition of wanted.values()) {
      if (!this.#hosts.has(definition.id)) await this.#connect(definition);
    }
    // In the order of the settings.
    for (const id of wanted.keys()) {
      const entry = this.#hosts.get(id);
      if (!entry) continue;
      this.#hosts.delete(id);
      this.#hosts.set(id, entry);
    }
    this.#onDidChange.fire();
  }

  async #connect(definition: HostDefinition): Promise<void> {
    const embedded = definition.kind === 'embedded';
    const token = embedded ? undefined : await this.tokens.get(definition.id);
    if (this.#store.isDisposed) return;
    const host = new AgentHost(definition, {
      url: embedded ? EMBEDDED_HOST_URL : definition.id,
      token,
      clientId: this.#clientId,
      transport: embedded ? embeddedHostTransport(this.extensionPath, this.logger) : connectNodeTransport(),
      logger: this.logger,
    });
    const store = new DisposableStore();
    store.add(host);
    store.add(host.onDidChange(() => this.#onDidChange.fire()));
    this.#hosts.set(definition.id, { host, store });
  }

  #drop(id: string): void {
    this.#hosts.get(id)?.store.dispose();
    this.#hosts.delete(id);
  }

  dispose(): void {
    for (const id of [...this.#hosts.keys()]) this.#drop(id);
    this.#store.dispose();
  }
}
