/** What a program that uses the provider SDK gives and gets. */
import type { z } from 'zod';
import type { Event } from '../../base/event.ts';
import type { GatewayMessage, SessionInfo, StreamEntry } from '../wire/gatewayMessages.ts';
import type { FileReference, providerMessages } from '../wire/providerMessages.ts';

export type Input<T extends keyof typeof providerMessages> = z.input<(typeof providerMessages)[T]>;
export type HelloInput = Input<'hello'>;
export type ToolInput = NonNullable<HelloInput['tools']>[number];
export type HooksInput = Omit<Input<'hooks.update'>, 'type' | 'requestId' | 'sessionId'>;
export type FilterInput = Input<'filter.set'>['rules'];
export type Incoming<T extends GatewayMessage['type']> = Extract<GatewayMessage, { type: T }>;

/** Return it from `onToolCall` for what is larger than 5 MB: a file in the provider's `persistDir`. Not for browsers. */
export class FileResult {
  constructor(readonly file: FileReference) {}
}

export interface ToolCallRequest {
  tool: string;
  /** They fit the tool's parameters: the gateway has checked them. */
  args: Record<string, unknown>;
  sessionId: string;
  /** Aborted when the call is cancelled or times out; what is returned after that is not sent. */
  signal: AbortSignal;
  /** Shown while the call runs. */
  progress(message: string): void;
}

export interface GateDecision {
  decision: 'allow' | 'deny' | 'context';
  /** For `context`: what is added. */
  reason?: string;
}

/** The part of a WebSocket that is used: that of browsers, and of `ws`. */
export interface SocketLike {
  send(text: string): void;
  close(code?: number): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'close', listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: 'error', listener: (event: object) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

export interface ProviderOptions extends Pick<
  HelloInput,
  'tools' | 'instance' | 'metadata' | 'context' | 'startup_context' | 'hooks' | 'subscribe' | 'concurrency'
> {
  /** Answers a call with a JSON value or a {@link FileResult}; nothing counts as null. */
  onToolCall?(call: ToolCallRequest): unknown;
  /**
   * `all`, an id, or a choice among those that there are; waits while it is undefined. Default: the session that it was bound to last,
   * else the first.
   */
  session?: string | ((sessions: readonly SessionInfo[]) => string | undefined);
  /** For `all`: a session that has come later. Its tools are offered there when this has settled. */
  onNewSession?(session: SessionInfo): unknown;
  /** Before `shutdown.ready` is sent for a session that ends; `deadlineMs` is what there is. */
  onShutdown?(sessionId: string, deadlineMs: number): unknown;
  /** `started` and `idle`. */
  onLifecycle?(sessionId: string, state: string): void;
  /** Answers the gates of `hooks`. Without it, or when it throws: deny. */
  onGate?(check: Incoming<'gate.check'>): Promise<GateDecision> | GateDecision;
  /** Answers the callbacks of `hooks`. Without it, or when it throws: unchanged. */
  onTransform?(request: Incoming<'transform.request'>): Promise<string> | string;
  /** What `subscribe` asks for. */
  onSessionEvent?(event: Incoming<'session.event'>): void;
  /**
   * Asks the user for the pairing code, where there is no token; asked again while the gateway takes another try. Undefined, or a pairing
   * that fails: the provider is closed, so that nobody is asked without end.
   */
  onPairing?(prompt: string): Promise<string | undefined> | string | undefined;
  /** A token from pairing, to show at the next connection; undefined: the one before is no longer good. */
  onToken?(token: string | undefined): void;
  /** Everything that the gateway refuses, and what goes wrong on the way; the same trouble once in a row. Default: the console. */
  onError?(error: Error): void;
  /** Asked anew for every connection. `refused`: the token that the gateway has taken for wrong last. */
  connect(refused?: string): Promise<GatewayEndpoint> | GatewayEndpoint;
}

/** A socket that is opening, and what to say on it. Without a token: pairing. */
export interface GatewayEndpoint {
  socket: SocketLike;
  token?: string;
}

export type ProviderState =
  | { kind: 'connecting' | 'pairing' | 'waiting for a session' | 'disconnected' | 'closed' }
  | { kind: 'bound'; providerId: string; sessionId?: string; persistDir?: string };

export interface ProviderHandle {
  readonly state: ProviderState;
  readonly onDidChangeState: Event<ProviderState>;
  /** Dropped (and told by `onError`) while not bound. */
  push(event: Omit<Input<'push'>, 'type'>): void;
  /**
   * This and the other updates resolve when the gateway has put them in force, and are kept for every later connection; while there is no
   * session that is all they do. They reject with a {@link GatewayError}, or when the connection is lost before an answer; then they are
   * not kept. `remove`, even empty, makes it a delta.
   */
  updateTools(tools: ToolInput[], remove?: string[]): Promise<void>;
  /** `onPreToolUse` replaces the rules; of `transforms`, those named are set, or removed by null. */
  updateHooks(hooks: HooksInput): Promise<void>;
  updateContext(context: string | null): Promise<void>;
  /** No rules: no filter. `stream`: default the provider's name. */
  setFilter(rules: FilterInput, stream?: string): Promise<void>;
  /** By `stream@provider`. A provider for all sessions must say which. */
  queryStreams(streams: string[], options?: { last?: number; sessionId?: string }): Promise<Record<string, StreamEntry[]>>;
  /** Says goodbye and stays away. */
  close(): void;
}
