/**
 * A session owner's end of the owner link. It keeps the link up: when the gateway ends or stops answering, it is found or started again,
 * and every session is registered again.
 */
import { WebSocket } from 'ws';
import { backoffDelay } from '../../base/connection/backoff.ts';
import { Challenge } from '../../base/server/challenge.ts';
import { Cork } from '../../base/server/socket/cork.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { englishOf, withTimeout, WordedError, wordsOf } from '../../base/errors.ts';
import { phrase, type Words } from '../../base/text/phrase.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { JsonRpcPeer, RpcError, RpcErrorCode } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Liveness } from '../../base/connection/liveness.ts';
import type { Logger } from '../../base/log.ts';
import { CloseCode } from '../wire/closeCodes.ts';
import { OwnerErrorCode } from '../wire/errorCodes.ts';
import { Time } from '../wire/limits.ts';
import {
  type OfferedBy,
  OWNER_PROTOCOL_VERSION,
  type HookDecision,
  type OwnerEvents,
  type OwnerRequest,
  type OwnerResults,
  type PromptParts,
  type SessionRegistration,
  type StreamDump,
  type ToolOutcome,
  type TrustRecord,
} from '../wire/owner/ownerMessages.ts';
import type { Judgement } from '../wire/evidence/verdict.ts';
import { type OwnerQuestion, ownerQuestions, type SessionAnswers } from '../wire/owner/ownerQuestions.ts';
import { type ToldSpanInput, TraceLimit } from '../wire/traces/toldSpan.ts';
import type { UserAnswer, UserQuestion } from '../wire/userQuestion.ts';
import { OwnedEmitters } from './ownedEmitters.ts';
import type { ProjectProviderConfig } from '../wire/projectProviders.ts';

const OPEN_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** A safety net, because the gateway ends every call by itself. Twelve times the longest timeout of a tool covers a queue. */
const CALL_TIMEOUT_MS = Time.maxToolTimeoutMs * 12;
const BACKOFF = { firstMs: 250, longestMs: 10_000 };
/** A session that the gateway has of another owner is asked for again: that owner may be leaving it, or be a connection of ours that was lost. */
const REGISTER_AGAIN_MS = 1_000;
/** An older gateway keeps no calls. */
const UNKNOWN_CALL: ReadonlySet<number> = new Set([OwnerErrorCode.UnknownCall, OwnerErrorCode.UnknownSession, RpcErrorCode.MethodNotFound]);
/** A result of a file comes in one frame. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

export interface OwnerEndpoint {
  /** `ws://127.0.0.1:<port>` */
  url: string;
  /** The owner secret. Both sides prove that they know it; it is not sent. */
  token: string;
}

export interface OwnerClientOptions {
  /** Shown in diagnostics. */
  name: string;
  /** A secret that no other owner has at the same time. With it the gateway keeps calls for this owner while it is away. */
  key?: string;
  /** Finds or starts the gateway. Called for every attempt. */
  find(): Promise<OwnerEndpoint>;
  /** Otherwise nothing starts again by itself. Asked at each registration. Absent: it is. */
  isTrusted?(): boolean;
  logger: Logger;
  clock?: Clock;
  /** From 0 to 1. Spreads the attempts of many windows. */
  random?: () => number;
}

export type OwnerState =
  | { kind: 'connecting' }
  | { kind: 'connected'; peer: JsonRpcPeer; version: string; url: string }
  | { kind: 'waiting'; error: Words }
  | { kind: 'disposed' };

/** A request that was never sent, because there was no link. */
export class NoLinkError extends Error {
  override readonly name = 'NoLinkError';
  constructor() {
    super('there is no link to the gateway');
  }
}

/** The events of the gateway as a union, without what is for this client alone. */
export type OwnerEvent = { [E in Exclude<keyof OwnerEvents, 'trust/changed'>]: { event: E; params: OwnerEvents[E] } }[Exclude<
  keyof OwnerEvents,
  'trust/changed'
>];

export class OwnerClient implements Disposable {
  #state: OwnerState = { kind: 'connecting' };
  #socket: WebSocket | undefined;
  #retry: Disposable | undefined;
  #failures = 0;
  #key: string | undefined;
  /** What the gateway has told last of whom the user has let in, and where it listened. For the next one at the same address. */
  #trust: { readonly record: TrustRecord; readonly url: string } | undefined;
  #lostAt: number | undefined;
  readonly #sessions = new Map<string, OwnedSession>();
  readonly #didChangeState = new Emitter<OwnerState>();
  readonly onDidChangeState: Event<OwnerState> = this.#didChangeState.event;
  readonly #event = new Emitter<OwnerEvent>();
  readonly onEvent: Event<OwnerEvent> = this.#event.event;
  readonly #clock: Clock;

  constructor(private readonly options: OwnerClientOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#key = options.key;
    void this.#connect();
  }

  get state(): OwnerState {
    return this.#state;
  }

  /**
   * Registers the session now or when the link is up, and again after every loss. Throws when this owner has registered it already. `neededCalls`:
   * the calls by their `keptAs` that are still of use, asked at each registration. The gateway cancels the others, also those of which it could
   * not be told while the link was down. `answers`: to what the gateway asks about the session.
   */
  addSession(registration: SessionRegistration, neededCalls?: () => string[] | undefined, answers: SessionAnswers = {}): OwnedSession {
    if (this.#sessions.has(registration.sessionId)) throw new Error(`the session ${registration.sessionId} is already registered`);
    const session = new OwnedSession(this, registration, () => this.#sessions.delete(registration.sessionId), neededCalls, answers);
    this.#sessions.set(registration.sessionId, session);
    if (this.#state.kind === 'connected') this.#register(session);
    return session;
  }

  /** Rejects with a {@link NoLinkError}, with an {@link RpcError} from the gateway, with a TimeoutError, or when the link goes down. */
  async request<M extends OwnerRequest>(method: M, params: object, timeoutMs = REQUEST_TIMEOUT_MS): Promise<OwnerResults[M]> {
    if (this.#state.kind !== 'connected') throw new NoLinkError();
    return (await this.#state.peer.request(method, params, timeoutMs)) as OwnerResults[M];
  }

  /** Dropped while the link is down. */
  notify(method: string, params: object): void {
    if (this.#state.kind === 'connected') this.#state.peer.notify(method, params);
  }

  /** Ends the link, and with it the sessions. */
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
        // What follows an answer must not be handled before it, however late both are read.
        allowSynchronousEvents: false,
        maxPayload: MAX_FRAME_BYTES,
        handshakeTimeout: OPEN_TIMEOUT_MS,
      });
      this.#socket = socket;
      // A call that has ended is settled, told of and followed by the next one within a few microtasks.
      let cork: Cork | undefined;
      socket.once('upgrade', (response) => (cork = new Cork(response.socket, setImmediate)));
      const send = (text: string) => {
        cork?.put();
        socket.send(text);
      };
      const peer = new JsonRpcPeer('client', send, {
        onRequest: (method, params) => this.#answer(method, params),
        onNotification: (event, params) => {
          if (event === 'trust/changed') this.#trust = { record: params as TrustRecord, url };
          else this.#event.fire({ event, params } as OwnerEvent);
        },
        onInternalError: (method, error) => this.options.logger.error(`The gateway’s ${method}: ${englishOf(error)}`),
      });
      let isSilent = false;
      const lossOf = (code: number) =>
        isSilent ? phrase`the gateway does not answer` : phrase`the gateway closed the link (${String(code)})`;
      const liveness = new Liveness(
        this.#clock,
        () => socket.readyState === socket.OPEN && socket.ping(),
        () => {
          isSilent = true;
          socket.terminate();
        },
      );
      for (const event of ['message', 'ping', 'pong'] as const) socket.on(event, () => liveness.heard());
      socket.on('message', (data) => peer.receive(String(data)));
      const opened = new Promise<void>((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
        socket.once('close', (code) => reject(new WordedError(lossOf(code))));
      });
      socket.on('error', (error) => this.options.logger.debug(`link to the gateway: ${englishOf(error)}`));
      socket.once('close', (code) => {
        // Two that share a key must not push each other out again and again.
        if (code === CloseCode.Replaced) this.#key = undefined;
        liveness.dispose();
        peer.dispose(new WordedError(lossOf(code)));
      });
      await withTimeout(opened, OPEN_TIMEOUT_MS, phrase`opening the link to the gateway`);
      const { version } = (await peer.request(
        'initialize',
        {
          protocolVersion: OWNER_PROTOCOL_VERSION,
          name: this.options.name,
          ...(this.#key !== undefined && { key: this.#key }),
          earlier: this.#passedOn(url),
        },
        OPEN_TIMEOUT_MS,
      )) as OwnerResults['initialize'];
      if (this.#isDisposed()) return socket.close(1000);
      this.#failures = 0;
      this.#lostAt = undefined;
      this.#state = { kind: 'connected', peer, version, url };
      // Before the listeners are called, because they may add sessions.
      for (const session of this.#sessions.values()) this.#register(session);
      this.#didChangeState.fire(this.#state);
      if (socket.readyState === socket.OPEN) socket.once('close', (code) => this.#lost(lossOf(code)));
      else throw new WordedError(phrase`the gateway closed the link`);
    } catch (error) {
      this.#socket?.terminate();
      this.#lost(wordsOf(error));
    }
  }

  /** Undefined: this is no gateway that was just started again. Nobody else may have had its port for long. */
  #passedOn(url: string): TrustRecord | undefined {
    const isSoon = this.#lostAt !== undefined && this.#clock.now() - this.#lostAt <= Time.passOnMs;
    return isSoon && this.#trust?.url === url ? this.#trust.record : undefined;
  }

  #lost(error: Words): void {
    if (this.#isDisposed()) return;
    this.#lostAt ??= this.#clock.now();
    this.#setState({ kind: 'waiting', error });
    this.#retry = this.#clock.setTimer(
      () => {
        if (this.#isDisposed()) return;
        this.#setState({ kind: 'connecting' });
        void this.#connect();
      },
      backoffDelay(++this.#failures, BACKOFF, this.options.random),
    );
  }

  #register(session: OwnedSession, isFirst = true): void {
    const link = this.#state;
    const neededCalls = session.neededCalls?.();
    const stopped = session.emitters.unheardStops;
    const about = { ...(neededCalls && { neededCalls }), isTrusted: this.options.isTrusted?.() ?? true, stopped };
    this.request('session/register', { ...session.registration, ...about }).then(
      ({ revision, tools }) => {
        session.emitters.heard(stopped);
        this.#event.fire({ event: 'tools/changed', params: { sessionId: session.id, revision, tools } });
        for (const started of session.projectProviders) this.#startAgain(session, started);
        session.emitters.startPersistent((name, error) =>
          this.options.logger.warn(`starting the emitter ${name} again: ${englishOf(error)}`),
        );
      },
      (error: unknown) => {
        const isWanted = () => this.#state === link && this.#sessions.get(session.id) === session;
        if (!isWanted()) return;
        if (isFirst) this.options.logger.warn(`registering a session: ${englishOf(error)}`);
        this.#clock.setTimer(() => isWanted() && this.#register(session, false), REGISTER_AGAIN_MS);
      },
    );
  }

  #answer(method: string, params: unknown): unknown {
    const question = Object.hasOwn(ownerQuestions, method) ? (method as OwnerQuestion) : undefined;
    const asked = question && ownerQuestions[question].params.safeParse(params);
    const answers = asked?.data && this.#sessions.get(asked.data.sessionId)?.answers;
    const answer = answers && question && (answers[question] as ((params: unknown) => unknown) | undefined);
    if (!answer) throw new RpcError(RpcErrorCode.MethodNotFound, `this owner does not answer ${JSON.stringify(method.slice(0, 100))}`);
    return answer(asked.data);
  }

  #startAgain(session: OwnedSession, { folder, provider }: StartedProvider): void {
    this.request('providers/start', { sessionId: session.id, folder, providers: [provider] }).catch((error: unknown) => {
      const params = { sessionId: session.id, name: provider.name, state: 'failed', error: englishOf(error) } as const;
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

/** `over`: nobody waits for the answer any more, because the call has ended or the link is down. */
export type OnAsk = (question: UserQuestion, provider: string, over: AbortSignal) => Promise<UserAnswer>;

/** What the span of a call says. */
export interface CallSpan {
  /** Of the span that the call is below. */
  traceparent?: string | undefined;
  /** As the agent host knows the call. */
  hostCallId?: string;
}

/** A session that this owner has registered. */
export class OwnedSession {
  #registration: SessionRegistration;
  #calls = 0;
  readonly #started = new Map<string, StartedProvider>();
  readonly emitters: OwnedEmitters;

  constructor(
    private readonly client: OwnerClient,
    registration: SessionRegistration,
    private readonly forget: () => void,
    readonly neededCalls?: () => string[] | undefined,
    readonly answers: SessionAnswers = {},
  ) {
    this.#registration = registration;
    this.emitters = new OwnedEmitters(registration.sessionId, (method, params) => client.request(method, params));
  }

  get id(): string {
    return this.#registration.sessionId;
  }
  /** The current registration, which a new gateway is sent. */
  get registration(): SessionRegistration {
    return this.#registration;
  }

  /** The providers that a new gateway must start again. */
  get projectProviders(): Iterable<StartedProvider> {
    return this.#started.values();
  }

  /** While the link is down the change becomes part of the next registration. */
  async update(change: Partial<Omit<SessionRegistration, 'sessionId'>>): Promise<void> {
    this.#registration = { ...this.#registration, ...change };
    if (this.client.state.kind === 'connected') await this.client.request('session/update', { sessionId: this.id, ...change });
  }

  /**
   * Resolves when its providers are ready or the deadline has passed, and at once while the link is down. `keepCalls`: an owner with the same key
   * may register the session again soon, and resume the calls that are kept.
   */
  async end(deadlineMs: number = Time.shutdownMs, keepCalls = false): Promise<void> {
    this.forget();
    if (this.client.state.kind === 'connected') {
      await this.client.request(
        'session/end',
        { sessionId: this.id, deadlineMs, ...(keepCalls && { keepCalls }) },
        deadlineMs + REQUEST_TIMEOUT_MS,
      );
    }
  }

  /**
   * Rejects only when the link is or goes down; what a tool does wrong is an outcome. `onProgress`: what the provider says while it works. `of`:
   * that of another provider is not called. `onAsk`: asks the user for the tool; where it rejects, the answer is no. `keptAs`: an id by which the call can be resumed, and is made once only. `span`: for traces.
   */
  call(
    tool: string,
    args: unknown,
    signal?: AbortSignal,
    onProgress?: (message: string, provider: string) => void,
    of?: OfferedBy,
    keptAs?: string,
    onAsk?: OnAsk,
    { traceparent, hostCallId }: CallSpan = {},
  ): Promise<ToolOutcome> {
    const callId = keptAs ?? `${this.id}/${++this.#calls}`;
    const params = {
      sessionId: this.id,
      callId,
      tool,
      args,
      ...(of && { of: offeredBy(of) }),
      ...(keptAs !== undefined && { keep: true }),
      ...(onAsk && { asks: true }),
      ...(traceparent !== undefined && { traceparent }),
      ...(hostCallId !== undefined && { hostCallId: hostCallId.slice(0, TraceLimit.textLength) }),
    };
    return this.#follow(callId, () => this.client.request('tool/call', params, CALL_TIMEOUT_MS), signal, onProgress, onAsk);
  }

  /** The outcome of a call that was kept; undefined when the gateway does not have it. Rejects like {@link call}. */
  async resume(
    keptAs: string,
    signal?: AbortSignal,
    onProgress?: (message: string, provider: string) => void,
  ): Promise<ToolOutcome | undefined> {
    const ask = () => this.client.request('tool/resume', { sessionId: this.id, callId: keptAs }, CALL_TIMEOUT_MS);
    try {
      return await this.#follow(keptAs, ask, signal, onProgress);
    } catch (error) {
      if (error instanceof RpcError && UNKNOWN_CALL.has(error.code)) return undefined;
      throw error;
    }
  }

  #follow(
    callId: string,
    ask: () => Promise<ToolOutcome>,
    signal: AbortSignal | undefined,
    onProgress: ((message: string, provider: string) => void) | undefined,
    onAsk?: OnAsk,
  ): Promise<ToolOutcome> {
    // Only for a call that asks something: to end one makes an error with its stack.
    let over: AbortController | undefined;
    const listening = this.client.onEvent(({ event, params }) => {
      if (event === 'tool/progress' && params.sessionId === this.id && params.callId === callId)
        onProgress?.(params.message, params.provider);
      if (event === 'tool/asked' && params.sessionId === this.id && params.callId === callId && onAsk)
        void this.#ask(params, onAsk, (over ??= new AbortController()).signal);
    });
    const cancel = () => this.client.notify('tool/cancel', { sessionId: this.id, callId, reason: String(signal?.reason ?? 'cancelled') });
    const outcome = ask();
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    return outcome.finally(() => {
      listening.dispose();
      over?.abort();
      signal?.removeEventListener('abort', cancel);
    });
  }

  async #ask({ askId, question, provider }: OwnerEvents['tool/asked'], onAsk: OnAsk, over: AbortSignal): Promise<void> {
    const answer = await onAsk(question, provider, over).catch((): UserAnswer => ({ action: 'decline' }));
    this.client.notify('tool/answer', { askId, ...answer });
  }

  /** Its goals and claims so far, oldest first. */
  async goals(): Promise<Judgement[]> {
    return (await this.client.request('goals/list', { sessionId: this.id })).judgements;
  }

  /** `span`: for traces. */
  evaluateHooks(tool: string, args: unknown, span: CallSpan = {}): Promise<HookDecision> {
    return this.client.request('hooks/evaluate', { sessionId: this.id, tool, args, ...span });
  }

  /** `sections`: the current sections of the prompt, by name. */
  evaluateTransforms(sections: Record<string, string> = {}): Promise<PromptParts> {
    return this.client.request('transforms/evaluate', { sessionId: this.id, sections });
  }

  /** `byUser`: the user caused the event, so that paused providers may inject again. */
  event(event: string, data: Record<string, unknown>, byUser = false): void {
    this.client.notify('session/event', { sessionId: this.id, event, data, byUser });
  }

  /** Spans of the session that are over. The gateway sends them where its own go. Lost while the link is down. */
  tellSpans(spans: readonly ToldSpanInput[]): void {
    for (let at = 0; at < spans.length; at += TraceLimit.told)
      this.client.notify('trace/spans', { sessionId: this.id, spans: spans.slice(at, at + TraceLimit.told) });
  }

  /** A token for one provider that this session starts, to be passed in `TAP_PROVIDER_TOKEN`. */
  async issueToken(): Promise<string> {
    return (await this.client.request('token/issue', { sessionId: this.id })).token;
  }

  /** What a provider that is part of this owner needs to connect. It is good for this session, until it ends. */
  async internalAccess(): Promise<OwnerEndpoint> {
    const { state } = this.client;
    const { token } = await this.client.request('token/issue', { sessionId: this.id, internal: true });
    if (this.client.state !== state || state.kind !== 'connected') throw new Error('the gateway has changed');
    return { url: state.url, token };
  }

  /**
   * Has the gateway run these providers of `folder` until the session ends, also after a restart of the gateway. Starts all or none. Only
   * for providers that the user has agreed to. Rejects when the link is down, or with an {@link RpcError} that names the field.
   */
  async startProviders(folder: string, providers: readonly ProjectProviderConfig[]): Promise<void> {
    await this.client.request('providers/start', { sessionId: this.id, folder, providers });
    for (const provider of providers) this.#started.set(provider.name, { folder, provider });
  }

  /** Resolves when they have ended. Without `names` all are stopped. */
  async stopProviders(names: string[] = [...this.#started.keys()]): Promise<void> {
    for (const name of names) this.#started.delete(name);
    if (this.client.state.kind === 'connected') await this.client.request('providers/stop', { sessionId: this.id, names });
  }

  async streams(last = 50): Promise<StreamDump[]> {
    return (await this.client.request('stream/query', { sessionId: this.id, last })).streams;
  }
}

/** Not the whole offer. */
function offeredBy({ provider, trust, origin, spawned }: OfferedBy): OfferedBy {
  return { provider, trust, ...(origin !== undefined && { origin }), ...(spawned && { spawned }) };
}
