/**
 * The provider SDK: lends tools to agent sessions through the gateway. Runs in browsers too; `tapline/provider` for Node adds the discovery of
 * gateway and token. Connects, says hello, answers calls, and connects again when the gateway goes.
 */
import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { GatewayLink } from './gatewayLink.ts';
import type { GatewayMessage, SessionInfo, StreamEntry } from '../wire/gatewayMessages.ts';
import { Limit, PROTOCOL_VERSION } from '../wire/limits.ts';
import type { FilterInput, HooksInput, Incoming, Input, ProviderHandle, ProviderOptions, ProviderState, ToolInput } from './providerApi.ts';
import { GatewayError } from './providerErrors.ts';
import { type Registration, registrationOf, withContext, withFilter, withHooks, withTools } from './providerRegistration.ts';

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;
/** What the interface asks for after RATE_LIMITED. */
const AGAIN_MS = 1_000;
const MAX_UPDATE_TRIES = 4;
/** Refusals of a hello that may pass by themselves. Any other waits for other sessions, or for another registration. */
const passing = new Set(['RATE_LIMITED', 'TOOL_CONFLICT', 'DUPLICATE_INSTANCE']);

export function connectProvider(name: string, options: ProviderOptions): ProviderHandle {
  return new ProviderClient(name, options);
}

class ProviderClient implements ProviderHandle {
  #state: ProviderState = { kind: 'connecting' };
  readonly #didChangeState = new Emitter<ProviderState>();
  readonly onDidChangeState = this.#didChangeState.event;
  #link: GatewayLink | undefined;
  /** The next attempt to connect, or to say hello. */
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Since when this connection has been of use. */
  #boundAt = Infinity;
  #refusals = 0;
  #lastTrouble = '';

  #refusedToken: string | undefined;
  #pairedToken: string | undefined;
  #reconnectToken: string | undefined;
  /** `isAnswered`: a code is on its way. */
  #pairing: { isAnswered: boolean } | undefined;
  /** Codes that the user has typed since it was paired last: after a wrong one the gateway asks again on another connection. */
  #codesTyped = 0;

  #sessions: readonly SessionInfo[] = [];
  #lastSession: string | undefined;
  /** Of a provider for all: where its tools are, or will be when they are ready. */
  readonly #ready = new Set<string>();

  #registration: Registration;
  /** The hello that is not answered yet. */
  #asked: { registration: Registration; session: string } | undefined;
  /** Updates go one after the other: the gateway refuses one that overtakes. */
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
      this.#link?.say({ type: 'push', ...event });
    } catch (error) {
      this.#report(error);
    }
  }
  updateTools(tools: ToolInput[], remove?: string[]): Promise<void> {
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
      const { socket, token = this.#pairedToken } = await this.options.connect(this.#refusedToken);
      if (this.#isClosed()) return socket.close(1000);
      const link: GatewayLink = new GatewayLink({ socket, token }, this.options, {
        heard: (message) => this.#heard(message, link),
        lost: () => this.#lost(),
        trouble: (error) => this.#report(error),
      });
      this.#link = link;
    } catch (error) {
      this.#report(error);
      this.#lost();
    }
  }

  #lost(): void {
    this.#link = undefined;
    this.#asked = undefined;
    this.#pairing = undefined;
    this.#sessions = [];
    if (this.#isClosed()) return;
    this.#setState({ kind: 'disconnected' });
    // One that was cut off at once for what it does would do it again.
    if (performance.now() - this.#boundAt >= MAX_BACKOFF_MS) this.#failures = 0;
    this.#boundAt = Infinity;
    const backoff = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** this.#failures++);
    this.#later(backoff * (0.5 + Math.random() / 2), () => {
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
      case 'error':
        return this.#refused(message, link);
      case 'tool.call':
        return void link.answers.call(message);
      case 'tool.cancel':
        return link.answers.cancel(message);
      case 'gate.check':
        return void link.answers.gate(message);
      case 'transform.request':
        return void link.answers.transform(message);
      case 'session.event':
        return this.options.onSessionEvent?.(message);
      case 'session.lifecycle':
        if (message.state === 'shutdown.pending') void this.#shutdown(message, link);
        else this.options.onLifecycle?.(message.sessionId, message.state);
    }
  }

  async #pair(prompt: string, link: GatewayLink): Promise<void> {
    this.#pairing = { isAnswered: false };
    if (!this.options.onPairing) this.#report(new Error('the gateway asks for a pairing code, and there is no onPairing to ask the user'));
    const code = await this.#own(() => this.options.onPairing?.(prompt));
    if (this.#link !== link) return; // it has taken too long
    if (code === undefined) return this.close();
    this.#pairing = { isAnswered: true };
    this.#codesTyped++;
    link.say({ type: 'auth.confirm', code });
  }

  #sessionsChanged(message: Incoming<'sessions' | 'sessions.updated'>, link: GatewayLink): void {
    this.#sessions = message.active;
    if (message.type === 'sessions') {
      link.came();
      if (message.token !== undefined) {
        this.#pairedToken = message.token;
        void this.#own(() => this.options.onToken?.(message.token));
      }
      this.#pairing = undefined;
      this.#codesTyped = 0;
      if (!this.#asked) this.#setState({ kind: 'waiting for a session' });
    }
    if (this.#state.kind !== 'bound') return this.#hello();
    if (this.options.session !== 'all') return;
    for (const id of this.#ready) if (!message.active.some((session) => session.id === id)) this.#ready.delete(id);
    for (const session of message.active) if (!this.#ready.has(session.id)) void this.#newSession(session, link);
  }

  async #newSession(session: SessionInfo, link: GatewayLink): Promise<void> {
    this.#ready.add(session.id);
    await this.#own(() => this.options.onNewSession?.(session));
    if (this.#link === link && this.#ready.has(session.id)) link.say({ type: 'session.ready', sessionId: session.id });
  }

  /** While there is a session to say it for, and no other hello is under way. */
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
    if (session === 'all') return ids.length ? 'all' : undefined;
    const wanted = session ?? this.#lastSession;
    return ids.find((id) => id === wanted) ?? (session === undefined ? ids[0] : undefined);
  }

  #bound({ providerId, sessionId, persistDir, reconnectToken }: Incoming<'hello.ack'>, link: GatewayLink): void {
    link.came();
    const isCurrent = this.#asked?.registration === this.#registration;
    this.#asked = undefined;
    this.#boundAt = Math.min(this.#boundAt, performance.now());
    this.#refusals = 0;
    this.#lastTrouble = '';
    this.#reconnectToken = reconnectToken;
    this.#lastSession = sessionId ?? this.#lastSession;
    this.#setState({ kind: 'bound', providerId, sessionId, persistDir });
    if (!isCurrent) return this.#hello(); // changed while it was under way
    for (const [stream, rules] of this.#registration.filters)
      link.ask((requestId) => ({ type: 'filter.set', requestId, stream, rules })).catch((error: unknown) => this.#report(error));
  }

  #refused({ code, message, replyTo }: Incoming<'error'>, link: GatewayLink): void {
    const error = new GatewayError(code, message);
    const pairing = this.#pairing;
    if (pairing) {
      this.#report(error);
      if (!pairing.isAnswered || this.#codesTyped >= Limit.pairingTries) this.close();
      return;
    }
    this.#report(error);
    if (code === 'UNSUPPORTED_VERSION') return this.close();
    if (code === 'AUTH_FAILED' && link.endpoint.token !== undefined) {
      this.#refusedToken = link.endpoint.token;
      // From before the gateway's restart, or of a session that has ended: pair anew.
      void this.#own(() => this.options.onToken?.(undefined));
      this.#pairedToken = undefined;
    }
    const asked = this.#asked;
    if (!asked || (replyTo ?? 'hello') !== 'hello') return;
    link.came();
    this.#asked = undefined;
    this.#setState({ kind: 'waiting for a session' });
    if (code === 'INVALID_SESSION' && this.#choose() !== asked.session) return this.#hello(); // the list has changed meanwhile
    if (passing.has(code)) this.#later(Math.min(MAX_BACKOFF_MS, AGAIN_MS * 2 ** this.#refusals++), () => this.#hello());
  }

  async #shutdown({ sessionId, deadline = 0 }: Incoming<'session.lifecycle'>, link: GatewayLink): Promise<void> {
    this.#sessions = this.#sessions.filter(({ id }) => id !== sessionId);
    this.#ready.delete(sessionId);
    await this.#own(() => this.options.onShutdown?.(sessionId, deadline));
    if (this.#link !== link) return;
    link.say({ type: 'shutdown.ready', sessionId });
    if (this.#state.kind !== 'bound' || this.#state.sessionId !== sessionId || this.options.session === 'all') return;
    this.#setState({ kind: 'waiting for a session' });
    this.#hello();
  }

  #update(
    message: Input<'tools.update' | 'hooks.update' | 'context.update' | 'filter.set'>,
    change: (was: Registration) => Registration,
  ): Promise<void> {
    const update = this.#updates.then(async () => {
      if (this.#state.kind === 'bound') await this.#askPatiently(message);
      else if (this.#isClosed()) throw new Error('the provider is closed');
      this.#registration = change(this.#registration);
      if (this.#state.kind === 'waiting for a session') this.#hello(); // perhaps this is what it was refused for
    });
    this.#updates = update.catch(() => undefined); // told to whoever asked for it
    return update;
  }

  async #askPatiently(message: Input<'tools.update' | 'hooks.update' | 'context.update' | 'filter.set'>): Promise<void> {
    for (let tries = 1; ; tries++) {
      if (!this.#link) throw new Error('the connection to the gateway has ended');
      try {
        return void (await this.#link.ask((requestId) => ({ ...message, requestId })));
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== 'RATE_LIMITED' || tries === MAX_UPDATE_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }

  /** Code of the program that uses us: what it throws is told, and goes no further. */
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
    const isNews = state.kind === 'bound' || state.kind !== this.#state.kind;
    this.#state = state;
    if (isNews) this.#didChangeState.fire(state);
  }

  #isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  #report(error: unknown): void {
    const reported = error instanceof Error ? error : new Error(messageOf(error));
    if (this.#isClosed() || reported.message === this.#lastTrouble) return;
    this.#lastTrouble = reported.message;
    if (this.options.onError) this.options.onError(reported);
    else console.error(`${this.name}: ${reported.message}`);
  }
}
