/** The agent hosts of this window: the embedded one, those of the settings, and recordings that were opened; each connected while it is listed. */
import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import type { AgentHostClientOptions } from '../../ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../ahp/client/nodeTransport.ts';
import type { ReplayedHost } from '../../ahp/client/recording/replayedHost.ts';
import type { WireLogWriter } from '../../ahp/client/recording/wireLog.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { messageOf } from '../../base/errors.ts';
import { settings } from '../settings.ts';
import { EMBEDDED_HOST_URL, embeddedHostTransport } from './embeddedHost.ts';
import { AgentHost, type HostDefinition } from './agentHost.ts';
import type { HostTokens } from './hostTokens.ts';

export const EMBEDDED_HOST_ID = 'embedded';
type Way = Pick<AgentHostClientOptions, 'url' | 'name' | 'token' | 'transport'>;
/** Stands for a recording where a URL is asked for. */
const REPLAY_URL = 'ws://recording';

export class HostRegistry implements Disposable {
  readonly #store = new DisposableStore();
  readonly #hosts = new Map<string, { host: AgentHost; store: DisposableStore }>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** A host came, went, or changed (its connection, sessions or root state). */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidCountDown = this.#store.add(new Emitter<void>());
  /** The seconds to the next attempt of a host are others, and nothing else. */
  readonly onDidCountDown = this.#onDidCountDown.event;
  // One id per window and activation: hosts deliver to the newest connection of an id only.
  readonly #clientId = `tapline-${randomUUID()}`;
  /** Recordings, by host id: each connection plays one from its beginning. */
  readonly #replays = new Map<string, { label: string; start: () => ReplayedHost }>();
  #wireLog: WireLogWriter | undefined;
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

  /** Writes what goes over all lines from now on; undefined ends it. Recordings are not recorded. */
  recordTo(writer: WireLogWriter | undefined): void {
    this.#wireLog = writer;
    for (const host of this.all) this.#record(host);
  }

  /** Lists a recording as a host, or plays the listed one from its beginning. */
  async addReplay(id: string, label: string, start: () => ReplayedHost): Promise<void> {
    this.#replays.set(id, { label, start });
    this.#drop(id);
    await this.sync();
  }

  async removeReplay(id: string): Promise<void> {
    this.#replays.delete(id);
    await this.sync();
  }

  #record(host: AgentHost): void {
    if (host.kind !== 'replay') host.client.recordTo(this.#wireLog && { writer: this.#wireLog, host: host.label });
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
    for (const [id, { label }] of this.#replays) wanted.set(id, { id, label, kind: 'replay' });
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
    const store = new DisposableStore();
    const way = await this.#way(definition, store);
    if (this.#store.isDisposed) return;
    const host = store.add(new AgentHost(definition, { ...way, clientId: this.#clientId, logger: this.logger }));
    this.#record(host);
    store.add(host.onDidChange(() => this.#onDidChange.fire()));
    store.add(host.onDidCountDown(() => this.#onDidCountDown.fire()));
    store.add(this.#logConnection(host));
    this.#hosts.set(definition.id, { host, store });
  }

  /** How the host is reached; what has to end with the connection goes into `store`. */
  async #way({ id, kind, label }: HostDefinition, store: DisposableStore): Promise<Way> {
    const replay = this.#replays.get(id);
    if (replay) return { url: REPLAY_URL, transport: store.add(replay.start()).transport };
    if (kind === 'embedded') return { url: EMBEDDED_HOST_URL, transport: embeddedHostTransport(this.extensionPath, this.logger) };
    return { url: id, name: label, token: await this.tokens.get(id), transport: connectNodeTransport() };
  }

  /** Each reason once, not at each attempt. */
  #logConnection({ label, client }: AgentHost): Disposable {
    let said: string | undefined;
    return client.onDidChangeState((state) => {
      if (state.kind === 'connected') {
        if (said !== undefined) this.logger.info(`${label}: connected`);
        said = undefined;
      } else if ((state.kind === 'failed' || state.kind === 'reconnecting') && state.reason.message !== said) {
        said = state.reason.message;
        this.logger.warn(`${label}: ${said}`);
      }
    });
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
