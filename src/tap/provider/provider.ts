/**
 * The provider SDK: offers tools to agent sessions through the gateway. It runs in browsers too; `tapline/provider` for Node adds the
 * discovery of gateway and token. It connects, says hello, answers calls, and connects again when the connection is lost.
 */
import { backoffDelay } from '../../base/connection/backoff.ts';
import { englishOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { GatewayLink } from './gatewayLink.ts';
import type {
  FilterInput,
  HooksInput,
  Incoming,
  Input,
  ProviderHandle,
  ProviderOptions,
  ProviderState,
  ProviderTool,
  ToolCallRequest,
} from './providerApi.ts';
import { ConsentError, GatewayError, ToolError } from './providerErrors.ts';
import { type Registration, registrationOf, withContext, withFilter, withHooks, withTools } from './providerRegistration.ts';
import { CloseCode } from '../wire/closeCodes.ts';
import { ErrorCode, ToolErrorCode } from '../wire/errorCodes.ts';
import type { Consent, GatewayMessage, SessionInfo, StreamEntry } from '../wire/gatewayMessages.ts';
import { Limit, PROTOCOL_VERSION } from '../wire/limits.ts';

const BACKOFF = { firstMs: 500, longestMs: 10_000 };
/** A gateway that was killed is started again by those who own its sessions, on a busy machine within several seconds. */
const SOON = { tries: 40, longestMs: 500 };
/** What the interface asks for after RATE_LIMITED. */
const AGAIN_MS = 1_000;
const MAX_UPDATE_TRIES = 4;
/** Refusals of a hello that may pass. After any other the provider waits for a change of the sessions or of its registration. */
const passing: ReadonlySet<string> = new Set([ErrorCode.RateLimited, ErrorCode.ToolConflict, ErrorCode.DuplicateInstance]);

export function connectProvider(name: string, options: ProviderOptions): ProviderHandle {
  return new ProviderClient(name, options);
}

class ProviderClient implements ProviderHandle {
  #state: ProviderState = { kind: 'connecting' };
  readonly #didChangeState = new Emitter<ProviderState>();
  readonly onDidChangeState = this.#didChangeState.event;
  #link: GatewayLink | undefined;
  /** Timer of the next attempt to connect or to say hello. */
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Tries that do not wait long. */
  #soon = 0;
  /** When this connection was first bound. */
  #boundAt = Infinity;
  #refusals = 0;
  #lastTrouble = '';

  #refusedToken: string | undefined;
  #pairedToken: string | undefined;
  #reconnectToken: string | undefined;
  /** `isAnswered`: the code was sent. */
  #pairing: { isAnswered: boolean } | undefined;
  /** Codes typed since the last pairing. After a wrong one the gateway asks again on another connection. */
  #codesTyped = 0;

  #sessions: readonly SessionInfo[] = [];
  #lastSession: string | undefined;
  /** A token, mostly of a pairing, that is for one session at a time. */
  #tokenForOne: string | undefined;
  /** This connection has such a token. */
  #namesOne = false;
  /** Its token is for the session that has started it. */
  #joinsNoOther = false;
  /** For `all`: the sessions in which the tools are offered, or will be when they are ready. */
  readonly #ready = new Set<string>();

  #registration: Registration;
  /** The registration that an update asks for, while it is not answered: calls may come before the answer was read. */
  #wanted: Registration | undefined;
  /** The hello that is not answered yet. */
  #asked: { registration: Registration; session: string } | undefined;
  /** Updates are sent one after the other, because the gateway refuses one that overtakes. */
  #updates: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly options: ProviderOptions,
  ) {
    this.#registration = registrationOf(options);
    void this.#connect();
  }

  get state(): ProviderState {
    return this.#state;
  }

  push(event: Omit<Input<'push'>, 'type'>): void {
    try {
      if (this.#state.kind !== 'bound') throw new Error('a push was dropped: there is no session');
      // A program need not know how many sessions there are. What begins turns goes only where it says.
      const { sessionId, level, prompt } = event;
      const isForEach = sessionId === undefined && level !== 'inject' && prompt === undefined && this.#isForAll();
      this.#link?.say({ type: 'push', ...(isForEach && { broadcast: true }), ...event });
    } catch (error) {
      this.#report(error);
    }
  }
  updateTools(tools: ProviderTool[], remove?: string[]): Promise<void> {
    return this.#update({ type: 'tools.update', tools, remove }, (registration) => withTools(registration, tools, remove));
  }
  updateHooks({ onPreToolUse, transforms }: HooksInput): Promise<void> {
    const hooks = { onPreToolUse, transforms };
    return this.#update({ type: 'hooks.update', ...hooks }, (registration) => withHooks(registration, hooks));
  }
  updateContext(context: string | null): Promise<void> {
    return this.#update({ type: 'context.update', context }, (registration) => withContext(registration, context));
  }
  setFilter(rules: FilterInput, stream?: string): Promise<void> {
    return this.#update({ type: 'filter.set', rules, stream }, (registration) => withFilter(registration, stream, rules));
  }
  async queryStreams(
    streams: string[],
    { last, sessionId }: { last?: number; sessionId?: string } = {},
  ): Promise<Record<string, StreamEntry[]>> {
    if (!this.#link || this.#state.kind !== 'bound') throw new Error('there is no session');
    const history = await this.#link.ask((queryId) => ({ type: 'stream.query', queryId, streams, last, sessionId }));
    return (history as Incoming<'stream.history'>).streams;
  }

  close(): void {
    if (this.#isClosed()) return;
    if (this.#state.kind === 'bound') this.#link?.say({ type: 'goodbye' });
    clearTimeout(this.#retry);
    this.#setState({ kind: 'closed' });
    this.#link?.close();
  }

  async #connect(): Promise<void> {
    try {
      const endpoint = await this.options.connect(this.#refusedToken);
      if (!endpoint) return this.close();
      const { socket, token = this.#pairedToken } = endpoint;
      if (this.#isClosed()) {
        // A socket that is closed before it is open has an error, which in Node ends the process when nobody listens for it.
        socket.addEventListener('error', () => undefined);
        return socket.close(1000);
      }
      const link: GatewayLink = new GatewayLink(
        { socket, token },
        { ...this.options, onToolCall: (call) => this.#call(call) },
        {
          heard: (message) => this.#heard(message, link),
          lost: (code) => this.#lost(code),
          trouble: (error) => this.#report(error),
        },
      );
      this.#link = link;
      this.#namesOne = token !== undefined && token === this.#tokenForOne;
    } catch (error) {
      this.#report(error);
      this.#lost();
    }
  }

  #lost(code?: number): void {
    this.#link = undefined;
    this.#asked = undefined;
    this.#pairing = undefined;
    this.#sessions = [];
    if (this.#isClosed()) return;
    if (this.#state.kind === 'bound' && code === CloseCode.Abnormal) this.#soon = SOON.tries;
    this.#setState({ kind: 'disconnected' });
    // One that was cut off at once for what it does would do it again.
    if (performance.now() - this.#boundAt >= BACKOFF.longestMs) this.#failures = 0;
    this.#boundAt = Infinity;
    const backoff = this.#soon-- > 0 ? { ...BACKOFF, longestMs: SOON.longestMs } : BACKOFF;
    this.#later(backoffDelay(++this.#failures, backoff), () => {
      this.#setState({ kind: 'connecting' });
      void this.#connect();
    });
  }

  #heard(message: GatewayMessage, link: GatewayLink): void {
    switch (message.type) {
      case 'auth.pairing':
        link.came();
        this.#setState({ kind: 'pairing' });
        return void this.#pair(message.prompt, link);
      case 'sessions':
      case 'sessions.updated':
        return this.#sessionsChanged(message, link);
      case 'hello.ack':
        return this.#bound(message, link);
      case 'consent.updated':
        return this.#consentChanged(message);
      case 'error':
        return this.#refused(message, link);
      case 'tool.call':
        return void link.answers.call(message);
      case 'tool.answer':
        return link.answers.asked(message);
      case 'tool.cancel':
        return link.answers.cancel(message);
      case 'gate.check':
        return void link.answers.gate(message);
      case 'transform.request':
        return void link.answers.transform(message);
      case 'session.event':
        return void this.#own(() => this.options.onSessionEvent?.(message));
      case 'session.lifecycle':
        if (message.state === 'shutdown.pending') void this.#shutdown(message, link);
        else void this.#own(() => this.options.onLifecycle?.(message.sessionId, message.state));
    }
  }

  /** By the tool itself, else by `onToolCall`. */
  #call(call: ToolCallRequest): unknown {
    const find = (registration = this.#registration) => registration.hello.tools?.find(({ name }) => name === call.tool);
    const tool = find(this.#wanted) ?? find();
    if (tool?.run) return tool.run(call.args, call);
    if (this.options.onToolCall) return this.options.onToolCall(call);
    throw new ToolError(ToolErrorCode.NotFound, `${call.tool} has no run, and the provider has no onToolCall`);
  }

  async #pair(prompt: string, link: GatewayLink): Promise<void> {
    this.#pairing = { isAnswered: false };
    if (!this.options.onPairing) this.#report(new Error('the gateway asks for a pairing code, and there is no onPairing to ask the user'));
    const code = await this.#own(() => this.options.onPairing?.(prompt));
    if (this.#link !== link) return; // the connection has ended meanwhile
    if (code === undefined) return this.close();
    this.#pairing = { isAnswered: true };
    this.#codesTyped++;
    link.say({ type: 'auth.confirm', code });
    link.expect('the answer of the gateway to the pairing code');
  }

  #sessionsChanged(message: Incoming<'sessions' | 'sessions.updated'>, link: GatewayLink): void {
    this.#setSessions(message.active);
    if (message.type === 'sessions') {
      link.came();
      if (message.token !== undefined) {
        this.#pairedToken = this.#tokenForOne = message.token;
        this.#namesOne = true;
        void this.#own(() => this.options.onToken?.(message.token));
      }
      this.#pairing = undefined;
      this.#codesTyped = 0;
      if (!this.#asked) this.#setState({ kind: 'waiting for a session' });
    }
    if (this.#state.kind !== 'bound') return this.#hello();
    if (!this.#isForAll() || this.#joinsNoOther) return;
    for (const id of this.#ready) if (!message.active.some((session) => session.id === id)) this.#ready.delete(id);
    for (const session of message.active) if (!this.#ready.has(session.id)) void this.#newSession(session, link);
  }

  #setSessions(sessions: readonly SessionInfo[]): void {
    this.#sessions = sessions;
    void this.#own(() => this.options.onSessions?.(sessions));
  }

  async #newSession(session: SessionInfo, link: GatewayLink): Promise<void> {
    this.#ready.add(session.id);
    await this.#own(() => this.options.onNewSession?.(session));
    if (this.#link === link && this.#ready.has(session.id)) link.say({ type: 'session.ready', sessionId: session.id });
  }

  /** Says hello if there is a session for it and no other hello is under way. */
  #hello(): void {
    const link = this.#link;
    if (!link || this.#asked) return;
    try {
      const session = this.#choose();
      if (session === undefined) return;
      const registration = this.#registration;
      const { hello } = registration;
      const reconnectToken = this.#reconnectToken;
      link.say({ type: 'hello', name: this.name, protocolVersion: PROTOCOL_VERSION, session, ...hello, reconnectToken });
      this.#asked = { registration, session };
    } catch (error) {
      return this.#report(error);
    }
    clearTimeout(this.#retry);
    link.expect('the answer of the gateway to `hello`');
    this.#ready.clear();
    for (const { id } of this.#sessions) this.#ready.add(id);
  }

  #choose(): string | undefined {
    const { session } = this.options;
    const ids = this.#sessions.map(({ id }) => id);
    if (typeof session === 'function') return session(this.#sessions);
    if (this.#isForAll()) return ids.length ? 'all' : undefined;
    const wanted = session ?? this.#lastSession;
    return ids.find((id) => id === wanted) ?? (session === undefined ? ids[0] : undefined);
  }

  /** By its own wish, else where its token allows it. */
  #isForAll(): boolean {
    const { session } = this.options;
    return session === 'all' || (session === undefined && !this.#namesOne);
  }

  #bound({ providerId, sessionId, persistDir, reconnectToken, isForAll = true, consent }: Incoming<'hello.ack'>, link: GatewayLink): void {
    link.came();
    this.#joinsNoOther = !isForAll;
    const isCurrent = this.#asked?.registration === this.#registration;
    this.#asked = undefined;
    this.#boundAt = Math.min(this.#boundAt, performance.now());
    this.#refusals = 0;
    this.#lastTrouble = '';
    this.#reconnectToken = reconnectToken;
    this.#lastSession = sessionId ?? this.#lastSession;
    this.#setState({ kind: 'bound', providerId, sessionId, persistDir, consent });
    if (consent) this.#reportConsent(consent);
    if (!isCurrent) return this.#hello(); // the registration has changed meanwhile
    for (const [stream, rules] of this.#registration.filters)
      link.ask((requestId) => ({ type: 'filter.set', requestId, stream, rules })).catch((error: unknown) => this.#report(error));
  }

  #consentChanged({ decision, wants }: Consent): void {
    if (this.#state.kind !== 'bound') return;
    this.#setState({ ...this.#state, consent: { decision, wants } });
    this.#reportConsent({ decision, wants });
  }

  #reportConsent({ decision, wants }: Consent): void {
    if (decision !== 'allowed' && wants.length) this.#report(new ConsentError(decision, wants));
  }

  #refused({ code, message, replyTo }: Incoming<'error'>, link: GatewayLink): void {
    const asked = this.#asked;
    if (code === ErrorCode.InvalidSession && this.options.session === undefined && asked && (replyTo ?? 'hello') === 'hello') {
      // A refusal of `all` is how a provider learns what its token is for. When one session is refused too, it was not that.
      this.#namesOne = asked.session === 'all';
      this.#tokenForOne = this.#namesOne ? link.endpoint.token : undefined;
      if (this.#namesOne) {
        this.#asked = undefined;
        return this.#hello();
      }
    }
    const error = new GatewayError(code, message);
    const pairing = this.#pairing;
    if (pairing) {
      this.#report(error);
      if (!pairing.isAnswered || this.#codesTyped >= Limit.pairingTries) this.close();
      return;
    }
    this.#report(error);
    if (code === ErrorCode.UnsupportedVersion) return this.close();
    if (code === ErrorCode.AuthFailed && link.endpoint.token !== undefined) {
      this.#refusedToken = link.endpoint.token;
      // The token is from before a restart of the gateway, or its session has ended. Pair again.
      void this.#own(() => this.options.onToken?.(undefined));
      this.#pairedToken = undefined;
    }
    if (!asked || (replyTo ?? 'hello') !== 'hello') return;
    link.came();
    this.#asked = undefined;
    this.#setState({ kind: 'waiting for a session' });
    if (code === ErrorCode.InvalidSession && this.#choose() !== asked.session) return this.#hello(); // the list has changed meanwhile
    if (passing.has(code)) this.#later(backoffDelay(++this.#refusals, { ...BACKOFF, firstMs: AGAIN_MS }), () => this.#hello());
  }

  async #shutdown({ sessionId, deadline = 0 }: Incoming<'session.lifecycle'>, link: GatewayLink): Promise<void> {
    this.#setSessions(this.#sessions.filter(({ id }) => id !== sessionId));
    this.#ready.delete(sessionId);
    await this.#own(() => this.options.onShutdown?.(sessionId, deadline));
    if (this.#link !== link) return;
    link.say({ type: 'shutdown.ready', sessionId });
    if (this.#state.kind !== 'bound' || this.#state.sessionId !== sessionId || this.#isForAll()) return;
    this.#setState({ kind: 'waiting for a session' });
    this.#hello();
  }

  #update(
    message: Input<'tools.update' | 'hooks.update' | 'context.update' | 'filter.set'>,
    change: (was: Registration) => Registration,
  ): Promise<void> {
    const update = this.#updates.then(async () => {
      if (this.#isClosed()) throw new Error('the provider is closed');
      const wanted = change(this.#registration);
      if (this.#state.kind === 'bound') {
        this.#wanted = wanted;
        await this.#askPatiently(message).finally(() => (this.#wanted = undefined));
      }
      this.#registration = wanted;
      if (this.#state.kind === 'waiting for a session') this.#hello(); // the hello may have been refused for what has changed now
    });
    this.#updates = update.catch(() => undefined); // the caller gets the error
    return update;
  }

  async #askPatiently(message: Input<'tools.update' | 'hooks.update' | 'context.update' | 'filter.set'>): Promise<void> {
    for (let tries = 1; ; tries++) {
      if (!this.#link) throw new Error('the connection to the gateway has ended');
      try {
        return void (await this.#link.ask((requestId) => ({ ...message, requestId })));
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== ErrorCode.RateLimited || tries === MAX_UPDATE_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  /** Runs code of the program. An error in it is reported and goes no further. */
  async #own<T>(run: () => T): Promise<Awaited<T> | undefined> {
    try {
      return await run();
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #later(delayMs: number, run: () => void): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(run, delayMs);
  }

  #setState(state: ProviderState): void {
    const isChanged = state.kind === 'bound' || state.kind !== this.#state.kind;
    this.#state = state;
    if (isChanged) this.#didChangeState.fire(state);
  }

  #isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  #report(error: unknown): void {
    const reported = error instanceof Error ? error : new Error(englishOf(error));
    if (this.#isClosed() || reported.message === this.#lastTrouble) return;
    this.#lastTrouble = reported.message;
    const print = (more = '') => console.error(`${this.name}: ${reported.message}${more}`);
    const { onError = () => print() } = this.options;
    // Called at once; what it throws, also later, ends nothing.
    (async () => onError(reported))().catch((wrong: unknown) => print(` (onError has failed: ${englishOf(wrong)})`));
  }
}
