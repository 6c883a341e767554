/** The agent hosts of this window: the embedded host, that of the portal, those of the settings, those of VS Code that the user agreed to, and opened recordings. Each is connected while it is listed. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { AgentHostClientOptions } from '../../ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../ahp/client/nodeTransport.ts';
import type { ReplayedHost } from '../../ahp/client/recording/replayedHost.ts';
import type { WireLogWriter } from '../../ahp/client/recording/wireLogWriter.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { HostProblem } from '../../views/hosts/hostProblem.ts';
import type { Logger } from '../../base/log.ts';
import type { TransportFactory } from '../../ahp/client/transport.ts';
import { englishOf } from '../../base/errors.ts';
import { settings } from '../settings.ts';
import { EMBEDDED_HOST_URL, embeddedHostTransport } from './embeddedHost.ts';
import { RegisteredHost, type HostDefinition } from './registeredHost.ts';
import type { HostTokens } from './hostTokens.ts';

export const EMBEDDED_HOST_ID = 'embedded';
export const PORTAL_HOST_ID = 'portal';
type ConnectOptions = Pick<AgentHostClientOptions, 'url' | 'name' | 'token' | 'transport'>;
/** A placeholder: its entry has the address. */
const VSCODE_URL = 'ws://localhost';
/** The URL of a recording; nothing connects to it. */
const REPLAY_URL = 'ws://recording';

export class HostRegistry implements Disposable {
  readonly #store = new DisposableStore();
  readonly #hosts = new Map<string, { host: RegisteredHost; store: DisposableStore }>();
  /** Of connections that are being replaced, by host id. */
  readonly #problems = new Map<string, HostProblem>();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** A host was added or removed, or its connection, sessions or root state changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidCountDown = this.#store.add(new Emitter<void>());
  /** Only the seconds to the next attempt of a host changed. */
  readonly onDidCountDown = this.#onDidCountDown.event;
  /** By host id. Each connection plays its recording from the beginning. */
  readonly #replays = new Map<string, { label: string; start: (logger: Logger) => ReplayedHost }>();
  #embedded: TransportFactory | undefined;
  /** By host id. */
  readonly #vsCode = new Map<string, { label: string; transport: TransportFactory }>();
  #portal: { url: string; token: string } | undefined;
  #wireLog: WireLogWriter | undefined;
  #syncing: Promise<void> = Promise.resolve();
  #isListing = true;

  constructor(
    private readonly extensionPath: string,
    /** Of this window alone: a host sends only to the newest connection of an id. */
    private readonly clientId: string,
    private readonly tokens: HostTokens,
    private readonly logger: Logger,
  ) {
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsHosts(event) && this.sync()));
    this.#store.add(tokens.onDidChange((url) => void this.#renew(url)));
  }

  get all(): RegisteredHost[] {
    return [...this.#hosts.values()].map(({ host }) => host);
  }

  get(id: string): RegisteredHost | undefined {
    return this.#hosts.get(id)?.host;
  }

  /** Not all hosts of this window are listed yet: it opens, or something has changed. */
  get isListing(): boolean {
    return this.#isListing;
  }

  /** Connects the hosts that the settings list and disconnects all others. Calls run one after another. */
  sync(): Promise<void> {
    this.#isListing = true;
    this.#syncing = this.#syncing.then(() => this.#sync()).catch((error: unknown) => this.logger.error(`Hosts: ${englishOf(error)}`));
    return this.#syncing;
  }

  /** Tries again at once if the host is waiting for the next attempt. Otherwise it opens a new connection, with the current token. */
  async reconnect(id: string): Promise<void> {
    const client = this.get(id)?.client;
    if (!client) return;
    if (client.state.kind === 'reconnecting') {
      client.reconnectNow();
      return;
    }
    await this.#renew(id);
  }

  /** Records the frames of all connections except those of recordings; undefined stops. */
  recordTo(writer: WireLogWriter | undefined): void {
    this.#wireLog = writer;
    for (const host of this.all) this.#record(host);
  }

  /** Lists a recording as a host. One that is listed already is played again. */
  async addReplay(id: string, label: string, start: (logger: Logger) => ReplayedHost): Promise<void> {
    this.#replays.set(id, { label, start });
    this.#drop(id);
    await this.sync();
  }

  async removeReplay(id: string): Promise<void> {
    this.#replays.delete(id);
    await this.sync();
  }

  /** Lists the host of the portal that runs on this computer, where the user answers what its sessions ask. Undefined: none runs. */
  async setPortal(host: { url: string; token: string } | undefined): Promise<void> {
    this.#portal = host;
    this.#drop(PORTAL_HOST_ID);
    await this.sync();
  }

  /** Lists these hosts of VS Code on this computer, to which the user has agreed, and no others. */
  async setVsCodeHosts(hosts: readonly { id: string; label: string; transport: TransportFactory }[]): Promise<void> {
    this.#vsCode.clear();
    for (const { id, ...host } of hosts) this.#vsCode.set(id, host);
    await this.sync();
  }

  #record(host: RegisteredHost): void {
    if (host.kind !== 'replay') host.client.recordTo(this.#wireLog && { writer: this.#wireLog, host: host.label });
  }

  async #renew(id: string): Promise<void> {
    const host = this.get(id);
    if (!host) return;
    if (host.connection.problem) this.#problems.set(id, host.connection.problem);
    this.#drop(id);
    await this.sync();
  }

  async #sync(): Promise<void> {
    const wanted = new Map<string, HostDefinition>();
    if (settings.embeddedHost()) wanted.set(EMBEDDED_HOST_ID, { id: EMBEDDED_HOST_ID, label: l10n.t('This computer'), kind: 'embedded' });
    if (this.#portal) wanted.set(PORTAL_HOST_ID, { id: PORTAL_HOST_ID, label: l10n.t('Portal'), kind: 'portal' });
    for (const [id, { label }] of this.#vsCode) wanted.set(id, { id, label, kind: 'vscode' });
    for (const { name, url } of settings.hosts()) wanted.set(url, { id: url, label: name, kind: 'configured' });
    for (const [id, { label }] of this.#replays) wanted.set(id, { id, label, kind: 'replay' });
    for (const [id, { host }] of this.#hosts) {
      if (wanted.get(id)?.label !== host.label) this.#drop(id);
    }
    for (const definition of wanted.values()) {
      if (!this.#hosts.has(definition.id)) await this.#connect(definition);
    }
    // Sort as in the settings.
    for (const id of wanted.keys()) {
      const entry = this.#hosts.get(id);
      if (!entry) continue;
      this.#hosts.delete(id);
      this.#hosts.set(id, entry);
    }
    this.#isListing = false;
    this.#onDidChange.fire();
  }

  async #connect(definition: HostDefinition): Promise<void> {
    const store = new DisposableStore();
    const options = await this.#connectOptions(definition, store);
    if (this.#store.isDisposed) return;
    const host = store.add(
      new RegisteredHost(
        definition,
        {
          ...options,
          ...{ clientId: this.clientId, clientSeqAfter: Date.now(), locale: vscode.env.language },
          ...{ speaks11: settings.ahp11(), logger: this.logger },
        },
        this.#problems.get(definition.id),
      ),
    );
    this.#problems.delete(definition.id);
    this.#record(host);
    store.add(host.onDidChange(() => this.#onDidChange.fire()));
    store.add(host.onDidCountDown(() => this.#onDidCountDown.fire()));
    store.add(this.#logConnection(host));
    this.#hosts.set(definition.id, { host, store });
  }

  /** How to connect to the host. `store` is disposed of with the connection. */
  async #connectOptions({ id, kind, label }: HostDefinition, store: DisposableStore): Promise<ConnectOptions> {
    const replay = this.#replays.get(id);
    if (replay) return { url: REPLAY_URL, transport: store.add(replay.start(this.logger)).transport };
    const local = this.#vsCode.get(id);
    if (local) return { url: VSCODE_URL, name: label, transport: local.transport };
    if (kind === 'embedded') {
      this.#embedded ??= embeddedHostTransport(this.extensionPath, this.logger, {
        language: vscode.env.language,
        speaks11: settings.ahp11,
      });
      return { url: EMBEDDED_HOST_URL, transport: this.#embedded };
    }
    // As at the embedded host, the token is proved and not sent.
    if (this.#portal && id === PORTAL_HOST_ID)
      return { url: this.#portal.url, transport: connectNodeTransport(undefined, this.#portal.token) };
    return { url: id, name: label, token: await this.tokens.get(id), transport: connectNodeTransport() };
  }

  /** Logs each reason once, not at each attempt. */
  #logConnection({ label, client }: RegisteredHost): Disposable {
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
