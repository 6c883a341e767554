/** The client of one agent host: a connection that reconnects by itself, the resources that are read over it, and the list of sessions. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { CountedWarnings } from '../../base/connection/countedWarnings.ts';
import { englishOf } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type Logger, nullLogger } from '../../base/log.ts';
import { phrase } from '../../base/text/phrase.ts';
import type { ChatNameCommand, ChatNameParams } from '../schemas/chatNameSchemas.ts';
import type { GrantCommand, GrantCommandParams } from '../schemas/grantSchemas.ts';
import type { Command as ChannelCommand, CommandParams as ChannelParams, CommandResult as ChannelResult } from '../channels/commands.ts';
import { nameOfChannel, ROOT_CHANNEL } from '../channels/root.ts';
import type { SessionSummary } from '../channels/shapes/summaries.ts';
import { ErrorCode } from '../common/errors.ts';
import type { Decision } from '../common/pending/envelopeDecisions.ts';
import { ROOT_URI } from '../common/root.ts';
import type { URI } from '../common/shapes.ts';
import type { DialectName, ProgressNotification, ResourceKind } from '../dialects/dialect.ts';
import type { AuthenticateParams } from '../v1/commands.ts';
import type { ProtocolNotification } from '../v1/notifications.ts';
import { v1Dialect } from '../dialects/v1/v1Dialect.ts';
import { wellFormedAnswer } from '../wellFormed/answers.ts';
import { ConnectionLoop, type EstablishedConnection } from './connection/connectionLoop.ts';
import { ConnectionError, connectionFailure, type ConnectionState } from './connection/connectionState.ts';
import { type AutomationSupport, type InitializedHost, initialize, reconnect } from './handshake.ts';
import { ChatModel } from './model/chatModel.ts';
import { askedIn, type ClientAction, type ModelContext, ResourceModel } from './model/resourceModel.ts';
import { SessionModel } from './model/sessionModel.ts';
import { HostConnection, type HostRequestHandler } from './connection/hostConnection.ts';
import { rejectWithoutTrace } from './connection/hostError.ts';
import { type HostUrl, parseHostUrl } from './connection/hostUrl.ts';
import { HostTraces } from './hostTraces.ts';
import { listAll } from './listing.ts';
import { recordingTransport, type WireLogTarget } from './recording/recordingTransport.ts';
import type { PendingAction } from './resources/pending.ts';
import { ResourceStore } from './resources/resourceStore.ts';
import { defaultSchedule, type Schedule } from './connection/batchSchedule.ts';
import { SessionList } from './sessionList.ts';
import type { Dispatched } from './resources/subscription.ts';
import type { TransportFactory } from './transport.ts';
import { parseEnvelope, parseSummary } from './connection/wireChecks.ts';

export interface AgentHostClientOptions {
  /** `ws:` or `wss:`. */
  readonly url: string;
  /** The user's name for the host. Absent: its address. */
  readonly name?: string;
  /** The host's connection token. It goes into the query of the URL, and into no message or log. */
  readonly token?: string;
  /** By this the host knows the client again when it reconnects. Absent: a new one. */
  readonly clientId?: string;
  /**
   * Actions are numbered from here on. A client id that was used before must not use its numbers again, because their echoes may still come.
   * Absent: 0.
   */
  readonly clientSeqAfter?: number;
  readonly transport: TransportFactory;
  /** Answers requests of the host (`resource*`). Absent: all of them are refused. */
  readonly onHostRequest?: HostRequestHandler;
  /** Extensions of the protocol that this client has: `_meta` of its `initialize`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** What the host may call this client. */
  readonly clientInfo?: { readonly name: string; readonly version?: string };
  /** The user's language as a BCP 47 tag, such as `de`, which a host may use for its texts. Absent: the host is not told. */
  readonly locale?: string;
  /** What is offered to the host, which chooses one. Absent: all dialects. */
  readonly dialects?: readonly DialectName[];
  /** Offers version 1.1 of the protocol too, which is in development. Absent: false. */
  readonly speaks11?: boolean;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly schedule?: Schedule;
}

/**
 * After a restart of the host the steps (tokens, list, sessions) wait for each other. A host that is silent at one must not delay the rest
 * for long.
 */
const RESTORE_STEP_TIMEOUT_MS = 10_000;
/** Characters of the name of a notification in the log. */
const MAX_METHOD_SHOWN = 100;

type GivenToken = AuthenticateParams & {
  /** By the client's clock, in ms. Absent: it is not known when the token ends. */
  readonly endsAt?: number;
};

export interface ReadOptions {
  /** How long the host may hold changes back, in ms. Absent: not at all. Hosts that do not know it ignore it. */
  readonly maxLatencyMs?: number;
}

export class AgentHostClient implements Disposable {
  readonly clientId: string;
  readonly sessions: SessionList;
  /** What the host tells of how long it takes for what. */
  readonly traces: HostTraces;
  readonly onDidChangeState: Event<ConnectionState>;
  /** Every notification of the host. `notify/authRequired` is for whoever has tokens. */
  readonly onNotification: Event<ProtocolNotification | ProgressNotification>;
  /** Somebody has decided about calls of a subscribed session. Fired before the decision is in its state. */
  readonly onDidDecide: Event<{ uri: URI; decisions: readonly Decision[] }>;

  readonly #options: AgentHostClientOptions;
  readonly #offered: readonly DialectName[];
  readonly #url: HostUrl | undefined;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #warnings: CountedWarnings;
  readonly #disposables = new DisposableStore();
  readonly #notification = this.#disposables.add(new Emitter<ProtocolNotification | ProgressNotification>());
  readonly #decided = this.#disposables.add(new Emitter<{ uri: URI; decisions: readonly Decision[] }>());
  readonly #pendingChanged = this.#disposables.add(new Emitter<void>());
  /** Something that was performed, in any resource, is on its way or has been settled. */
  readonly onDidChangePending = this.#pendingChanged.event;
  readonly #store: ResourceStore;
  readonly #modelContext: ModelContext;
  readonly #loop: ConnectionLoop;
  #connection: HostConnection | undefined;
  /** The newest connection, also while its handshake is under way. */
  #opening: HostConnection | undefined;
  /** False when `reconnect` cannot help: there was no connection yet, or the host is known to have restarted. */
  #mayReconnect = false;
  #hostMeta: Readonly<Record<string, unknown>> = {};
  #automations: AutomationSupport | undefined;
  #serverInfo: InitializedHost['serverInfo'];
  #version: string | undefined;
  #tracesChannel: URI | undefined;
  #wireLog: WireLogTarget | undefined;
  /** The tokens that the host accepted, by resource. They are given again to a host that has restarted. */
  readonly #tokens = new Map<string, GivenToken>();

  /** Resolves when connected; rejects with a {@link ConnectionError} at the first failure. */
  static async connect(options: AgentHostClientOptions): Promise<AgentHostClient> {
    const client = this.create(options);
    try {
      await client.#firstConnection();
      return client;
    } catch (error) {
      client.dispose();
      throw error;
    }
  }

  /** Starts to connect and reports by `state`. Tries again where that can help. */
  static create(options: AgentHostClientOptions): AgentHostClient {
    const client = new this(options);
    client.#loop.start();
    return client;
  }

  protected constructor(options: AgentHostClientOptions) {
    this.#options = options;
    this.#url = parseHostUrl(options.url, options.token, options.name);
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? nullLogger;
    this.#warnings = new CountedWarnings(this.#logger);
    this.clientId = options.clientId ?? crypto.randomUUID();
    const schedule = options.schedule ?? defaultSchedule;
    this.#offered = options.dialects ?? ['channels', 'v1'];
    const [only, other] = this.#offered;

    this.traces = this.#disposables.add(new HostTraces({ clock: this.#clock, warnings: this.#warnings, hostName: () => this.#hostName }));
    this.onNotification = this.#notification.event;
    this.onDidDecide = this.#decided.event;
    this.#store = this.#disposables.add(
      new ResourceStore({
        clientId: this.clientId,
        clientSeqAfter: options.clientSeqAfter ?? 0,
        clock: this.#clock,
        logger: this.#logger,
        schedule,
        dialect: only === 'v1' && !other ? v1Dialect : undefined,
        onDecisions: (uri, decisions) => this.#decided.fire({ uri, decisions }),
        onStepBack: (connection) => this.#hostRestarted(connection),
        onPending: () => this.#pendingChanged.fire(),
        onHeldChanged: () => this.sessions.heldChanged(),
        onOverflow: () =>
          this.#opening?.fail(
            connectionFailure(
              'lost',
              phrase`${this.#hostName} sent more actions than can be kept before it sent its state.`,
              phrase`too many messages`,
            ),
          ),
      }),
    );
    this.sessions = this.#disposables.add(
      new SessionList(
        () =>
          listAll(
            (cursor, timeoutMs) => this.#request('listSessions', this.#store.dialect?.params.list(cursor) ?? {}, timeoutMs),
            this.#clock,
          ),
        schedule,
        () => this.#store.sessions(),
        () => this.#store.dialect,
      ),
    );
    this.#modelContext = {
      clientId: this.clientId,
      dialect: () => this.#store.dialect,
      dispatch: (uri, action, options) => this.#store.dispatch(uri, action, options),
      restorePending: (uri, kind, action, asked) => this.#store.restorePending(uri, kind, action, asked),
    };
    this.#loop = this.#disposables.add(
      new ConnectionLoop({
        clock: this.#clock,
        random: options.random ?? Math.random,
        establish: (signal) => this.#establish(signal),
        onLost: () => this.#connectionLost(),
      }),
    );
    this.onDidChangeState = this.#loop.onDidChangeState;
    this.#disposables.add(this.root());
  }

  get state(): ConnectionState {
    return this.#loop.state;
  }

  /** What the host has chosen, and the version in its words, such as `1` or `0.9.0`. Undefined before the first connection. */
  get dialect(): { readonly name: DialectName; readonly version: string } | undefined {
    const { dialect } = this.#store;
    return dialect && this.#version !== undefined ? { name: dialect.name, version: this.#version } : undefined;
  }

  /** The session that the user started: `uri`, or in AHP v1 that above all subagents. */
  readonly topSession = (uri: URI): URI => this.#store.dialect?.topSession(uri) ?? uri;

  /** What the host can do with automations. Undefined where it has none. */
  get automations(): AutomationSupport | undefined {
    return this.#automations;
  }

  /** What the host calls itself, as it sent it: of any type and length. Undefined where it does not say. */
  get serverInfo(): InitializedHost['serverInfo'] {
    return this.#serverInfo;
  }

  /** Extensions of the protocol that the host has: `_meta` of its answer to the last `initialize`. */
  get hostMeta(): Readonly<Record<string, unknown>> {
    return this.#hostMeta;
  }

  async #request(method: string, params: object, timeoutMs?: number): Promise<unknown> {
    const connection = this.#connection;
    if (!connection)
      throw new ConnectionError(
        connectionFailure('lost', phrase`There is no connection to ${this.#hostName}, so ${method} was not sent.`, phrase`not connected`),
      );
    const result = await connection.request(method, params, timeoutMs).catch(rejectWithoutTrace);
    if (method === 'authenticate') this.#authenticated(params as AuthenticateParams);
    return result;
  }

  /** For a host that has announced this extension in its `hostMeta`. Rejects as {@link command} does. */
  async requestOwn<M extends GrantCommand | ChatNameCommand>(
    method: M,
    params: M extends GrantCommand ? GrantCommandParams<M> : ChatNameParams,
  ): Promise<void> {
    await this.#request(method, params);
  }

  /** Subscribes again to a resource of which the host gave no state, or which it has removed. Its subscriptions report the outcome. */
  retry(uri: URI): void {
    this.#store.retry(nameOfChannel(uri));
  }
  /** What this client has performed there and the host has not settled. Asks the host for nothing. */
  pendingIn(uri: URI): readonly PendingAction<ClientAction>[] {
    return askedIn(this.#store.pendingIn(nameOfChannel(uri)));
  }

  /**
   * A resource of any host in the shapes of the newest dialect, until it is disposed. In AHP v1 a session has one chat, of the same URI.
   * `maxLatencyMs`: how long the host may hold changes back, for what is not on screen. The least of all readers of the resource counts.
   */
  model<K extends ResourceKind>(kind: K, uri: URI, { maxLatencyMs }: ReadOptions = {}): ResourceModel<K> {
    return new ResourceModel(kind, this.#store.subscribe(nameOfChannel(uri), kind, maxLatencyMs), this.#modelContext);
  }
  root(): ResourceModel<'root'> {
    return this.model('root', ROOT_URI);
  }
  session(uri: URI, { maxLatencyMs }: ReadOptions = {}): SessionModel {
    return new SessionModel('session', this.#store.subscribe(uri, 'session', maxLatencyMs), this.#modelContext);
  }
  chat(uri: URI, { maxLatencyMs }: ReadOptions = {}): ChatModel {
    return new ChatModel('chat', this.#store.subscribe(uri, 'chat', maxLatencyMs), this.#modelContext);
  }

  /**
   * A request in the words of the newest dialect. The root and the channel of one that has none are filled in. Rejects with `RpcError` (the
   * host's answer, or MethodNotFound where its protocol cannot do it), `TimeoutError`, or {@link ConnectionError}. The last means that there
   * is no connection, or that it was lost before the answer: whether the host has acted is not known then. The result is as the host sent it.
   */
  async command<M extends ChannelCommand>(
    method: M,
    params: Omit<ChannelParams<M>, 'channel'> & { channel?: URI },
    timeoutMs?: number,
  ): Promise<ChannelResult<M>> {
    const { dialect } = this.#store;
    const request = dialect ? dialect.requestFor(method, { channel: ROOT_CHANNEL, ...params }) : { method, params };
    if (!request) throw new RpcError(ErrorCode.MethodNotFound, `the protocol of ${this.#hostName} cannot do this ${method}`);
    return wellFormedAnswer(method, await this.#request(request.method, request.params, timeoutMs));
  }

  /**
   * What the user decided about an action that `pending` shows with an unknown outcome. `sendAgain` dispatches it as a new action; a prompt
   * gets a new turn id, and is queued when a turn is running. Undefined when nothing was sent: the action was discarded, is not pending any
   * more, or stays because the host does not give the session's state.
   */
  resolveUnknown(uri: URI, clientSeq: number, how: 'sendAgain' | 'discard'): Dispatched | undefined {
    return this.#store.resolveUnknown(uri, clientSeq, how);
  }

  /** Lists the sessions again. Rejects when the host gives no list. */
  async listSessions(): Promise<readonly SessionSummary[]> {
    await this.sessions.refresh();
    const { state } = this.sessions;
    if (typeof state !== 'object') return this.sessions.summaries;
    const { code, message } = state.error;
    throw code === undefined ? new Error(message) : new RpcError(code, message);
  }

  /** What was performed there while the host is away is rejected, as far as its `whyNot` has a reason by now. */
  withdraw(uri: URI): void {
    this.#store.withdraw(nameOfChannel(uri));
  }

  /** Writes all frames from now on. What is known already is written first, so that the log can be replayed. Undefined ends it. */
  recordTo(target: WireLogTarget | undefined): void {
    this.#wireLog = target;
    if (!target) return;
    const { writer, host } = target;
    const version = this.#version !== undefined && { version: this.#version };
    const known = { host, clientId: this.clientId, ...version, snapshots: this.#store.snapshots(), sessions: this.sessions.listed };
    writer.known(writer.open(host), known);
  }

  /** Tries at once instead of waiting for the back-off. */
  reconnectNow(): void {
    this.#loop.reconnectNow();
  }

  close(): void {
    this.dispose();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  get #hostName(): string {
    return this.#url?.name ?? 'the host';
  }

  #firstConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const listening = this.onDidChangeState((state) => {
        if (state.kind === 'connecting') return;
        listening.dispose();
        if (state.kind === 'connected') resolve();
        else if (state.kind === 'closed') reject(new Error('the client was closed'));
        else reject(new ConnectionError(state.reason));
      });
    });
  }

  /**
   * Resumes the old connection's work where that is possible. Otherwise starts over on another connection, because a host accepts one
   * handshake per connection.
   */
  async #establish(signal: AbortSignal): Promise<EstablishedConnection> {
    const url = this.#url;
    if (!url) {
      const message = phrase`The address of an agent host must be a WebSocket URL, such as ws://localhost:8081. Correct the address.`;
      throw new ConnectionError(connectionFailure('address', message, phrase`wrong address`));
    }
    const { clientInfo, locale, meta: ownMeta, speaks11 = false } = this.#options;
    const own = { clientId: this.clientId, clientInfo, locale, meta: ownMeta };
    const handshake = { ...own, offered: this.#offered, speaks11, url, store: this.#store };
    const { dialect } = this.#store;
    if (this.#mayReconnect && dialect) {
      const connection = await this.#open(url, signal);
      const resumed = await orDispose(connection, reconnect(connection, dialect, handshake));
      if (resumed) {
        this.#connection = connection;
        this.traces.connected(connection, this.#tracesChannel);
        this.#store.fetchMissing();
        void this.#listAfterReconnect(connection);
        return { connection, serverSeq: this.#store.lastSeenServerSeq ?? 0 };
      }
      connection.dispose();
      this.#mayReconnect = false;
      this.#logger.info(`${this.#hostName} does not know this client any more, so everything is loaded again`);
    }
    const connection = await this.#open(url, signal);
    // The first time everything is requested at once. After a restart, sessions can be subscribed to only after they were listed. Terminals
    // are never requested this way.
    const isFirst = this.#store.lastSeenServerSeq === undefined;
    const wanted = this.#store.uris(({ kind }) => kind === 'root' || (isFirst && (kind === 'session' || kind === 'chat')));
    const initialized = await orDispose(connection, initialize(connection, handshake, wanted));
    const { version, defaultDirectory, automations, serverInfo, traces, meta = {} } = initialized;
    this.#hostMeta = meta;
    this.#serverInfo = serverInfo;
    this.#automations = automations;
    this.#version = version;
    this.#tracesChannel = traces;
    this.#connection = connection;
    this.traces.connected(connection, traces);
    this.#mayReconnect = true;
    void this.#restore(connection);
    return { connection, serverSeq: this.#store.lastSeenServerSeq ?? 0, ...(defaultDirectory && { defaultDirectory }) };
  }

  /** A host that has forgotten our tokens has restarted, whatever it answered to `reconnect`. */
  async #listAfterReconnect(connection: HostConnection): Promise<void> {
    await this.sessions.refresh();
    const { state } = this.sessions;
    const isForgotten = typeof state === 'object' && state.error.code === ErrorCode.AuthRequired && this.#tokens.size > 0;
    if (isForgotten && this.#connection === connection) this.#hostRestarted(connection);
  }

  async #open(url: HostUrl, signal: AbortSignal): Promise<HostConnection> {
    this.#store.prepareConnection();
    const transport = recordingTransport(this.#options.transport, () => this.#wireLog);
    const connection = await HostConnection.open(
      { url, transport, clock: this.#clock, logger: this.#logger, signal },
      {
        onEnvelope: (params) => this.#receiveEnvelope(params),
        onNotification: (method, params) => this.#receiveNotification(method, params),
        onHostRequest: this.#options.onHostRequest ?? refuse,
      },
    );
    this.#opening = connection;
    return connection;
  }

  /** After `initialize`: tokens, root, list of sessions, sessions, terminals. Pending actions are sent as each session becomes live. */
  async #restore(connection: HostConnection): Promise<void> {
    for (const given of [...this.#tokens.values()]) await this.#authenticateAgain(connection, given);
    this.#store.fetchMissing((kind) => kind === 'root');
    await this.sessions.refresh();
    if (this.#connection === connection) this.#store.fetchMissing();
  }

  async #authenticateAgain(connection: HostConnection, { endsAt, ...given }: GivenToken): Promise<void> {
    const expiresIn = endsAt === undefined ? undefined : Math.floor((endsAt - this.#clock.now()) / 1_000);
    if (expiresIn !== undefined && expiresIn < 1) {
      this.#tokens.delete(given.resource);
      this.#logger.info(`The token for ${given.resource} has ended, so ${this.#hostName} does not get it again`);
      return;
    }
    const params = { ...given, ...(expiresIn !== undefined && { expiresIn }) };
    try {
      await connection.request('authenticate', this.#store.dialect?.params.authenticate(params) ?? params, RESTORE_STEP_TIMEOUT_MS);
    } catch (error) {
      if (error instanceof RpcError) this.#tokens.delete(params.resource);
      this.#logger.warn(`${this.#hostName} did not accept the token for ${params.resource} again: ${englishOf(error)}`);
    }
  }

  #authenticated({ expiresIn, ...params }: AuthenticateParams & { readonly expiresIn?: number }): void {
    // An empty token takes the last one back.
    if (params.token === '') this.#tokens.delete(params.resource);
    else
      this.#tokens.set(params.resource, { ...params, ...(expiresIn !== undefined && { endsAt: this.#clock.now() + expiresIn * 1_000 }) });
    this.#retryRefused();
  }

  /** Requests again what was refused for lack of a token. */
  #retryRefused(): void {
    this.#store.retryFailed(ErrorCode.AuthRequired);
    const { state } = this.sessions;
    if (typeof state === 'object' && state.error.code === ErrorCode.AuthRequired) void this.sessions.refresh();
  }

  #receiveEnvelope(params: unknown): void {
    const envelope = parseEnvelope(params);
    if (!envelope) {
      this.#warnings.warn('action', `${this.#hostName} sent an action that cannot be read`);
      return;
    }
    this.#store.receive(envelope);
    // Another client may have given the token. The models that it brings are the only sign of that.
    if (envelope.action.type === 'root/agentsChanged' && this.#connection) this.#retryRefused();
  }

  #receiveNotification(method: string, params: unknown): void {
    const { dialect } = this.#store;
    // Nobody has asked for anything yet. What the host lists later has it.
    if (!dialect) return;
    if (method === 'otlp/exportTraces') return this.traces.receive(params);
    const notification = dialect.notificationOf(method, params);
    if (notification === 'unneeded') return;
    if (notification === undefined) {
      const named = JSON.stringify(method.slice(0, MAX_METHOD_SHOWN));
      this.#warnings.warn('unknown notification', `${this.#hostName} sent an unknown notification ${named}`);
      return;
    }
    if (notification === 'malformed') {
      this.#warnings.warn('notification', `${this.#hostName} sent an invalid notification`);
      return;
    }
    this.sessions.receive(notification);
    if (notification.type === 'notify/sessionRemoved') this.#store.sessionRemoved(notification.session);
    if (notification.type === 'notify/sessionAdded') this.#store.sessionAdded(parseSummary(notification.summary)?.resource);
    this.#notification.fire(notification as ProtocolNotification | ProgressNotification);
  }

  #hostRestarted(connection: HostConnection): void {
    this.#mayReconnect = false;
    connection.fail(
      connectionFailure(
        'restarted',
        phrase`${this.#hostName} has restarted. Everything is being loaded again.`,
        phrase`host started again`,
      ),
    );
  }

  #connectionLost(): void {
    this.#connection = undefined;
    this.traces.connectionLost();
    this.#store.connectionLost();
    this.sessions.connectionLost();
  }
}

function refuse(method: string): never {
  throw new RpcError(ErrorCode.MethodNotFound, `this client does not serve ${method}`);
}

async function orDispose<T>(connection: HostConnection, handshake: Promise<T>): Promise<T> {
  try {
    return await handshake;
  } catch (error) {
    connection.dispose();
    throw error;
  }
}
