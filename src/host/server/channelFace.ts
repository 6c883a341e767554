/** The host as its clients of AHP 1.0 (0.9 to 1.x) see it. */
import type { ActionEnvelope, ActionOrigin } from '../../ahp/channels/actions.ts';
import {
  type ClientNotifications,
  clientNotificationParams,
  type CommandParams,
  type InitializeResult,
  type PerChannelReconnectResult,
  PROTOCOL_VERSIONS,
  type ReconnectResult,
  type Snapshot,
  VERSION_11,
} from '../../ahp/channels/commands.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type ChatNameCommand, chatNameCommands, type ChatNameParams } from '../../ahp/schemas/chatNameSchemas.ts';
import { type GrantCommand, grantCommands } from '../../ahp/schemas/grantSchemas.ts';
import { hasHooks } from '../../ahp/hookRequests.ts';
import { englishOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/log.ts';
import { sameJson } from '../../base/sameJson.ts';
import { checkedParams as paramsOf } from '../checks/checkedParams.ts';
import { problemOf } from '../checks/problem.ts';
import type { Host } from '../host.ts';
import type { SessionsChange } from '../sessions/sessions.ts';
import type { Client } from '../state/clients.ts';
import { amended } from '../state/amended.ts';
import { changesOf } from '../state/listedSession.ts';
import { GatheredChanges } from '../state/gatheredChanges.ts';
import { beginOf } from '../state/turnPages.ts';
import type { Face } from '../face.ts';
import { checkedParams, commands, isCommand, isTerminalUri } from './channelCommands.ts';
import { revokeGrants } from '../sessions/revokeGrants.ts';
import { TraceExport, TRACES_CHANNEL } from '../telemetry/traceExport.ts';
import { type CaughtUp, reconnecting } from './reconnecting.ts';
import { TurnWindows } from './turnWindows.ts';
import { channelVersionOf } from './channelVersion.ts';

/** VS Code tells its hosts what its policies permit. This host has no policies. */
const unneededNotifications: ReadonlySet<string> = new Set(['setClientManagedSettingsPermissions']);

export interface ChannelFaceOptions {
  host: Host;
  logger: Logger;
  version?: string | undefined;
  /** Version 1.1, which is in development, is spoken with clients that offer it. */
  speaks11?: boolean | undefined;
  clock?: Clock;
}

export class ChannelFace implements Face, Disposable {
  readonly #host: Host;
  /** Those that are connected. */
  readonly #clients = new Set<Client>();
  readonly #changes: GatheredChanges;
  /** The summaries that clients were told last. */
  readonly #told = new Map<URI, SessionSummary>();
  readonly #windows: TurnWindows;
  readonly #disposables = new DisposableStore();

  constructor(private readonly options: ChannelFaceOptions) {
    this.#host = options.host;
    const { store, sessions, clients } = options.host;
    this.#windows = this.#disposables.add(new TurnWindows(store, (envelope) => this.#tell(envelope)));
    this.#disposables.add(clients.onDidForget((clientId) => this.#windows.forget(clientId)));
    this.#changes = this.#disposables.add(new GatheredChanges((session) => this.#tellSummary(session)));
    this.#disposables.add(store.onDidDispatch((dispatched) => this.#tell(this.#windows.told(dispatched))));
    this.#disposables.add(sessions.onDidChange((change) => this.#tellChange(change)));
    const { version, clock = systemClock } = options;
    const source = { service: 'tapline-host', version };
    this.#disposables.add(new TraceExport({ source, spans: options.host.spans.onDidEnd, clients: this.#clients, clock }));
  }

  /** Throws UnsupportedProtocolVersion and InvalidParams. */
  initialize(params: unknown, makeClient: (clientId: string) => Client): InitializeResult {
    const version = channelVersionOf(params, this.options.speaks11);
    if (!version) {
      const supportedVersions = [...(this.options.speaks11 ? [VERSION_11] : []), ...PROTOCOL_VERSIONS];
      const message = `this host speaks AHP v1 and ${supportedVersions.join(', ')} of the protocol`;
      throw new RpcError(ErrorCode.UnsupportedProtocolVersion, message, { supportedVersions });
    }
    const { clientId, initialSubscriptions = [], _meta } = checkedParams('initialize', params);
    const client = makeClient(clientId);
    this.#host.clients.join(client, { dialect: 'channels', answersHooks: hasHooks(_meta) });
    this.#clients.add(client);
    this.#windows.forget(clientId);
    return {
      protocolVersion: version,
      serverSeq: this.#host.store.serverSeq,
      serverInfo: { name: 'Tapline', ...(this.options.version !== undefined && { version: this.options.version }) },
      snapshots: this.#subscribeAll(client, initialSubscriptions),
      defaultDirectory: this.#host.defaultDirectory,
      telemetry: { traces: TRACES_CHANNEL },
      ...this.#host.extensionsFor(_meta),
    };
  }

  /**
   * What the client has missed, where the logs reach back that far, and snapshots otherwise. Throws NotFound for a client that this run of
   * the host does not know: its sequence numbers mean nothing here.
   */
  reconnect(params: unknown, makeClient: (clientId: string) => Client): ReconnectResult | PerChannelReconnectResult {
    const { clientId, cursors, answer } = reconnecting(params, this.options.speaks11 ?? false);
    const { clients, store } = this.#host;
    if (clients.dialectOf(clientId) !== 'channels')
      throw new RpcError(ErrorCode.NotFound, 'this host does not know the client; initialize again');
    const client = makeClient(clientId);
    clients.rejoin(client);
    this.#clients.add(client);
    const there = new Map(this.#subscribeAll(client, [...cursors.keys()]).map((snapshot) => [snapshot.resource, snapshot]));
    const caughtUp = [...cursors].map(([channel, seen]): CaughtUp => {
      if (channel === TRACES_CHANNEL) return { channel, missed: [], isStateless: true };
      const snapshot = there.get(channel);
      const missed = snapshot && this.#windows.canReplay(channel, seen) ? store.replay(seen, channel) : undefined;
      return { channel, snapshot, missed: missed?.filter((envelope) => concerns(client, envelope)) };
    });
    return answer(caughtUp);
  }

  /** The connection has ended. */
  leave(client: Client): void {
    this.#clients.delete(client);
  }

  async run(method: string, params: unknown, client: Client): Promise<unknown> {
    if (Object.hasOwn(grantCommands, method)) return revokeGrants(this.#host, method as GrantCommand, params);
    if (Object.hasOwn(chatNameCommands, method)) {
      const { chat, title } = paramsOf(chatNameCommands[method as ChatNameCommand], params) as ChatNameParams;
      this.#host.sessions.renameChat(chat, title.trim());
      return null;
    }
    if (!isCommand(method)) throw new RpcError(ErrorCode.MethodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
    if (method === 'subscribe') {
      const { channel, view } = checkedParams(method, params);
      if (channel === TRACES_CHANNEL) return (void client.channels.add(channel), {});
      return { snapshot: this.#subscribe(client, channel, view?.turns) };
    }
    if (method === 'fetchTurns') return this.#fetchTurns(client, checkedParams(method, params));
    const command = commands[method as keyof typeof commands] as ((host: Host, params: unknown, client: Client) => unknown) | undefined;
    if (!command) throw new RpcError(ErrorCode.MethodNotFound, `this host cannot do this ${method}`);
    return command(this.#host, checkedParams(method, params), client);
  }

  /** Returns what is wrong with the notification, for the log: the sender gets no response. */
  receive(method: string, params: unknown, client: Client): string | undefined {
    if (unneededNotifications.has(method)) return undefined;
    if (!Object.hasOwn(clientNotificationParams, method)) return `there is no notification ${JSON.stringify(method.slice(0, 100))}`;
    const problem = problemOf(clientNotificationParams[method as keyof ClientNotifications], params, 'params');
    if (problem) return `${method}: ${problem}`;
    if (method === 'unsubscribe') this.#unsubscribe(client, (params as ClientNotifications['unsubscribe']).channel);
    else this.#dispatch(client, params as ClientNotifications['dispatchAction']);
    return undefined;
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #dispatch({ clientId }: Client, { channel, clientSeq, action }: ClientNotifications['dispatchAction']): void {
    const { clients, store } = this.#host;
    const origin: ActionOrigin = { clientId, clientSeq };
    const stale = clients.takeClientSeq(clientId, clientSeq);
    if (stale === undefined) this.#host.dispatchAction(clientId, clientSeq, channel, action);
    else store.reject(channel, action, origin, stale);
  }

  #tell(envelope: ActionEnvelope): void {
    for (const client of this.#clients) if (concerns(client, envelope)) client.notify('action', envelope);
  }

  #tellChange(change: SessionsChange): void {
    switch (change.type) {
      case 'added':
        this.#tellAll('root/sessionAdded', { summary: change.session.summary });
        break;
      case 'removed':
        this.#changes.forget(change.session);
        this.#told.delete(change.session);
        this.#tellAll('root/sessionRemoved', { session: change.session });
        break;
      case 'changed':
        this.#changes.note(change.session);
        break;
    }
  }

  #tellSummary(session: URI): void {
    const listed = this.#host.sessions.listed(session);
    if (!listed) return;
    const { summary } = listed;
    const told = this.#told.get(session);
    if (sameJson(told, summary)) return;
    this.#told.set(session, summary);
    const { resource: _resource, provider: _provider, createdAt: _createdAt, ...changes } = summary;
    // A change cannot remove a field.
    const emptied = { activity: changes.activity ?? '', ...(told?.changes && !changes.changes && { changes: changesOf([]) }) };
    this.#tellAll('root/sessionSummaryChanged', { session, changes: { ...changes, ...emptied } });
  }

  #tellAll(method: string, params: object): void {
    for (const client of this.#clients) client.notify(method, { channel: ROOT_CHANNEL, ...params });
  }

  #unsubscribe({ clientId, channels }: Client, channel: URI): void {
    channels.delete(channel);
    this.#windows.forget(clientId, channel);
    this.#host.changesets.letGo([channel]);
  }

  /** The turns come before the answer. */
  #fetchTurns(client: Client, { channel, cursor }: CommandParams<'fetchTurns'>): object {
    this.#host.sessions.wake(channel);
    const page = this.#windows.before(channel, cursor, client.clientId);
    if (page) client.notify('action', page);
    return {};
  }

  #subscribe(client: Client, channel: URI, turns?: number): Snapshot {
    const { sessions, store, changesets } = this.#host;
    const glanced = turns === undefined ? sessions.glance(channel) : undefined;
    if (glanced) {
      client.channels.add(channel);
      if (glanced.kind === 'chat') this.#windows.note(channel, client.clientId, beginOf(glanced.state));
      return { resource: channel, state: glanced.state, fromSeq: store.serverSeq };
    }
    sessions.wake(channel);
    changesets.open(channel);
    this.#amend(channel);
    const snapshot = store.snapshot(channel);
    if (!snapshot) {
      const isOther = isTerminalUri(channel) || /^(?:ahp-|agenthost:)/.test(channel);
      throw new RpcError(isOther ? ErrorCode.NotFound : ErrorCode.SessionNotFound, `there is no ${channel}`);
    }
    client.channels.add(channel);
    return this.#windows.cut(snapshot, client.clientId, turns);
  }

  #amend(channel: URI): void {
    const { store, clients, sessions } = this.#host;
    const uri = store.sessionOf(channel) ?? '';
    const session = store.session(uri);
    const stored = session && !clients.isRead(channel) && store.family(uri).find((one) => one.channel === channel);
    if (stored) store.amend(channel, amended(stored, session, sessions.listed(uri)?.summary));
  }

  #subscribeAll(client: Client, channels: readonly URI[]): Snapshot[] {
    return [...new Set(channels)].flatMap((channel) => {
      if (channel === TRACES_CHANNEL) return (void client.channels.add(channel), []);
      try {
        return [this.#subscribe(client, channel)];
      } catch (error) {
        this.options.logger.debug(`left out ${channel.slice(0, 200)}: ${englishOf(error)}`);
        return [];
      }
    });
  }
}

/** A client gets the envelopes of the channels that it reads, and the echo of its own actions. Only the sender gets a rejected action. */
function concerns({ clientId, channels }: Client, { channel, origin, rejectionReason }: ActionEnvelope): boolean {
  return origin?.clientId === clientId || (rejectionReason === undefined && channels.has(channel));
}
