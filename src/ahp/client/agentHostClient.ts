/** The client of one agent host: one connection that heals itself, the resources that are read over it, and the list of sessions. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { CountedWarnings } from '../../base/countedWarnings.ts';
import { messageOf } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { type Logger, nullLogger } from '../../base/log.ts';
import type { StateAction } from '../v1/actions.ts';
import type { AuthenticateParams, Command, CommandParams, CommandResult } from '../v1/commands.ts';
import type { URI } from '../v1/common.ts';
import { ErrorCode } from '../v1/errors.ts';
import type { ProtocolNotification } from '../v1/notifications.ts';
import { reduceAll, reducerFor } from '../v1/reduceAll.ts';
import { ROOT_URI, type RootState } from '../v1/root.ts';
import type { SessionState, SessionSummary } from '../v1/session.ts';
import type { TerminalState } from '../v1/terminal.ts';
import { ConnectionLoop, type EstablishedLine } from './connection/connectionLoop.ts';
import { ConnectionError, type ConnectionState } from './connection/connectionState.ts';
import { initialize, reconnect } from './connection/handshake.ts';
import { HostConnection, type HostRequestHandler } from './connection/hostConnection.ts';
import { type HostUrl, parseHostUrl } from './connection/hostUrl.ts';
import { recordingTransport, type WireLogTarget } from './recording/recordingTransport.ts';
import { ResourceStore } from './resources/resourceStore.ts';
import { defaultSchedule, type Schedule } from './connection/schedule.ts';
import { SessionList } from './sessionList.ts';
import type { Dispatched, Subscription } from './resources/subscription.ts';
import type { TransportFactory } from './transport.ts';
import { parseEnvelope, parseNotification, parseSummary } from './connection/wireChecks.ts';

export interface AgentHostClientOptions {
  /** `ws:` or `wss:`. */
  readonly url: string;
  /** How the person calls the host; its address stands for it otherwise. */
  readonly name?: string;
  /** The host's connection token; goes into the URL's query and into no text. */
  readonly token?: string;
  /** How the host knows this client again after a lost line; a new one by default. */
  readonly clientId?: string;
  readonly transport: TransportFactory;
  /** Serves requests of the host (`resource*`); without it all are refused. */
  readonly onHostRequest?: HostRequestHandler;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** In [0, 1). */
  readonly random?: () => number;
  readonly schedule?: Schedule;
  /** Resources that the client itself keeps subscribed, from the handshake on. By default the root. */
  readonly initialSubscriptions?: readonly URI[];
}

/** When a host is begun anew, one step waits for the other (tokens, list, sessions), so a host that is silent at one must not hold up the rest for long. */
const RESTORE_STEP_TIMEOUT_MS = 10_000;

export class AgentHostClient implements Disposable {
  readonly clientId: string;
  readonly sessions: SessionList;
  readonly onDidChangeState: Event<ConnectionState>;
  /** Every notification of the host; `notify/authRequired` is for whoever has tokens. */
  readonly onNotification: Event<ProtocolNotification>;

  readonly #options: AgentHostClientOptions;
  readonly #url: HostUrl | undefined;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #warnings: CountedWarnings;
  readonly #disposables = new DisposableStore();
  readonly #notification = this.#disposables.add(new Emitter<ProtocolNotification>());
  readonly #store: ResourceStore;
  readonly #loop: ConnectionLoop;
  #line: HostConnection | undefined;
  /** The newest line, also while it is still in its handshake. */
  #opening: HostConnection | undefined;
  /** False when a `reconnect` cannot help: never connected, or the host is known to have started again. */
  #mayReconnect = false;
  #wireLog: WireLogTarget | undefined;
  /** The tokens that the host took, by resource, to be given again to a host that has started anew. */
  readonly #tokens = new Map<string, AuthenticateParams>();

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

  /** Starts connecting and reports by `state`; keeps trying where that can help. */
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

    this.onNotification = this.#notification.event;
    this.#store = this.#disposables.add(
      new ResourceStore({
        clientId: this.clientId,
        clock: this.#clock,
        logger: this.#logger,
        schedule,
        reduce: (uri, state, actions, now) => reduceAll(reducerFor(uri), state, actions, now),
        onStepBack: (line) => this.#hostRestarted(line),
        onHeldChanged: () => this.sessions.heldChanged(),
        onOverflow: () =>
          this.#opening?.fail({
            kind: 'lost',
            message: `${this.#hostName} sent more than can be kept before it told its state.`,
            brief: 'too many messages',
          }),
      }),
    );
    const list = () => this.request('listSessions', {}, RESTORE_STEP_TIMEOUT_MS);
    this.sessions = this.#disposables.add(new SessionList(list, schedule, () => this.#store.sessions()));
    this.#loop = this.#disposables.add(
      new ConnectionLoop({
        clock: this.#clock,
        random: options.random ?? Math.random,
        establish: (signal) => this.#establish(signal),
        onLost: () => this.#lineLost(),
      }),
    );
    this.onDidChangeState = this.#loop.onDidChangeState;
    for (const uri of options.initialSubscriptions ?? [ROOT_URI]) this.#disposables.add(this.#store.subscribe(uri));
  }

  get state(): ConnectionState {
    return this.#loop.state;
  }

  /**
   * Rejects with `RpcError` (the host's answer), `TimeoutError`, or {@link ConnectionError} (no line, or lost before the answer: whether the
   * host did it is not known). The result is as the host sent it.
   */
  async request<M extends Command>(method: M, params: CommandParams<M>, timeoutMs?: number): Promise<CommandResult<M>> {
    const line = this.#line;
    if (!line)
      throw new ConnectionError({
        kind: 'lost',
        message: `There is no connection to ${this.#hostName}, so ${method} was not sent.`,
        brief: 'not connected',
      });
    const result = await line.request(method, params, timeoutMs);
    if (method === 'authenticate') this.#authenticated(params as AuthenticateParams);
    return result;
  }

  /** Reads a resource until the subscription is disposed. Readers of one resource share its state. */
  subscribe(uri: URI): Subscription {
    return this.#store.subscribe(uri);
  }
  /** Asks once more for what the host gave no state of, or has removed; its readers hear what comes of it. */
  retry(uri: URI): void {
    this.#store.retry(uri);
  }
  subscribeRoot(): Subscription<RootState> {
    return this.#store.subscribe<RootState>(ROOT_URI);
  }
  subscribeSession(uri: URI): Subscription<SessionState> {
    return this.#store.subscribe<SessionState>(uri);
  }
  subscribeTerminal(uri: URI): Subscription<TerminalState> {
    return this.#store.subscribe<TerminalState>(uri);
  }

  /** Sends an action; one of a session is shown at once in the `state` of its subscriptions. Never throws; `settled` never rejects. */
  dispatch(uri: URI, action: StateAction): Dispatched {
    return this.#store.dispatch(uri, action);
  }

  /**
   * What a person decided about an action that `pending` shows with an unknown outcome. `sendAgain` dispatches it anew, a prompt under a new
   * turn id and behind a turn that runs by now; undefined when nothing was sent: it was discarded, is not there any more, or stays because the
   * host does not give the session's state.
   */
  resolveUnknown(uri: URI, clientSeq: number, how: 'sendAgain' | 'discard'): Dispatched | undefined {
    return this.#store.resolveUnknown(uri, clientSeq, how);
  }

  /**
   * A session's action that an earlier client sent (before the window was loaded again, say) and whose outcome it did not learn. It is in
   * `pending` until the host's state shows what became of it; where that does not, it is of unknown outcome and for a person to say.
   */
  restorePending(uri: URI, action: StateAction): Dispatched {
    return this.#store.restorePending(uri, action);
  }

  /** Lists anew. Rejects when the host gives no list. */
  async listSessions(): Promise<readonly SessionSummary[]> {
    await this.sessions.refresh();
    const { state } = this.sessions;
    if (typeof state !== 'object') return this.sessions.items;
    const { code, message } = state.error;
    throw code === undefined ? new Error(message) : new RpcError(code, message);
  }

  /** Writes all frames from now on, and first what is known by now, so that the log can be replayed. Undefined ends it. */
  recordTo(target: WireLogTarget | undefined): void {
    this.#wireLog = target;
    if (!target) return;
    const { writer, host } = target;
    const known = { host, clientId: this.clientId, snapshots: this.#store.snapshots(), sessions: this.sessions.items };
    writer.known(writer.open(host), known);
  }

  /** Does not wait for the back-off to end. */
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

  /** Takes up the old line where that is possible, otherwise begins anew on a line of its own: a host takes one handshake a line. */
  async #establish(signal: AbortSignal): Promise<EstablishedLine> {
    const url = this.#url;
    if (!url) {
      const message = 'The address of an agent host must be a WebSocket URL, such as ws://localhost:8081. Correct the address.';
      throw new ConnectionError({ kind: 'address', message, brief: 'wrong address' });
    }
    const handshake = { clientId: this.clientId, url, store: this.#store };
    if (this.#mayReconnect) {
      const line = await this.#open(url, signal);
      const resumed = await orDispose(line, reconnect(line, handshake));
      if (resumed) {
        this.#line = line;
        this.#store.fetchMissing('root', 'session', 'terminal');
        void this.#listAfterReconnect(line);
        return { line, serverSeq: this.#store.lastSeenServerSeq ?? 0 };
      }
      line.dispose();
      this.#mayReconnect = false;
      this.#logger.info(`${this.#hostName} does not know this client any more; beginning anew`);
    }
    const line = await this.#open(url, signal);
    // The first time all at once; after a restart sessions can be subscribed only once they were listed. Terminals never come this way.
    const isFirst = this.#store.lastSeenServerSeq === undefined;
    const wanted = this.#store.uris(({ kind }) => kind === 'root' || (isFirst && kind === 'session'));
    const { defaultDirectory } = await orDispose(line, initialize(line, handshake, wanted));
    this.#line = line;
    this.#mayReconnect = true;
    void this.#restore(line);
    return { line, serverSeq: this.#store.lastSeenServerSeq ?? 0, ...(defaultDirectory && { defaultDirectory }) };
  }

  /** A host that has forgotten our tokens has started again, whatever it answered to `reconnect`. */
  async #listAfterReconnect(line: HostConnection): Promise<void> {
    await this.sessions.refresh();
    const { state } = this.sessions;
    const isForgotten = typeof state === 'object' && state.error.code === ErrorCode.AuthRequired && this.#tokens.size > 0;
    if (isForgotten && this.#line === line) this.#hostRestarted(line);
  }

  async #open(url: HostUrl, signal: AbortSignal): Promise<HostConnection> {
    this.#store.prepareLine();
    const transport = recordingTransport(this.#options.transport, () => this.#wireLog);
    const line = await HostConnection.open(
      { url, transport, clock: this.#clock, logger: this.#logger, signal },
      {
        onEnvelope: (params) => this.#receiveEnvelope(params),
        onNotification: (params) => this.#receiveNotification(params),
        onHostRequest: this.#options.onHostRequest ?? refuse,
      },
    );
    this.#opening = line;
    return line;
  }

  /** After `initialize`: tokens, root, list of sessions, sessions, terminals. What was dispatched goes out as each session becomes live. */
  async #restore(line: HostConnection): Promise<void> {
    for (const params of this.#tokens.values()) await this.#authenticateAgain(line, params);
    this.#store.fetchMissing('root');
    await this.sessions.refresh();
    if (this.#line === line) this.#store.fetchMissing('session', 'terminal');
  }

  async #authenticateAgain(line: HostConnection, params: AuthenticateParams): Promise<void> {
    try {
      await line.request('authenticate', params, RESTORE_STEP_TIMEOUT_MS);
    } catch (error) {
      if (error instanceof RpcError) this.#tokens.delete(params.resource);
      this.#logger.warn(`${this.#hostName} did not take the token for ${params.resource} again: ${messageOf(error)}`);
    }
  }

  #authenticated(params: AuthenticateParams): void {
    this.#tokens.set(params.resource, params);
    this.#retryRefused();
  }

  /** What was refused for want of a token is asked for again. */
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
    // Another client may have given the token, and the models that it brings are all that hosts tell of that.
    if (envelope.action.type === 'root/agentsChanged' && this.#line) this.#retryRefused();
  }

  #receiveNotification(params: unknown): void {
    const notification = parseNotification(params);
    if (!notification) {
      this.#warnings.warn('notification', `${this.#hostName} sent a notification that cannot be read`);
      return;
    }
    this.sessions.receive(notification);
    if (notification.type === 'notify/sessionRemoved') this.#store.sessionRemoved(notification.session);
    if (notification.type === 'notify/sessionAdded') this.#store.sessionAdded(parseSummary(notification.summary)?.resource);
    this.#notification.fire(notification);
  }

  #hostRestarted(line: HostConnection): void {
    this.#mayReconnect = false;
    line.fail({
      kind: 'restarted',
      message: `${this.#hostName} has started again. Everything is being fetched anew.`,
      brief: 'host started again',
    });
  }

  #lineLost(): void {
    this.#line = undefined;
    this.#store.lineLost();
    this.sessions.connectionLost();
  }
}

function refuse(method: string): never {
  throw new RpcError(ErrorCode.MethodNotFound, `this client does not serve ${method}`);
}

async function orDispose<T>(line: HostConnection, handshake: Promise<T>): Promise<T> {
  try {
    return await handshake;
  } catch (error) {
    line.dispose();
    throw error;
  }
}
