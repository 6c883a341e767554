/** What the bridge does at an agent host and what it sees there, for one session: the same for every version of the protocol. */
import type { Settlement } from '../../../ahp/client/resources/subscription.ts';
import type { ToolCallResult, ToolDefinition } from '../../../ahp/common/tools.ts';
import type { ReceivedSpan } from '../../../ahp/telemetry/receivedSpans.ts';
import type { Event } from '../../../base/event.ts';
import type { SessionAnswers } from '../../../tap/wire/owner/ownerQuestions.ts';
import type { Disposable } from '../../../base/lifecycle.ts';

/** A call of a tool, whoever runs it. */
export interface HostedCall {
  /** The URI of its chat. Undefined where a session is its only chat. */
  readonly chat: string | undefined;
  readonly turnId: string;
  readonly callId: string;
  readonly toolName: string;
  /** The client that runs it; absent where the agent does. */
  readonly clientId: string | undefined;
  /** `waiting`: for the user's decision. `failed`: also one that was denied or skipped. */
  readonly status: 'starting' | 'waiting' | 'running' | 'done' | 'failed';
  /** Usually JSON. */
  readonly input: string | undefined;
  /** The host has its input, and the call names only the place. */
  readonly isInputElsewhere: boolean;
  /** Once it is `done` or `failed`: its text, or why it failed. */
  readonly output: string | undefined;
}

export type HostedPart =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'call'; readonly call: HostedCall } | { readonly kind: 'other' };

export interface HostedTurn {
  readonly id: string;
  /** The message that began it. */
  readonly text: string;
  /** What the message says that the turn is below. */
  readonly traceparent?: string;
  readonly parts: readonly HostedPart[];
  readonly isOver: boolean;
}

export interface HostedSession {
  /** `stale`: the host cannot be reached, and this is how it was. `gone`: removed, or the host gives no state. */
  readonly status: 'loading' | 'live' | 'stale' | 'gone';
  readonly label: string;
  /** Absolute path, where the session has one. */
  readonly cwd: string | undefined;
  /** It takes messages, no turn runs and no message waits; counts what this window has just sent. */
  readonly isIdle: boolean;
  /** It has been created. */
  readonly isReady: boolean;
  /** Names of the agent's own tools. */
  readonly agentTools: readonly string[];
  /** What the agent says that it is about to do. */
  readonly activity: string | undefined;
  /**
   * Who has the place in which this window would lend tools; counts what this window has just asked for. Where each client has a place of its
   * own, that is this window or nobody.
   */
  readonly lender: { readonly clientId: string; readonly name: string } | undefined;
  /** The turn of the default chat that runs, as the host has confirmed it. */
  readonly turn: HostedTurn | undefined;
  /** Those that are not over, of that turn and of those that run in other chats with calls that run here or wait for the user. Also confirmed. */
  readonly calls: readonly HostedCall[];
  /** Other chats of which it is not known now what runs in them. */
  readonly unknownChats: ReadonlySet<string>;
}

/** A call that the host is about to run, with its final input. It may be that of a subagent. */
export type AskedCall = Pick<HostedCall, 'turnId' | 'callId' | 'toolName' | 'input'>;

/** `reason`: for the model and the user. `context`: for the model, with the result. `isGuarded`: there are rules about calls. */
export type HostedVerdict =
  | { readonly allowed: true; readonly context: readonly { provider: string; content: string }[]; readonly isGuarded: boolean }
  | { readonly allowed: false; readonly reason: string };

/** For the system message: sections with their new text, and what is said with every message and at the start. */
export interface HostedSections {
  readonly sections: readonly { section: string; content: string; parts: { provider: string; action: string; content: string }[] }[];
  readonly context: readonly { provider: string; content: string }[];
  readonly startup: readonly { provider: string; content: string }[];
}

/** What a host asks that runs nothing before it has asked. Neither rejects. `wasGuarded`: there were rules about the call before. */
export interface HostQuestions {
  mayRun(call: AskedCall, wasGuarded: boolean): Promise<HostedVerdict>;
  /** `current`: the agent's own sections, by name. */
  sections(current: Readonly<Record<string, string>>): Promise<HostedSections>;
}

export interface HostSession extends Disposable {
  /** Who this window is to the host. */
  readonly clientId: string;
  readonly state: HostedSession;
  readonly onDidChange: Event<void>;
  /** To what the gateway asks about it. */
  readonly answers: SessionAnswers;
  /** A confirmed turn of the default chat, running or not. */
  turn(turnId: string): HostedTurn | undefined;
  /** The confirmed turns after this one, oldest first, the running one last; undefined where it is not among them. Without an id: all. */
  turnsAfter(turnId: string | undefined): readonly HostedTurn[] | undefined;
  /** The last turn that there is, running or not. */
  readonly lastTurn: HostedTurn | undefined;
  /** The same call, as it is confirmed now. */
  callNow(call: HostedCall): HostedCall | undefined;

  /** While this window lends tools to the session, the host asks before it runs any call, and takes sections of the system message. */
  readonly asksFirst: boolean;
  /** Answers what the host asks, until the session is disposed. */
  serve(questions: HostQuestions): void;

  /** Lends these tools to the session, where there is a place. */
  lend(tools: readonly ToolDefinition[]): Promise<Settlement>;
  /** The same in the place of whoever has it. */
  takeOver(tools: readonly ToolDefinition[]): Promise<Settlement>;
  /** Other tools than before. */
  announce(tools: readonly ToolDefinition[]): Promise<Settlement>;
  /** Lends nothing any more. */
  withdraw(): void;

  /** What a running call of ours shows meanwhile. */
  report(call: HostedCall, text: string): void;
  complete(call: HostedCall, result: ToolCallResult): Promise<Settlement>;
  /** Denies a call that waits for the user. */
  deny(call: HostedCall, reason: string): Promise<Settlement>;
  /** Begins a turn with this message, or lets it wait behind the one that runs. `traceparent`: of the span that the turn is below. */
  send(text: string, traceparent?: string): Promise<Settlement>;
  /** Tells of the spans of the host, as far as it offers them, until it is disposed. Those that name another session are left out. */
  readSpans(listener: (spans: readonly ReceivedSpan[]) => void): Disposable;
  /** The host says of the span that it is of this session. */
  isOwnSpan(span: ReceivedSpan): boolean;
}
