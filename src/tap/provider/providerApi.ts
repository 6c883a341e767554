/** The types of the provider SDK. */
import type { z } from 'zod';
import type { Event } from '../../base/event.ts';
import type { Consent, GatewayMessage, SessionInfo, StreamEntry } from '../wire/gatewayMessages.ts';
import type { UserAnswer, UserQuestion } from '../wire/userQuestion.ts';
import type { FileReference, providerMessages } from '../wire/providerMessages.ts';

export type Input<T extends keyof typeof providerMessages> = z.input<(typeof providerMessages)[T]>;
export type HelloInput = Input<'hello'>;
export type ToolInput = NonNullable<HelloInput['tools']>[number];
export type HooksInput = Omit<Input<'hooks.update'>, 'type' | 'requestId' | 'sessionId'>;
export type FilterInput = Input<'filter.set'>['rules'];
export type Incoming<T extends GatewayMessage['type']> = Extract<GatewayMessage, { type: T }>;

/** Return it for a result that is larger than 5 MB: a file in the provider's `persistDir`. Not for browsers. */
export class FileResult {
  constructor(readonly file: FileReference) {}
}

export interface ToolContext {
  sessionId: string;
  /** W3C Trace Context of the call, where the gateway makes traces: the parent of a span of the provider's own. */
  traceparent?: string;
  /** Aborted when the call is cancelled or times out, or the connection is lost. A result after that is not sent. */
  signal: AbortSignal;
  /** Reports progress, which is shown while the call runs. */
  progress(message: string): void;
  /** Asks the user of the session, with a form or for a page to open. The answer is `decline` where nobody can be asked. */
  ask(question: UserQuestion): Promise<UserAnswer>;
}

export interface ToolCallRequest extends ToolContext {
  tool: string;
  /** The gateway has checked them against the tool's parameters. */
  args: Record<string, unknown>;
}

export interface ProviderTool extends ToolInput {
  /** Answers the calls of this tool. Those of a tool without it go to `onToolCall`. */
  run?(args: Record<string, unknown>, context: ToolContext): unknown;
}

export interface GateDecision {
  decision: 'allow' | 'deny' | 'context';
  /** For `context`: the text that is added. */
  reason?: string;
}

/** The part of a WebSocket that the SDK uses, in browsers and of `ws`. */
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
  'instance' | 'metadata' | 'context' | 'startup_context' | 'hooks' | 'subscribe' | 'concurrency'
> {
  tools?: ProviderTool[];
  /**
   * Answers a call of a tool that has no `run`, as `run` does: with JSON, with parts such as `text()`, or with a {@link FileResult}.
   * Undefined counts as null.
   */
  onToolCall?(call: ToolCallRequest): unknown;
  /**
   * `all`, the id of a session, or a function that chooses one; the provider waits while it returns undefined. Default: all that the token
   * may use. A paired provider may use one: that which it was last bound to, else the first.
   */
  session?: string | ((sessions: readonly SessionInfo[]) => string | undefined);
  /** Called with the sessions that the provider may serve, whenever they change. `cwd`: the folder of a session. */
  onSessions?(sessions: readonly SessionInfo[]): void;
  /** Where it serves all: called for a session that is registered later. Its tools are offered there when the result has settled. */
  onNewSession?(session: SessionInfo): unknown;
  /** Called when a session ends. `shutdown.ready` is sent when the result has settled; `deadlineMs` is the time that there is. */
  onShutdown?(sessionId: string, deadlineMs: number): unknown;
  /** `started` and `idle`. */
  onLifecycle?(sessionId: string, state: string): void;
  /** Answers the gates of `hooks`. When it is missing or throws, the answer is deny. */
  onGate?(check: Incoming<'gate.check'>): Promise<GateDecision> | GateDecision;
  /** Answers the callbacks of `hooks`. When it is missing or throws, the text stays unchanged. */
  onTransform?(request: Incoming<'transform.request'>): Promise<string> | string;
  /** Receives the events named in `subscribe`. */
  onSessionEvent?(event: Incoming<'session.event'>): void;
  /**
   * Asks the user for the pairing code where there is no token, and again for each further try. When it returns undefined, or the pairing
   * fails, the provider is closed, so that the user is not asked forever.
   */
  onPairing?(prompt: string): Promise<string | undefined> | string | undefined;
  /** Called with a token from pairing, for the next connection. Undefined: the last token is no longer valid. */
  onToken?(token: string | undefined): void;
  /** Called for each refusal by the gateway and each other error; the same error in a row is reported once. Default: the console. */
  onError?(error: Error): void;
  /** Called for every connection. `refused`: the token that the gateway has refused last. Undefined closes the provider. */
  connect(refused?: string): Promise<GatewayEndpoint | undefined> | GatewayEndpoint | undefined;
}

/** An opening socket and the token for it. Without a token the provider asks to be paired. */
export interface GatewayEndpoint {
  socket: SocketLike;
  token?: string;
}

export type ProviderState =
  | { kind: 'connecting' | 'pairing' | 'waiting for a session' | 'disconnected' | 'closed' }
  | {
      kind: 'bound';
      providerId: string;
      /** Where exactly one session was joined. */
      sessionId?: string;
      persistDir?: string;
      /** Absent where nothing needs the user's consent. `wants` is not in force unless `decision` is `allowed`; tools always are. */
      consent?: Consent;
    };

export interface ProviderHandle {
  readonly state: ProviderState;
  readonly onDidChangeState: Event<ProviderState>;
  /**
   * Dropped, with a report to `onError`, while not bound. Without `sessionId` it goes to every session of the provider; but an `inject` or
   * a `prompt`, which begins a turn, is refused where there are several.
   */
  push(event: Omit<Input<'push'>, 'type'>): void;
  /**
   * This and the other updates resolve when they are in force, and are repeated for every later connection. While there is no session they
   * are only remembered. They reject with a {@link GatewayError}, or when the connection ends before an answer, and are then forgotten.
   * `remove`, even empty, makes it a delta.
   */
  updateTools(tools: ProviderTool[], remove?: string[]): Promise<void>;
  /** `onPreToolUse` replaces all rules. Of `transforms`, the named sections are set, or removed by null. */
  updateHooks(hooks: HooksInput): Promise<void>;
  updateContext(context: string | null): Promise<void>;
  /** An empty list removes the filter. `stream`: default the provider's name. */
  setFilter(rules: FilterInput, stream?: string): Promise<void>;
  /** Keyed by `stream@provider`. A provider for all sessions must name a session. */
  queryStreams(streams: string[], options?: { last?: number; sessionId?: string }): Promise<Record<string, StreamEntry[]>>;
  /** Says goodbye and does not connect again. */
  close(): void;
}
