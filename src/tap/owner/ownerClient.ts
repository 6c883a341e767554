/**
 * A session owner's end of the owner link. It keeps the link up: when the gateway goes, it is found or started again, and every session is
 * registered anew.
 */
import { WebSocket } from 'ws';
import { Challenge } from '../../base/challenge.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { messageOf, withTimeout } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { JsonRpcPeer, RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { Time } from '../wire/limits.ts';
import type { ProjectProviderConfig } from './tapConfig.ts';
import {
  OWNER_PROTOCOL_VERSION,
  type HookDecision,
  type OwnerEvents,
  type OwnerRequest,
  type OwnerResults,
  type PromptParts,
  type SessionRegistration,
  type StreamDump,
  type ToolOutcome,
} from '../wire/ownerMessages.ts';

const OPEN_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** The gateway ends every call; this is for a gateway that does not. Two runs of the longest tool, and its queue. */
const CALL_TIMEOUT_MS = Time.maxToolTimeoutMs * 12;
const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 10_000;
/** A result of a file comes in one frame. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

export interface OwnerEndpoint {
  /** `ws://127.0.0.1:<port>` */
  url: string;
  /** The owner secret. It is proved, not sent, and the gateway must prove that it knows it. */
  token: string;
}

export interface OwnerClientOptions {
  /** Shown in diagnostics. */
  name: string;
  /** Finds the gateway, or starts it. Asked anew for every attempt. */
  find(): Promise<OwnerEndpoint>;
  logger: Logger;
  clock?: Clock;
  /** 0 to 1; spreads the attempts of many windows. */
  random?: () => number;
}

export type OwnerState =
  | { kind: 'connecting' }
  | { kind: 'connected'; peer: JsonRpcPeer; version: string }
  | { kind: 'waiting'; error: string }
  | { kind: 'disposed' };

/** The events of the gateway as a union, to switch on. */
export type OwnerEvent = { [E in keyof OwnerEvents]: { event: E; params: OwnerEvents[E] } }[keyof OwnerEvents];

export class OwnerClient implements Disposable {
  #state: OwnerState = { kind: 'connecting' };
  #socket: WebSocket | undefined;
  #retry: Disposable | undefined;
  #failures = 0;
  readonly #sessions = new Map<string, OwnedSession>();
  readonly #didChangeState = new Emitter<OwnerState>();
  readonly onDidChangeState: Event<OwnerState> = this.#didChangeState.event;
  readonly #event = new Emitter<OwnerEvent>();
  readonly onEvent: Event<OwnerEvent> = this.#event.event;
  readonly #clock: Clock;

  constructor(private readonly options: OwnerClientOptions) {
    this.#clock = options.clock ?? systemClock;
    void this.#connect();
  }

  get state(): OwnerState {
    return this.#state;
  }

  /** Registers now or as soon as the link is up, and again after every loss. Throws when this owner has the session already. */
  addSession(registration: SessionRegistration): OwnedSession {
    if (this.#sessions.has(registration.sessionId)) throw new Error(`the session ${registration.sessionId} is registered already`);
    const session = new OwnedSession(this, registration, () => this.#sessions.delete(registration.sessionId));
    this.#sessions.set(registration.sessionId, session);
    if (this.#state.kind === 'connected') this.#register(session);
    return session;
  }

  /** Rejects when the link is down, with an {@link RpcError} that the gateway answers, or with a TimeoutError. */
  async request<M extends OwnerRequest>(method: M, params: object, timeoutMs = REQUEST_TIMEOUT_MS): Promise<OwnerResults[M]> {
    if (this.#state.kind !== 'connected') throw new Error('there is no link to the gateway');
    return (await this.#state.peer.request(method, params, timeoutMs)) as OwnerResults[M];
  }

  /** Dropped when the link is down. */
  notify(method: string, params: object): void {
    if (this.#state.kind === 'connected') this.#state.peer.notify(method, params);
  }

  /** Ends the link; the gateway ends the sessions. */
  dispose(): void {
    if (this.#state.kind === 'disposed') return;
    this.#setState({ kind: 'disposed' });
    this.#retry?.dispose();
    this.#socket?.close(1000);
    this.#didChangeState.dispose();
    this.#event.dispose();
  }

  async #connect(): Promise<void> {
    try {
      const { url, token } = await this.options.find();
      if (this.#isDisposed()) return;
      const socket = new WebSocket(`${url}/owner`, {
        finishRequest: (request) => new Challenge(token).send(request),
        perMessageDeflate: false,
        maxPayload: MAX_FRAME_BYTES,
        handshakeTimeout: OPEN_TIMEOUT_MS,
      });
      this.#socket = socket;
      const peer = new JsonRpcPeer('client', (text) => socket.send(text), {
        onRequest: (method) => {
          throw new RpcError(-32601, `an owner answers no requests: ${method}`);
        },
        onNotification: (event, params) => this.#event.fire({ event, params } as OwnerEvent),
      });
      socket.on('message', (data) => peer.receive(String(data)));
      const opened = new Promise<void>((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
        socket.once('close', (code) => reject(new Error(`the gateway closed the link (${code})`)));
      });
      socket.on('error', (error) => this.options.logger.debug(`link to the gateway: ${messageOf(error)}`));
      socket.once('close', (code) => peer.dispose(new Error(`the gateway closed the link (${code})`)));
      await withTimeout(opened, OPEN_TIMEOUT_MS, 'opening the link to the gateway');
      const { version } = (await peer.request(
        'initialize',
        { protocolVersion: OWNER_PROTOCOL_VERSION, name: this.options.name },
        OPEN_TIMEOUT_MS,
      )) as OwnerResults['initialize'];
      if (this.#isDisposed()) return socket.close(1000);
      this.#failures = 0;
      this.#state = { kind: 'connected', peer, version };
      // Before anybody hears of it, who may add more.
      for (const session of this.#sessions.values()) this.#register(session);
      this.#didChangeState.fire(this.#state);
      if (socket.readyState === socket.OPEN) socket.once('close', () => this.#lost('the link to the gateway was lost'));
      else this.#lost('the link to the gateway was lost');
    } catch (error) {
      this.#socket?.terminate();
      this.#lost(messageOf(error));
    }
  }

  #lost(error: string): void {
    if (this.#isDisposed()) return;
    const backoff = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** this.#failures++);
    this.#setState({ kind: 'waiting', error });
    this.#retry = this.#clock.setTimer(
      () => {
        if (this.#isDisposed()) return;
        this.#setState({ kind: 'connecting' });
        void this.#connect();
      },
      backoff * (0.5 + (this.options.random ?? Math.random)()),
    );
  }

  #register(session: OwnedSession): void {
    this.request('session/register', session.registration).then(
      ({ revision, tools }) => {
        this.#event.fire({ event: 'tools/changed', params: { sessionId: session.id, revision, tools } });
        for (const started of session.projectProviders) this.#startAgain(session, started);
      },
      (error: unknown) => this.options.logger.warn(`registering a session: ${messageOf(error)}`),
    );
  }

  #startAgain(session: OwnedSession, { folder, provider }: StartedProvider): void {
    this.request('providers/start', { sessionId: session.id, folder, providers: [provider] }).catch((error: unknown) => {
      const params = { sessionId: session.id, name: provider.name, state: 'failed', error: messageOf(error) } as const;
      this.#event.fire({ event: 'provider/state', params });
    });
  }

  #setState(state: OwnerState): void {
    this.#state = state;
    this.#didChangeState.fire(state);
  }

  #isDisposed(): boolean {
    return this.#state.kind === 'disposed';
  }
}

interface StartedProvider {
  readonly folder: string;
  readonly provider: ProjectProviderConfig;
}

/** A session that this owner has registered. */
export class OwnedSession {
  #registration: SessionRegistration;
  #calls = 0;
  readonly #started = new Map<string, StartedProvider>();

  constructor(
    private readonly client: OwnerClient,
    registration: SessionRegistration,
    private readonly forget: () => void,
  ) {
    this.#registration = registration;
  }

  get id(): string {
    return this.#registration.sessionId;
  }
  /** As it is now; what a new gateway is told. */
  get registration(): SessionRegistration {
    return this.#registration;
  }

  /** What a new gateway is to start again. */
  get projectProviders(): Iterable<StartedProvider> {
    return this.#started.values();
  }

  /** Fails silently while the link is down: the change is part of the next registration. */
  async update(change: Partial<Omit<SessionRegistration, 'sessionId'>>): Promise<void> {
    this.#registration = { ...this.#registration, ...change };
    if (this.client.state.kind === 'connected') await this.client.request('session/update', { sessionId: this.id, ...change });
  }

  /** Resolves when its providers are ready or the deadline has passed; at once when the link is down. */
  async end(deadlineMs: number = Time.shutdownMs): Promise<void> {
    this.forget();
    if (this.client.state.kind === 'connected') {
      await this.client.request('session/end', { sessionId: this.id, deadlineMs }, deadlineMs + REQUEST_TIMEOUT_MS);
    }
  }

  /** Rejects only when the link is or goes down; what a tool does wrong is an outcome. */
  call(tool: string, args: unknown, signal?: AbortSignal): Promise<ToolOutcome> {
    const callId = `${this.id}/${++this.#calls}`;
    const cancel = () => this.client.notify('tool/cancel', { sessionId: this.id, callId, reason: String(signal?.reason ?? 'cancelled') });
    const outcome = this.client.request('tool/call', { sessionId: this.id, callId, tool, args }, CALL_TIMEOUT_MS);
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    return outcome.finally(() => signal?.removeEventListener('abort', cancel));
  }

  evaluateHooks(tool: string, args: unknown): Promise<HookDecision> {
    return this.client.request('hooks/evaluate', { sessionId: this.id, tool, args });
  }

  /** `sections`: what the prompt has now, by name. */
  evaluateTransforms(sections: Record<string, string> = {}): Promise<PromptParts> {
    return this.client.request('transforms/evaluate', { sessionId: this.id, sections });
  }

  /** `byUser`: a person did it, so that paused providers may inject again. */
  event(event: string, data: Record<string, unknown>, byUser = false): void {
    this.client.notify('session/event', { sessionId: this.id, event, data, byUser });
  }

  /** For a provider that this session starts; put it into `TAP_PROVIDER_TOKEN`. */
  async issueToken(): Promise<string> {
    return (await this.client.request('token/issue', { sessionId: this.id })).token;
  }

  /**
   * Has the gateway run these providers of `folder` until the session ends, also over a new start of the gateway. All or none. Only for what
   * the user has agreed to. Rejects when the link is down, or with an {@link RpcError} that names the field.
   */
  async startProviders(folder: string, providers: readonly ProjectProviderConfig[]): Promise<void> {
    await this.client.request('providers/start', { sessionId: this.id, folder, providers });
    for (const provider of providers) this.#started.set(provider.name, { folder, provider });
  }

  /** Resolves when they have ended. `names` absent: all. */
  async stopProviders(names: string[] = [...this.#started.keys()]): Promise<void> {
    for (const name of names) this.#started.delete(name);
    if (this.client.state.kind === 'connected') await this.client.request('providers/stop', { sessionId: this.id, names });
  }

  async streams(last = 50): Promise<StreamDump[]> {
    return (await this.client.request('stream/query', { sessionId: this.id, last })).streams;
  }
}
