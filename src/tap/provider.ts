/**
 * The provider SDK: lends tools to agent sessions through the gateway. Runs in browsers too; `tapline/provider` for Node adds the discovery of
 * gateway and token. Connects, says hello, answers calls, and connects again when the gateway goes.
 */
import type { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import { toolErrorCodes, type ToolErrorCode } from './errorCodes.ts';
import type { GatewayMessage, SessionInfo, StreamEntry } from './gatewayMessages.ts';
import { PROTOCOL_VERSION } from './limits.ts';
import { parseGatewayFrame } from './parseGatewayFrame.ts';
import type { ProviderInput, providerMessages } from './providerMessages.ts';

type Input<T extends keyof typeof providerMessages> = z.input<(typeof providerMessages)[T]>;
type HelloInput = Input<'hello'>;
export type ToolInput = NonNullable<HelloInput['tools']>[number];
type Incoming<T extends GatewayMessage['type']> = Extract<GatewayMessage, { type: T }>;

const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;
const ANSWER_TIMEOUT_MS = 10_000;

/** Throw it in `onToolCall` to fail with a code; any other error is INTERNAL. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  constructor(
    readonly code: ToolErrorCode,
    message: string,
    /** Another instance may try. */
    readonly retryable = false,
  ) {
    super(message);
  }
}

export interface ToolCallRequest {
  tool: string;
  args: Record<string, unknown>;
  sessionId: string;
  /** Aborted when the call is cancelled or times out; what is returned after that is not sent. */
  signal: AbortSignal;
  /** Shown while the call runs. */
  progress(message: string): void;
}

/** The part of a WebSocket that is used: that of browsers, and of `ws`. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

export interface ProviderOptions extends Pick<
  HelloInput,
  'tools' | 'instance' | 'metadata' | 'context' | 'startup_context' | 'hooks' | 'subscribe' | 'concurrency'
> {
  /** Answers a call with a JSON value. */
  onToolCall?(call: ToolCallRequest): unknown;
  /** `all`, an id, or a choice; waits while it is undefined. Default: the first session. */
  session?: string | ((sessions: readonly SessionInfo[]) => string | undefined);
  /** Before `shutdown.ready` is sent for a session that ends; `deadlineMs` is what there is. */
  onShutdown?(sessionId: string, deadlineMs: number): unknown;
  onGate?(check: Incoming<'gate.check'>): Promise<GateDecision> | GateDecision;
  onTransform?(request: Incoming<'transform.request'>): Promise<string> | string;
  onSessionEvent?(event: Incoming<'session.event'>): void;
  /** Asks the user for the pairing code. Only where there is no token. */
  onPairing?(prompt: string): Promise<string | undefined> | string | undefined;
  /** Everything that the gateway refuses, and what goes wrong on the way. */
  onError?(error: Error): void;
  /** Asked anew for every connection. */
  connect(): Promise<{ socket: SocketLike; token?: string }> | { socket: SocketLike; token?: string };
}
export interface GateDecision {
  decision: 'allow' | 'deny' | 'context';
  reason?: string;
}
export type ProviderState =
  | { kind: 'connecting' | 'pairing' | 'waiting for a session' | 'disconnected' | 'closed' }
  | { kind: 'bound'; providerId: string; sessionId?: string; persistDir?: string };

/** What the gateway refused. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

export interface ProviderHandle {
  readonly state: ProviderState;
  readonly onDidChangeState: Event<ProviderState>;
  /** Dropped (and told by `onError`) while not bound. */
  push(event: Omit<Input<'push'>, 'type'>): void;
  /** Resolves when the gateway has put it in force, rejects with a {@link GatewayError}. `remove`, even empty, makes it a delta. */
  updateTools(tools: ToolInput[], remove?: string[]): Promise<void>;
  updateHooks(hooks: Omit<Input<'hooks.update'>, 'type' | 'requestId'>): Promise<void>;
  updateContext(context: string | null): Promise<void>;
  setFilter(rules: Input<'filter.set'>['rules'], stream?: string): Promise<void>;
  queryStreams(streams: string[], last?: number): Promise<Record<string, StreamEntry[]>>;
  /** Says goodbye and stays away. */
  close(): void;
}

export function connectProvider(name: string, options: ProviderOptions): ProviderHandle {
  return new ProviderClient(name, options);
}

interface Waiting {
  resolve(message: GatewayMessage): void;
  reject(error: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

class ProviderClient implements ProviderHandle {
  #state: ProviderState = { kind: 'connecting' };
  #socket: SocketLike | undefined;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #requests = 0;
  #pairedToken: string | undefined;
  #reconnectToken: string | undefined;
  #hello: Partial<HelloInput>;
  readonly #waiting = new Map<string, Waiting>();
  readonly #calls = new Map<string, AbortController>();
  readonly #didChangeState = new Emitter<ProviderState>();
  readonly onDidChangeState = this.#didChangeState.event;

  constructor(
    private readonly name: string,
    private readonly options: ProviderOptions,
  ) {
    const { tools, instance, metadata, context, startup_context, hooks, subscribe, concurrency } = options;
    this.#hello = { tools, instance, metadata, context, startup_context, hooks, subscribe, concurrency };
    void this.#connect();
  }

  get state(): ProviderState {
    return this.#state;
  }

  push(event: Omit<Input<'push'>, 'type'>): void {
    if (this.#state.kind === 'bound') this.#say({ type: 'push', ...event });
    else this.#report(new Error('a push was dropped: there is no session'));
  }
  async updateTools(tools: ToolInput[], remove?: string[]): Promise<void> {
    const kept =
      remove && (this.#hello.tools ?? []).filter(({ name }) => !remove.includes(name) && !tools.some((tool) => tool.name === name));
    await this.#update({ type: 'tools.update', tools, remove });
    this.#hello = { ...this.#hello, tools: [...(kept ?? []), ...tools] };
  }
  async updateHooks(hooks: Omit<Input<'hooks.update'>, 'type' | 'requestId'>): Promise<void> {
    await this.#update({ type: 'hooks.update', ...hooks });
  }
  async updateContext(context: string | null): Promise<void> {
    await this.#update({ type: 'context.update', context });
    this.#hello = { ...this.#hello, context: context ?? undefined };
  }
  async setFilter(rules: Input<'filter.set'>['rules'], stream?: string): Promise<void> {
    await this.#update({ type: 'filter.set', rules, stream });
  }
  async queryStreams(streams: string[], last?: number): Promise<Record<string, StreamEntry[]>> {
    const queryId = `q-${++this.#requests}`;
    return ((await this.#ask(queryId, { type: 'stream.query', queryId, streams, last })) as Incoming<'stream.history'>).streams;
  }

  close(): void {
    if (this.#state.kind === 'closed') return;
    if (this.#state.kind === 'bound') this.#say({ type: 'goodbye' });
    this.#setState({ kind: 'closed' });
    clearTimeout(this.#retry);
    this.#socket?.close(1000);
    this.#forget('the provider was closed');
  }

  async #connect(): Promise<void> {
    try {
      const { socket, token } = await this.options.connect();
      if (this.#isClosed()) return socket.close(1000);
      this.#socket = socket;
      socket.addEventListener('open', () => {
        const known = token ?? this.#pairedToken;
        this.#say(known === undefined ? { type: 'auth', mode: 'pair' } : { type: 'auth', token: known });
      });
      socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
      socket.addEventListener('error', () => undefined); // 'close' follows
      socket.addEventListener('close', () => socket === this.#socket && this.#lost());
    } catch (error) {
      this.#report(error);
      this.#lost();
    }
  }

  #lost(): void {
    if (this.#isClosed()) return;
    this.#socket = undefined;
    this.#forget('the connection to the gateway was lost');
    this.#setState({ kind: 'disconnected' });
    const backoff = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** this.#failures++);
    this.#retry = setTimeout(
      () => {
        this.#setState({ kind: 'connecting' });
        void this.#connect();
      },
      backoff * (0.5 + Math.random() / 2),
    );
  }

  #receive(frame: string): void {
    const parsed = parseGatewayFrame(frame);
    if (parsed.ok) this.#heard(parsed.message);
    else if (parsed.bad.code !== 'UNKNOWN_TYPE') this.#report(new Error(parsed.bad.problem)); // a newer gateway may say more
  }

  #heard(message: GatewayMessage): void {
    switch (message.type) {
      case 'auth.pairing':
        this.#setState({ kind: 'pairing' });
        return void this.#pair(message.prompt);
      case 'sessions':
      case 'sessions.updated':
        return this.#sessions(message);
      case 'hello.ack': {
        const { providerId, sessionId, persistDir, reconnectToken } = message;
        this.#failures = 0;
        this.#reconnectToken = reconnectToken;
        return this.#setState({ kind: 'bound', providerId, sessionId, persistDir });
      }
      case 'ack':
        return this.#settle(message.requestId, message);
      case 'stream.history':
        return this.#settle(message.queryId, message);
      case 'error':
        return this.#refused(message);
      case 'tool.call':
        return void this.#call(message);
      case 'tool.cancel':
        return this.#cancel(message);
      case 'gate.check':
        return void this.#gate(message);
      case 'transform.request':
        return void this.#transform(message);
      case 'session.event':
        return this.options.onSessionEvent?.(message);
      case 'session.lifecycle':
        if (message.state === 'shutdown.pending') void this.#shutdown(message);
    }
  }

  async #pair(prompt: string): Promise<void> {
    try {
      const code = await this.options.onPairing?.(prompt);
      if (code === undefined) this.close();
      else this.#say({ type: 'auth.confirm', code });
    } catch (error) {
      this.#report(error);
    }
  }

  #sessions(message: Incoming<'sessions' | 'sessions.updated'>): void {
    if (message.type === 'sessions') {
      this.#pairedToken = message.token ?? this.#pairedToken;
      this.#setState({ kind: 'waiting for a session' });
    }
    if (this.#state.kind === 'bound') {
      if (this.options.session === 'all') for (const { id } of message.active) this.#say({ type: 'session.ready', sessionId: id });
      return;
    }
    const { session } = this.options;
    const chosen = typeof session === 'function' ? session(message.active) : (session ?? message.active[0]?.id);
    if (chosen === undefined || (chosen === 'all' && !message.active.length)) return;
    this.#say({
      type: 'hello',
      name: this.name,
      protocolVersion: PROTOCOL_VERSION,
      session: chosen,
      ...this.#hello,
      reconnectToken: this.#reconnectToken,
    });
  }

  #refused({ code, message, requestId, replyTo }: Incoming<'error'>): void {
    const error = new GatewayError(code, message);
    const waiting = requestId === undefined ? undefined : this.#waiting.get(requestId);
    if (waiting && requestId !== undefined) {
      this.#end(requestId);
      return waiting.reject(error);
    }
    // A token from before the gateway's restart: pair anew.
    if (code === 'AUTH_FAILED') this.#pairedToken = undefined;
    if (replyTo === 'auth.confirm' && this.#state.kind === 'pairing') void this.#pair(message);
    this.#report(error);
  }

  async #call({ id, tool, args, sessionId }: Incoming<'tool.call'>): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(id, controller);
    const { signal } = controller;
    const isOpen = () => this.#calls.get(id) === controller;
    try {
      if (!this.options.onToolCall) throw new ToolError('NOT_FOUND', `nobody answers ${tool}`);
      const progress = (message: string) => isOpen() && this.#say({ type: 'tool.progress', id, message });
      const data = await this.options.onToolCall({ tool, args, sessionId, signal, progress: (message) => void progress(message) });
      if (isOpen()) this.#say({ type: 'tool.result', id, data: data ?? null });
    } catch (error) {
      const { code, retryable } = error instanceof ToolError ? error : { code: 'INTERNAL' as const, retryable: false };
      if (isOpen())
        this.#say({
          type: 'tool.result',
          id,
          error: messageOf(error),
          errorCode: toolErrorCodes.includes(code) ? code : 'INTERNAL',
          retryable,
        });
    } finally {
      if (isOpen()) this.#calls.delete(id);
    }
  }

  #cancel({ id, reason }: Incoming<'tool.cancel'>): void {
    const controller = this.#calls.get(id);
    this.#calls.delete(id);
    controller?.abort(new Error(reason));
    this.#say({ type: 'tool.result', id, error: 'Cancelled', errorCode: 'CANCELLED' });
  }

  async #gate(check: Incoming<'gate.check'>): Promise<void> {
    const { callId, gateId } = check;
    try {
      const { decision, reason } = (await this.options.onGate?.(check)) ?? { decision: 'deny', reason: 'nobody answers this gate' };
      this.#say({ type: 'gate.result', gateId, callId, decision, reason });
    } catch (error) {
      this.#report(error);
      this.#say({ type: 'gate.result', gateId, callId, decision: 'deny', reason: messageOf(error) });
    }
  }

  async #transform(request: Incoming<'transform.request'>): Promise<void> {
    const { callId, current } = request;
    try {
      this.#say({ type: 'transform.result', callId, content: (await this.options.onTransform?.(request)) ?? current });
    } catch (error) {
      this.#report(error);
      this.#say({ type: 'transform.result', callId, content: current });
    }
  }

  async #shutdown({ sessionId, deadline = 0 }: Incoming<'session.lifecycle'>): Promise<void> {
    try {
      await this.options.onShutdown?.(sessionId, deadline);
    } catch (error) {
      this.#report(error);
    }
    this.#say({ type: 'shutdown.ready', sessionId });
    // A provider of one session waits for the next list to choose from.
    if (this.#state.kind === 'bound' && this.#state.sessionId === sessionId && this.options.session !== 'all')
      this.#setState({ kind: 'waiting for a session' });
  }

  async #update(message: Input<'tools.update' | 'hooks.update' | 'context.update' | 'filter.set'>): Promise<void> {
    const requestId = `r-${++this.#requests}`;
    await this.#ask(requestId, { ...message, requestId });
  }

  #ask(id: string, message: ProviderInput): Promise<GatewayMessage> {
    if (this.#state.kind !== 'bound') return Promise.reject(new Error('there is no session'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#end(id);
        reject(new Error(`the gateway did not answer ${message.type} within ${ANSWER_TIMEOUT_MS / 1000} s`));
      }, ANSWER_TIMEOUT_MS);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#say(message);
    });
  }

  #settle(id: string, message: GatewayMessage): void {
    this.#end(id)?.resolve(message);
  }

  #end(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.timer);
    this.#waiting.delete(id);
    return waiting;
  }

  #forget(why: string): void {
    for (const controller of this.#calls.values()) controller.abort(new Error(why));
    this.#calls.clear();
    for (const id of [...this.#waiting.keys()]) this.#end(id)?.reject(new Error(why));
  }

  #say(message: ProviderInput): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #setState(state: ProviderState): void {
    this.#state = state;
    this.#didChangeState.fire(state);
  }

  #isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  #report(error: unknown): void {
    const reported = error instanceof Error ? error : new Error(messageOf(error));
    if (this.options.onError) this.options.onError(reported);
    else console.error(`${this.name}: ${reported.message}`);
  }
}
