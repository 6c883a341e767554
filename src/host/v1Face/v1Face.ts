/**
 * The host as its clients of AHP v1 (April 2026) see it. There is one store, with the states of channels, and this is a view of it. Nothing
 * is translated before such a client comes.
 */
import type { ChannelState } from '../../ahp/channels/channelReducers.ts';
import { ROOT_URI } from '../../ahp/common/root.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { hasHooks } from '../../ahp/hookRequests.ts';
import { topSession } from '../../ahp/subagentUri.ts';
import { type ActionEnvelope, type ActionOrigin, resourceOf } from '../../ahp/v1/actions.ts';
import {
  type ClientNotifications,
  clientNotificationParams,
  type InitializeResult,
  PROTOCOL_VERSION,
  type ReconnectResult,
  type ResourceState,
  type Snapshot,
} from '../../ahp/v1/commands.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { englishOf, messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { Host } from '../host.ts';
import type { Face } from '../face.ts';
import type { Client } from '../state/clients.ts';
import { commandSchemas, type HostCommand, type HostCommandParams } from './commandSchemas.ts';
import { modelProblem } from '../checks/actionChecks.ts';
import { checkedParams } from '../checks/checkedParams.ts';
import { problemOf } from '../checks/problem.ts';
import { changesUri } from '../state/chatUris.ts';
import { inOrder, ReplayBuffer, type ReplayLimits } from '../state/replayBuffer.ts';
import type { AddedChannel, DispatchedAction } from '../state/stateStore.ts';
import { actionsIn, type ClientAction, type Reading } from './words/actionsIn.ts';
import { type ClientCommand, handlers, notFound } from './v1Commands.ts';
import { channelsOf, placeOf, v1Session, v1Terminal } from './words/names.ts';
import { shapeRefusal, v1Refusal } from './v1Refusals.ts';
import { editsIn, v1Root, v1SessionState, v1TerminalState } from './words/states.ts';
import { Summaries } from './v1Summaries.ts';
import { Translation } from './words/translation.ts';
import { HeldModels, Words } from './v1Waits.ts';

export interface V1FaceOptions extends ReplayLimits {
  host: Host;
  logger: Logger;
  clock?: Clock;
}

/** What is made for the first client. */
interface Begun {
  replay: ReplayBuffer<ActionEnvelope>;
  summaries: Summaries;
}

export class V1Face implements Face, Disposable {
  readonly #host: Host;
  /** The resources that each connected client reads. */
  readonly #clients = new Map<Client, Set<URI>>();
  readonly #words = new Words();
  readonly #heldModels = new HeldModels();
  readonly #translation: Translation;
  readonly #listeners: readonly Disposable[];
  /** What was not told yet, in the order of its numbers. */
  readonly #later: ActionEnvelope[] = [];
  #begun: Begun | undefined;

  constructor(private readonly options: V1FaceOptions) {
    this.#host = options.host;
    const { store } = this.#host;
    this.#translation = new Translation(store, this.#isV1Client);
    this.#listeners = [
      store.onDidAdd((added) => this.#noteAdded(added)),
      store.onDidDispatch((dispatched) => this.#follow(dispatched)),
      store.onDidDelete((channel) => this.#forget(channel)),
    ];
  }

  /** Throws UnsupportedProtocolVersion. `makeClient` is called when the handshake succeeds. */
  initialize(params: unknown, makeClient: (clientId: string) => Client): InitializeResult {
    const { protocolVersion, clientId, initialSubscriptions = [], _meta } = checked('initialize', params);
    if (protocolVersion !== PROTOCOL_VERSION) {
      const message = `protocol version ${protocolVersion} is not supported; this host speaks version ${PROTOCOL_VERSION}`;
      throw new RpcError(ErrorCode.UnsupportedProtocolVersion, message, { supportedVersions: [PROTOCOL_VERSION] });
    }
    const client = makeClient(clientId);
    this.#host.clients.join(client, { dialect: 'v1', answersHooks: hasHooks(_meta) });
    this.#begin(client);
    const { ownDefaultDirectory, store } = this.#host;
    return {
      protocolVersion: PROTOCOL_VERSION,
      serverSeq: store.serverSeq,
      snapshots: this.#subscribeAll(client, initialSubscriptions),
      ...(ownDefaultDirectory !== undefined && { defaultDirectory: ownDefaultDirectory }),
      ...this.#host.extensionsFor(_meta),
    };
  }

  /** Throws NotFound for a client that this run of the host does not know: its sequence numbers mean nothing here. */
  reconnect(params: unknown, makeClient: (clientId: string) => Client): ReconnectResult {
    const { clientId, lastSeenServerSeq, subscriptions } = checked('reconnect', params);
    if (!this.#isV1Client(clientId)) throw new RpcError(ErrorCode.NotFound, 'this host does not know the client; initialize again');
    const client = makeClient(clientId);
    this.#host.clients.rejoin(client);
    const { replay } = this.#begin(client);
    const resources = new Set(subscriptions);
    const isReached = this.#reaches(lastSeenServerSeq, resources);
    const missed = isReached ? inOrder([...resources].map((resource) => replay.after(lastSeenServerSeq, resource))) : undefined;
    const snapshots = this.#subscribeAll(client, subscriptions);
    if (!missed) return { type: 'snapshot', snapshots };
    return { type: 'replay', actions: missed.filter((envelope) => envelope.rejectionReason === undefined || isOwn(client, envelope)) };
  }

  /** The connection has ended. */
  leave(client: Client): void {
    this.#clients.delete(client);
  }

  /** Runs a command. Rejects with an {@link RpcError} for everything that the client can know about. */
  async run(method: string, params: unknown, client: Client): Promise<unknown> {
    if (method === 'subscribe') return { snapshot: this.#subscribe(client, checked('subscribe', params).resource) };
    if (isCommand(method)) return this.#runCommand(method, params, client);
    if (Object.hasOwn(clientNotificationParams, method))
      throw new RpcError(ErrorCode.InvalidRequest, `${method} is a notification: send it without an id`);
    throw new RpcError(ErrorCode.MethodNotFound, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
  }

  async #runCommand(method: ClientCommand, params: unknown, client: Client): Promise<unknown> {
    const handler = handlers[method] as (host: Host, params: unknown, client: Client) => unknown;
    try {
      return await handler(this.#host, checked(method, params), client);
    } catch (error) {
      if (!(error instanceof RpcError) || error.code !== ErrorCode.AuthRequired) throw error;
      // AHP v1 has the list itself there.
      throw new RpcError(error.code, error.message, (error.data as { resources?: unknown } | undefined)?.resources);
    }
  }

  /** Returns what is wrong with the notification, for the log: the sender gets no response. */
  receive(method: string, params: unknown, client: Client): string | undefined {
    if (!Object.hasOwn(clientNotificationParams, method))
      return isCommand(method) || method === 'subscribe'
        ? `${method} needs an id`
        : `there is no method ${JSON.stringify(method.slice(0, 100))}`;
    const problem = problemOf(clientNotificationParams[method as keyof ClientNotifications], params, 'params');
    if (problem) return `${method}: ${problem}`;
    if (method === 'unsubscribe') this.#unsubscribe(client, (params as ClientNotifications['unsubscribe']).resource);
    else this.#dispatch(client.clientId, params as ClientNotifications['dispatchAction']);
    return undefined;
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#begun?.summaries.dispose();
    this.#clients.clear();
  }

  readonly #isV1Client = (clientId: string): boolean => this.#host.clients.dialectOf(clientId) === 'v1';

  #begin(client: Client): Begun {
    const { sessions, store } = this.#host;
    this.#tellWaiting();
    this.#clients.set(client, new Set());
    this.#begun ??= {
      replay: new ReplayBuffer<ActionEnvelope>(store.serverSeq, this.options),
      summaries: new Summaries(sessions, (notification) => this.#notify({ notification }), this.options.clock),
    };
    return this.#begun;
  }

  // ---- What is read

  #stateOf(resource: URI): ResourceState | undefined {
    const { store, sessions } = this.#host;
    const place = placeOf(resource);
    if (place.kind === 'root') return v1Root(store.root);
    if (place.kind === 'terminal') {
      const terminal = store.terminal(place.channel);
      return terminal && v1TerminalState(terminal);
    }
    const session = store.session(place.session);
    const chat = store.chat(place.channel);
    const facts = sessions.facts(place.session);
    const edits = place.isSubagent ? [] : editsIn(store.changeset(changesUri(place.session)));
    return session && chat && facts && v1SessionState(facts, session, chat, edits, this.#isV1Client);
  }

  /** Undefined where there is no such resource. Throws where its session cannot be read. */
  #read(client: Client, resource: URI): Snapshot | undefined {
    this.#host.sessions.wake(topSession(resource));
    const state = this.#stateOf(resource);
    if (!state) return undefined;
    // The state has it.
    this.#tellWaiting();
    this.#clients.get(client)?.add(resource);
    for (const channel of channelsOf(resource)) client.channels.add(channel);
    return { resource, state, fromSeq: this.#host.store.serverSeq };
  }

  /** Throws SessionNotFound, or NotFound where the URI cannot be that of a session. */
  #subscribe(client: Client, resource: URI): Snapshot {
    const snapshot = this.#read(client, resource);
    if (!snapshot) throw notFound(resource);
    return snapshot;
  }

  #subscribeAll(client: Client, resources: readonly URI[]): Snapshot[] {
    return [...new Set(resources)].flatMap((resource) => {
      try {
        return this.#read(client, resource) ?? [];
      } catch (error) {
        this.options.logger.warn(`left out ${resource}: ${englishOf(error)}`);
        return [];
      }
    });
  }

  #unsubscribe(client: Client, resource: URI): void {
    const resources = this.#clients.get(client);
    if (!resources?.delete(resource)) return;
    client.channels.clear();
    for (const channel of [...resources].flatMap(channelsOf)) client.channels.add(channel);
  }

  /** Each of these resources was there at that number. */
  #reaches(since: number, resources: ReadonlySet<URI>): boolean {
    const { store } = this.#host;
    return since <= store.serverSeq && [...resources].every((resource) => store.wasThere(placeOf(resource).channel, since));
  }

  // ---- What clients do

  /** Applies an action, or rejects it with a reason. An action for a resource that does not exist is ignored. */
  #dispatch(clientId: string, { clientSeq, action }: ClientNotifications['dispatchAction']): void {
    const { clients, sessions, store } = this.#host;
    const stale = clients.takeClientSeq(clientId, clientSeq);
    const origin: ActionOrigin = { clientId, clientSeq };
    const resource = resourceOf(action);
    const refuse = (rejectionReason: string, refused: ActionOrigin = origin, words = action) =>
      this.#tell({ action: words, serverSeq: store.nextSeq(), origin: refused, rejectionReason });
    try {
      if (resource !== undefined) sessions.wake(topSession(resource));
    } catch (error) {
      return refuse(messageOf(error));
    }
    const place = resource === undefined ? undefined : placeOf(resource);
    if (place && !store.get(place.channel)) {
      this.options.logger.debug(`ignored ${action.type.slice(0, 100)} for ${resource?.slice(0, 200)}, which does not exist`);
      return;
    }
    const reason = stale ?? shapeRefusal(action, place);
    if (reason !== undefined || !place) return refuse(reason ?? '');
    const session = place.kind === 'session' ? store.session(place.session) : undefined;
    const chat = place.kind === 'session' ? store.chat(place.channel) : undefined;
    const reading: Reading = { place, session, chat, clientId, now: store.now, isV1Client: this.#isV1Client };
    const refusal = v1Refusal(action as ClientAction, reading);
    if (refusal !== undefined) return refuse(refusal);
    if (action.type === 'session/modelChanged' && session && chat?.activeTurn) {
      const unknown = modelProblem(store.root, session.provider, action.model);
      if (unknown !== undefined) return refuse(unknown);
      const earlier = this.#heldModels.hold(place.channel, { action, origin, reading: { ...reading, session, chat } });
      if (earlier) refuse('another model was chosen before the turn ended', earlier.origin, earlier.action);
      return;
    }
    this.#perform(action as ClientAction, origin, reading);
  }

  #perform(action: ClientAction, origin: ActionOrigin, reading: Reading): void {
    const { store } = this.#host;
    const steps = actionsIn(action, reading);
    if (steps.length === 0) return this.#tell({ action, serverSeq: store.nextSeq(), origin });
    this.#words.keep(origin, action, steps.length);
    for (const { channel, action: step, byFace } of steps) {
      // The one before was rejected.
      if (!this.#words.isWaiting(origin)) return;
      if (byFace) store.dispatch(channel, step, origin);
      else this.#host.dispatchAction(origin.clientId, origin.clientSeq, channel, step);
    }
  }

  // ---- What the store says

  #follow(dispatched: DispatchedAction): void {
    const { envelope, kind, after } = dispatched;
    const { channel, origin, serverSeq, rejectionReason } = envelope;
    this.#translation.follow(dispatched);
    const isOfV1 = origin !== undefined && this.#isV1Client(origin.clientId);
    if (!this.#begun || (rejectionReason !== undefined && !isOfV1)) return;
    const words = origin && this.#words.answer(origin, rejectionReason !== undefined);
    const isAnswer = words !== 'more';
    const [action, ...more] = isAnswer && words ? [words] : this.#translation.translate(dispatched);
    if (action)
      this.#tell({
        action,
        serverSeq,
        ...(isAnswer && isOfV1 && { origin }),
        ...(rejectionReason !== undefined && { rejectionReason }),
      });
    for (const next of more) this.#tellLater({ action: next, serverSeq: this.#host.store.nextSeq() });
    if (kind === 'chat' && rejectionReason === undefined) this.#applyHeldModel(channel, after);
  }

  #applyHeldModel(channel: URI, chat: ChannelState | undefined): void {
    if (chat && 'activeTurn' in chat && chat.activeTurn) return;
    const held = this.#heldModels.take(channel);
    const now = this.#host.store.chat(channel);
    if (held && now) this.#perform(held.action, held.origin, { ...held.reading, chat: now });
  }

  /** The files of a session may be there before anything is said about them. */
  #noteAdded(added: AddedChannel): void {
    this.#translation.noteAdded(added);
    const { session, channel, kind, state, seq } = added;
    if (!this.#begun || kind !== 'changeset' || session === undefined || channel !== changesUri(session) || state.files.length === 0)
      return;
    this.#tell({ action: { type: 'session/diffsChanged', session, diffs: [...editsIn(state)] }, serverSeq: seq });
  }

  #forget(channel: URI): void {
    this.#translation.forget(channel);
    this.#heldModels.take(channel);
    // A session goes with its first chat.
    const gone = [v1Session(channel), v1Terminal(channel)];
    for (const name of gone) {
      this.#begun?.replay.drop(name);
      for (const [client, resources] of this.#clients) if (resources.has(name)) this.#unsubscribe(client, name);
    }
  }

  /** Others with lower numbers may be on their way. */
  #tellLater(envelope: ActionEnvelope): void {
    this.#later.push(envelope);
    queueMicrotask(() => this.#tellWaiting());
  }

  #tellWaiting(before = Infinity): void {
    for (let [next] = this.#later; next && next.serverSeq < before; [next] = this.#later) {
      this.#later.shift();
      this.#send(next);
    }
  }

  #tell(envelope: ActionEnvelope): void {
    this.#tellWaiting(envelope.serverSeq);
    this.#send(envelope);
  }

  /** Subscribers get what was accepted. The sender gets its own, and only it gets what was rejected. */
  #send(envelope: ActionEnvelope): void {
    const resource = resourceOf(envelope.action) ?? ROOT_URI;
    if (this.#host.store.get(placeOf(resource).channel)) this.#begun?.replay.keep(resource, envelope);
    for (const [client, resources] of [...this.#clients])
      if (isOwn(client, envelope) || (envelope.rejectionReason === undefined && resources.has(resource))) client.notify('action', envelope);
  }

  #notify(params: object): void {
    for (const client of [...this.#clients.keys()]) client.notify('notification', params);
  }
}

function isOwn({ clientId }: Client, { origin }: ActionEnvelope): boolean {
  return origin?.clientId === clientId;
}

function isCommand(method: string): method is ClientCommand {
  return Object.hasOwn(handlers, method);
}

/** The parameters themselves when they have the shape of the command. Otherwise throws InvalidParams with the field. */
function checked<M extends HostCommand>(method: M, params: unknown): HostCommandParams<M> {
  return checkedParams(commandSchemas[method], params) as HostCommandParams<M>;
}
