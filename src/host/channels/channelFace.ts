/** The host as its clients of the channel protocol (0.9.0 to 1.0.0) see it. There is one store, and each dialect is a view of it. */
import type { ActionEnvelope, ActionOrigin, StateAction } from '../../ahp/channels/actions.ts';
import { clientActions, isClientDispatchable } from '../../ahp/channels/actions.ts';
import {
  type ClientNotifications,
  clientNotificationParams,
  type Command,
  commandParams,
  type CommandParams,
  type CommandResult,
  type InitializeResult,
  PROTOCOL_VERSIONS,
  type ReconnectResult,
  type Snapshot,
} from '../../ahp/channels/commands.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { grantCommands } from '../../ahp/grants.ts';
import { isSubagent, topSession } from '../../ahp/subagentUri.ts';
import type { ActionEnvelope as StoredEnvelope } from '../../ahp/v1/actions.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { actionsFor } from '../../ahp/v1/dialect/actionsFor.ts';
import { modelOf } from '../../ahp/v1/dialect/downgrade.ts';
import { requestFor } from '../../ahp/v1/dialect/requestFor.ts';
import type { CreateSessionParams } from '../../ahp/v1/commands.ts';
import type { ProtocolNotification } from '../../ahp/v1/notifications.ts';
import { TERMINAL_SCHEME } from '../../ahp/v1/terminal.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { modelProblem } from '../checks/actionChecks.ts';
import { problemOf } from '../checks/problem.ts';
import type { Host } from '../host.ts';
import type { Client } from '../state/clients.ts';
import { setMessageModel } from '../state/messageModels.ts';
import { type Asked, ChannelStates } from './channelStates.ts';
import { sessionOfChat, storedTerminal, storedUri } from './channelUris.ts';
import { bySession, shownSummary } from './shownStates.ts';
import { channelVersionOf } from './versions.ts';

/** Of all clients together. */
const MAX_ASKED = 10_000;

/** What the store's commands cannot do of those of the protocol. */
const limits: { readonly [M in Command]?: string } = {
  createSession: 'workingDirectories: a session of this host works in one folder',
  resourceWrite: 'mode, position, ifMatch: this host writes whole files only, and does not compare them before',
};

/** VS Code tells its hosts what its policies permit. This host has no policies. */
const unneededNotifications: ReadonlySet<string> = new Set(['setClientManagedSettingsPermissions']);

/** How a connection sends. */
export interface ChannelWire {
  notify(method: string, params: object): void;
}

/** A client of the channel protocol, and the channels that it reads. */
export interface ChannelClient {
  readonly client: Client;
  readonly wire: ChannelWire;
  readonly channels: Set<URI>;
}

export interface ChannelFaceOptions {
  host: Host;
  version?: string;
  /** Runs a command of version 1. */
  run(method: string, params: object, client: Client): Promise<unknown>;
}

export class ChannelFace implements Disposable {
  readonly #clients = new Set<ChannelClient>();
  readonly #states: ChannelStates;
  readonly #listener: Disposable;
  /** What was asked for and is not answered. The one action that the store gets for it answers it. */
  readonly #asked = new Map<string, Asked>();

  constructor(private readonly options: ChannelFaceOptions) {
    const { store, lenders, sessions } = options.host;
    this.#states = new ChannelStates({
      store,
      lenders,
      sessions,
      isRead: (channel) => this.#isRead(channel),
      answeredBy: (envelope) => this.#answeredBy(envelope),
      tell: (envelope) => this.#tell(envelope),
    });
    // What is made later under the same name is another one.
    this.#listener = store.onDidDelete((uri) => {
      for (const { channels } of this.#clients) {
        for (const channel of [...channels]) if (storedUri(channel) === uri) channels.delete(channel);
      }
    });
  }

  /** Throws UnsupportedProtocolVersion and InvalidParams. */
  initialize(params: unknown, join: (params: { clientId: string; _meta?: object }) => ChannelClient): InitializeResult {
    const version = channelVersionOf(params);
    if (!version) {
      const message = `this host speaks version 1 and ${PROTOCOL_VERSIONS.join(', ')} of the protocol`;
      throw new RpcError(ErrorCode.UnsupportedProtocolVersion, message, { supportedVersions: [...PROTOCOL_VERSIONS] });
    }
    const { clientId, initialSubscriptions = [], _meta } = checked('initialize', params);
    const client = join({ clientId, ...(_meta && { _meta }) });
    this.#clients.add(client);
    const { store } = this.options.host;
    return {
      protocolVersion: version,
      serverSeq: store.serverSeq,
      serverInfo: { name: 'Tapline', ...(this.options.version !== undefined && { version: this.options.version }) },
      snapshots: this.#subscribeAll(client, initialSubscriptions),
      defaultDirectory: this.options.host.defaultDirectory,
      ...this.options.host.extensionsFor(_meta),
    };
  }

  /** There are always snapshots: what was told before is not kept. Throws NotFound for a client that this run of the host does not know. */
  reconnect(params: unknown, rejoin: (clientId: string) => ChannelClient): ReconnectResult {
    const { clientId, subscriptions } = checked('reconnect', params);
    if (this.options.host.clients.dialectOf(clientId) !== 'channels')
      throw new RpcError(ErrorCode.NotFound, 'this host does not know the client; initialize again');
    const client = rejoin(clientId);
    this.#clients.add(client);
    return { type: 'snapshot', snapshots: this.#subscribeAll(client, subscriptions) };
  }

  /** The connection has ended. */
  leave(client: ChannelClient): void {
    this.#clients.delete(client);
    for (const channel of client.channels) this.#releaseUnread(channel);
  }

  async run(method: string, params: unknown, client: ChannelClient): Promise<unknown> {
    if (Object.hasOwn(grantCommands, method)) return this.options.run(method, params as object, client.client);
    if (!isCommand(method)) throw new RpcError(ErrorCode.MethodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
    switch (method) {
      case 'ping':
        return null;
      case 'subscribe':
        return { snapshot: this.#subscribe(client, checked(method, params).channel) };
      case 'listSessions':
        return this.#page(checked(method, params));
      case 'completions':
        checked(method, params);
        return { items: [] };
      case 'fetchTurns':
        // A snapshot has them all.
        checked(method, params);
        return {};
      // Version 1 has no such commands.
      case 'resourceResolve':
        return this.options.host.resources.resolve(checked(method, params));
      case 'resourceMkdir':
        return this.options.host.resources.makeDirectory(checked(method, params));
      case 'createSession':
        return this.#createSession(checked(method, params), client.client);
      default:
    }
    return this.#runStored(method, checked(method, params), client.client);
  }

  async #runStored(method: Command, params: { channel?: URI }, client: Client, run = this.options.run): Promise<unknown> {
    const request = requestFor(method, { ...params, channel: storedTerminal(params.channel ?? '') });
    if (!request) {
      const limit = limits[method];
      if (limit !== undefined) throw new RpcError(ErrorCode.InvalidParams, limit);
      throw new RpcError(ErrorCode.MethodNotFound, `this host cannot do this ${method}`);
    }
    try {
      return await run(request.method, request.params, client);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== ErrorCode.AuthRequired) throw error;
      // Version 1 has the list itself there.
      throw new RpcError(error.code, error.message, { resources: error.data });
    }
  }

  async #createSession({ activeClient, ...params }: CommandParams<'createSession'>, client: Client): Promise<unknown> {
    const { clients, lenders, sessions } = this.options.host;
    if (activeClient && activeClient.clientId !== client.clientId) throw new RpcError(ErrorCode.InvalidParams, OWN_TOOLS);
    // VS Code sends the settings that it has itself, whether or not the agent knows them.
    const create = async (_method: string, stored: object) => {
      await sessions.create(stored as CreateSessionParams, client.clientId, 'what fits');
      return null;
    };
    const result = await this.#runStored('createSession', params, client, create);
    if (activeClient && clients.isConnected(client.clientId)) lenders.set(params.channel, activeClient);
    return result;
  }

  /** Returns what is wrong with the notification, for the log: the sender gets no response. */
  receive(method: string, params: unknown, client: ChannelClient): string | undefined {
    if (unneededNotifications.has(method)) return undefined;
    if (!Object.hasOwn(clientNotificationParams, method)) return `there is no notification ${JSON.stringify(method.slice(0, 100))}`;
    const problem = problemOf(clientNotificationParams[method as keyof ClientNotifications], params, 'params');
    if (problem) return `${method}: ${problem}`;
    const { channel } = params as { channel: URI };
    if (method === 'unsubscribe') {
      client.channels.delete(channel);
      this.#read(client);
      this.#releaseUnread(channel);
    } else this.#dispatch(client.client, params as ClientNotifications['dispatchAction']);
    return undefined;
  }

  /** A notification of version 1, to a client of the channel protocol. */
  notify({ wire }: ChannelClient, notification: ProtocolNotification): void {
    const onRoot = { channel: ROOT_CHANNEL };
    switch (notification.type) {
      case 'notify/sessionAdded':
        if (!isSubagent(notification.summary.resource))
          wire.notify('root/sessionAdded', { ...onRoot, summary: shownSummary([notification.summary]) });
        return;
      case 'notify/sessionRemoved':
        if (!isSubagent(notification.session)) wire.notify('root/sessionRemoved', { ...onRoot, session: notification.session });
        return;
      case 'notify/sessionSummaryChanged': {
        const session = topSession(notification.session);
        const summaries = bySession(this.options.host.sessions.list()).get(session);
        if (!summaries) return;
        const { resource: _resource, provider: _provider, createdAt: _createdAt, ...changes } = shownSummary(summaries);
        // A change cannot remove a field.
        wire.notify('root/sessionSummaryChanged', { ...onRoot, session, changes: { ...changes, activity: changes.activity ?? '' } });
        return;
      }
      case 'notify/authRequired': {
        const { resource: name, reason } = notification;
        const known = this.options.host.store.root.agents.flatMap(({ protectedResources = [] }) => protectedResources);
        const resource = known.find((one) => one.resource === name) ?? { resource: name };
        wire.notify('auth/required', { ...onRoot, resource, ...(reason !== undefined && { reason }) });
      }
    }
  }

  dispose(): void {
    this.#listener.dispose();
    this.#states.dispose();
  }

  /** `cursor`: the session before the page. Throws InvalidParams when it is gone meanwhile. */
  #page({ cursor, limit = Infinity }: CommandParams<'listSessions'>): CommandResult<'listSessions'> {
    const all = [...bySession(this.options.host.sessions.list()).values()].map(shownSummary);
    const before = cursor === undefined ? -1 : all.findIndex(({ resource }) => resource === cursor);
    if (cursor !== undefined && before < 0)
      throw new RpcError(ErrorCode.InvalidParams, `cursor: there is no session ${cursor}; list again`);
    const page = all.slice(before + 1, before + 1 + Math.max(1, limit));
    const last = page.at(-1);
    return {
      items: page,
      ...(last && last !== all.at(-1) && { nextCursor: last.resource }),
    };
  }

  #dispatch(client: Client, { channel, clientSeq, action }: ClientNotifications['dispatchAction']): void {
    const { host } = this.options;
    const origin = { clientId: client.clientId, clientSeq };
    const refuse = (rejectionReason: string) => this.#tell({ channel, action, serverSeq: host.store.nextSeq(), origin, rejectionReason });
    const problem = actionProblem(channel, action);
    if (problem) return refuse(problem);
    const stored = storedUri(channel);
    try {
      host.sessions.wake(stored);
    } catch (error) {
      return refuse(messageOf(error));
    }
    if (action.type === 'session/activeClientSet' || action.type === 'session/activeClientRemoved') {
      const reason = this.#lendingProblem(stored, action, origin);
      return reason === undefined ? this.#lend(stored, action, origin) : refuse(reason);
    }
    if (action.type === 'chat/draftChanged') {
      const reason = this.#draftProblem(stored, action, origin);
      return reason === undefined ? this.#keepDraft(stored, action, origin) : refuse(reason);
    }
    const last = actionsFor(stored, action, host.store.get(stored))?.at(-1);
    if (!last) return refuse(CANNOT);
    if (!host.store.get(stored)) return refuse(`there is no ${channel}`);
    // The model of a message counts from when the message starts a turn. Nothing is dispatched for it before.
    const model = 'message' in action ? action.message.model && modelOf(action.message.model) : undefined;
    if (model && 'userMessage' in last) setMessageModel(last.userMessage, model);
    // The host keeps some actions for later, such as a turn of a session that is being created.
    // A client that has come back may use the number of such an action again. Both are answered in the host's words then.
    if (!this.#asked.delete(keyOf(origin))) this.#asked.set(keyOf(origin), { channel, action });
    if (this.#asked.size > MAX_ASKED) for (const oldest of [...this.#asked.keys()].slice(0, 1)) this.#asked.delete(oldest);
    host.dispatchAction(client.clientId, clientSeq, last);
  }

  #lendingProblem(session: URI, action: LendingAction, { clientId, clientSeq }: ActionOrigin): string | undefined {
    const { host } = this.options;
    if (!host.store.session(session) || isSubagent(session)) return `there is no ${session}`;
    return lenderOf(action) === clientId ? host.clients.takeClientSeq(clientId, clientSeq) : OWN_TOOLS;
  }

  /** The store has a place for one client of version 1. Those of this protocol lend beside it. */
  #lend(session: URI, action: LendingAction, origin: ActionOrigin): void {
    const { lenders } = this.options.host;
    this.#states.answer({ channel: session, action }, origin);
    if (action.type === 'session/activeClientSet') lenders.set(session, action.activeClient);
    else lenders.remove(session, action.clientId);
  }

  #draftProblem(session: URI, { draft }: DraftAction, { clientId, clientSeq }: ActionOrigin): string | undefined {
    const { store, clients } = this.options.host;
    const state = store.session(session);
    if (!state) return `there is no ${session}`;
    if (isSubagent(session)) return 'the session belongs to a subagent, which accepts no messages';
    const model = draft?.model && modelOf(draft.model);
    if (draft?.model && !model) return CANNOT;
    const unknown = model && modelProblem(store.root, state.summary.provider, model);
    return unknown ?? clients.takeClientSeq(clientId, clientSeq);
  }

  /** The store has a place for its model only. */
  #keepDraft(session: URI, { draft }: DraftAction, origin: ActionOrigin): void {
    this.#states.keepDraft(session, draft, origin);
    const model = draft?.model && modelOf(draft.model);
    if (model) this.options.host.sessions.runner(session)?.chooseModel(model);
  }

  #answeredBy({ origin }: StoredEnvelope): Asked | undefined {
    const key = origin && keyOf(origin);
    const asked = key === undefined ? undefined : this.#asked.get(key);
    if (key !== undefined) this.#asked.delete(key);
    return asked;
  }

  #tell(envelope: ActionEnvelope): void {
    const { origin, channel, rejectionReason } = envelope;
    for (const { client, wire, channels } of this.#clients) {
      const isOwn = origin?.clientId === client.clientId;
      if (isOwn || (rejectionReason === undefined && channels.has(channel))) wire.notify('action', envelope);
    }
  }

  #subscribe(client: ChannelClient, channel: URI): Snapshot {
    const snapshot = this.#states.snapshot(channel);
    if (!snapshot) {
      const isOther = isTerminal(channel) || channel.startsWith('agenthost:') || sessionOfChat(channel) !== undefined;
      throw new RpcError(isOther ? ErrorCode.NotFound : ErrorCode.SessionNotFound, `there is no ${channel}`);
    }
    client.channels.add(channel);
    this.#read(client);
    return snapshot;
  }

  #subscribeAll(client: ChannelClient, channels: readonly URI[]): Snapshot[] {
    return [...new Set(channels)].flatMap((channel) => {
      try {
        return [this.#subscribe(client, channel)];
      } catch {
        return [];
      }
    });
  }

  /** What is read stays loaded. */
  #read({ client, channels }: ChannelClient): void {
    client.subscriptions.clear();
    for (const channel of channels) client.subscriptions.add(storedUri(channel));
  }

  #isRead(channel: URI): boolean {
    return [...this.#clients].some(({ channels }) => channels.has(channel));
  }

  #releaseUnread(channel: URI): void {
    if (!this.#isRead(channel)) this.#states.release(channel);
  }
}

type LendingAction = Extract<StateAction, { type: 'session/activeClientSet' | 'session/activeClientRemoved' }>;
type DraftAction = Extract<StateAction, { type: 'chat/draftChanged' }>;
const CANNOT = 'this host cannot do it';
const OWN_TOOLS = 'a client lends and takes back only its own tools';

function lenderOf(action: LendingAction): string {
  return action.type === 'session/activeClientSet' ? action.activeClient.clientId : action.clientId;
}

function keyOf({ clientId, clientSeq }: ActionOrigin): string {
  return `${clientSeq} ${clientId}`;
}

function isCommand(method: string): method is Command {
  return Object.hasOwn(commandParams, method);
}

function checked<M extends Command>(method: M, params: unknown): CommandParams<M> {
  const problem = problemOf(commandParams[method], params ?? {}, 'params');
  if (problem) throw new RpcError(ErrorCode.InvalidParams, problem);
  return (params ?? {}) as CommandParams<M>;
}

/** What is wrong with an action of a client, whatever the state of the channel. */
function actionProblem(channel: URI, action: StateAction): string | undefined {
  const { type } = action as { type?: unknown };
  if (typeof type !== 'string') return 'type is missing or not a string';
  if (!isClientDispatchable(type)) return `clients may not dispatch ${JSON.stringify(type.slice(0, 100))}`;
  const problem = problemOf(clientActions[type], action);
  if (problem) return problem;
  return type.startsWith(prefixOf(channel)) ? undefined : `${type} does not belong to this channel`;
}

function prefixOf(channel: URI): string {
  if (channel === ROOT_CHANNEL) return 'root/';
  if (isTerminal(channel)) return 'terminal/';
  return sessionOfChat(channel) === undefined ? 'session/' : 'chat/';
}

function isTerminal(channel: URI): boolean {
  return storedTerminal(channel).startsWith(TERMINAL_SCHEME);
}
