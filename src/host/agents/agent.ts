/**
 * What the host asks of an agent and what it gives to one. Every agent, the demo one and those with a real engine, lives behind
 * these interfaces: agents never see connections, sequence numbers or other clients, and never write session state themselves.
 */
import type { AgentInfo } from '../../ahp/v1/root.ts';
import type { ContentRef, ErrorInfo, FileEdit, StringOrMarkdown, URI, UsageInfo, UserMessage } from '../../ahp/v1/common.ts';
import type {
  ResolveSessionConfigParams,
  ResolveSessionConfigResult,
  SessionConfigCompletionsParams,
  SessionConfigValueItem,
} from '../../ahp/v1/commands.ts';
import type { SessionInputAnswer, SessionInputRequest } from '../../ahp/v1/inputRequest.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import type { ConfirmationOption, ToolCallResult, ToolDefinition, ToolResultContent } from '../../ahp/v1/toolCall.ts';
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';

/** An agent backend, listed in the root state under its provider id. */
export interface Agent extends Disposable {
  readonly info: AgentInfo;
  readonly onDidChangeInfo: Event<AgentInfo>;
  resolveSessionConfig(params: ResolveSessionConfigParams): Promise<ResolveSessionConfigResult>;
  sessionConfigCompletions(params: SessionConfigCompletionsParams): Promise<SessionConfigValueItem[]>;
  /** Takes a token for one of `info.protectedResources`; false when the token is no good. */
  authenticate(resource: string, token: string): Promise<boolean>;
  /**
   * Makes the backend of one session. A rejection becomes `session/creationFailed`. For a fork and for a session that is taken up again (of
   * an earlier run of the host, or that slept) `host.state.turns` holds what was said: whatever else the agent remembers of the session does
   * not count. Such a session is there already; a rejection then ends the turn that needed the backend.
   */
  createSession(host: AgentSessionHost): Promise<AgentSession>;
  /**
   * The session was deleted for good, and is none of those that are disposed of to be made again: forgets what the agent keeps of it. Its
   * backend, if there was one, is disposed of already. Absent where nothing is kept.
   */
  deleteSession?(uri: URI): Promise<void>;
}

/** The backend of one session. Disposed when the session is, or when it falls asleep or the host ends: another may be made for it later. */
export interface AgentSession extends Disposable {
  /**
   * Runs one turn to its end. Resolving completes the turn, rejecting ends it as an error with the reason's message;
   * after `turn.signal` aborted the host has closed the turn itself and whatever comes late is dropped.
   */
  runTurn(turn: AgentTurn): Promise<void>;
  /**
   * The session's turns were cut after `turnId`, or all of them: forget the rest. The state is cut already, and may have been when the
   * backend was made: then this comes before its first turn.
   */
  truncate(turnId: string | undefined): void;
}

/** The host's side of one session, as its agent sees it. */
export interface AgentSessionHost {
  readonly uri: URI;
  readonly logger: Logger;
  /** The state that clients see, always current: model, config values, the active client's tools, turns. */
  readonly state: SessionState;
  /** Real path of the session's working directory. */
  readonly workingDirectory: string;
  setTitle(title: string): void;
  setActivity(activity: string | undefined): void;
  setDiffs(diffs: FileEdit[]): void;
  setServerTools(tools: ToolDefinition[]): void;
  /** Changes values of the session's configuration as a person could. They must fit its schema. */
  setConfigValues(values: Record<string, unknown>): void;
  /** Keeps a value in the session's `_meta`, as long as the session and seen by clients; undefined removes it. Forks do not get it. */
  setMeta(key: string, value: unknown): void;
  /** Keeps content outside the state tree, readable with `resourceRead` while the session lives. */
  storeContent(data: string | Uint8Array, contentType: string): ContentRef;
  /** What {@link storeContent} keeps, also of earlier runs; undefined when it was dropped. */
  readContent(uri: URI): Uint8Array | undefined;
  /** Starts a terminal in the working directory, claimed by the tool call, and runs one command in it. */
  runCommand(options: RunCommandOptions): Promise<RunningCommand>;
  /** Opens a session for a subagent, listed under `<uri>/subagent/<toolCallId>` (and more where that is taken), with one turn in progress. */
  startSubagent(options: StartSubagentOptions): SubagentTurn;
}

export interface RunCommandOptions {
  /** Of this session or of one of its subagents. When it is cancelled, the command ends; when it is over otherwise, the command goes on. */
  turn: Pick<AgentTurn, 'id' | 'session' | 'signal'>;
  toolCallId: string;
  commandLine: string;
  title: string;
  /** What the command inherits; the host's environment by default. */
  environment?: NodeJS.ProcessEnv;
}
export interface RunningCommand {
  /** Subscribable while it runs and after; people may type into it. */
  readonly terminal: URI;
  /** Resolves when the command ended; `exitCode` is undefined when a signal ended it. `output` is capped by the host, VT codes included. */
  readonly finished: Promise<{ exitCode: number | undefined; output: string }>;
  /** What it printed from that position on (0: from the start), capped and coded likewise; `next` is where the rest will begin. */
  outputFrom(position: number): { text: string; next: number };
  /** Types; nothing after the end. */
  write(data: string): void;
  /** Ends the command and all that it started in its terminal. */
  end(): void;
}

export interface StartSubagentOptions {
  toolCallId: string;
  title: string;
  prompt: string;
}
/** The turn of a subagent, ended by its starter. */
export interface SubagentTurn extends AgentTurn {
  complete(): void;
  fail(error: ErrorInfo): void;
}

/** One turn in progress. After `signal` aborted, every method does nothing and every wait rejects with the signal's reason. */
export interface AgentTurn {
  readonly id: string;
  /** The session that it is a turn of. */
  readonly session: URI;
  readonly userMessage: UserMessage;
  readonly signal: AbortSignal;
  /** Appends to the answer: a delta of the current Markdown part, or a new part after something else came between. */
  markdown(text: string): void;
  /** Appends to the reasoning, likewise. */
  reasoning(text: string): void;
  usage(usage: UsageInfo): void;
  /** Announces a call; its input may stream until `ready`. The id is new unless the engine has one. */
  toolCall(options: {
    toolCallId?: string;
    toolName: string;
    displayName: string;
    toolClientId?: string;
    _meta?: Record<string, unknown>;
  }): AgentToolCall;
  /** Asks the person and waits for the answer; `answers` stand there at first. Answers come back on `accept` only. */
  ask(request: Omit<SessionInputRequest, 'id'>): Promise<InputResponse>;
  /** The message that the person wants injected into this turn. One that is taken and not heard when the turn ends is queued by the host. */
  takeSteeringMessage(): TakenMessage | undefined;
  readonly onDidReceiveSteering: Event<void>;
}

export interface TakenMessage {
  readonly userMessage: UserMessage;
  /** The model has it. */
  heard(): void;
}

export type InputResponse =
  { response: 'accept'; answers: Readonly<Record<string, SessionInputAnswer>> } | { response: 'decline' | 'cancel' };

export interface ToolCallReady {
  invocationMessage: StringOrMarkdown;
  toolInput?: string;
}
export interface ToolCallConfirmation extends ToolCallReady {
  confirmationTitle: StringOrMarkdown;
  edits?: { items: FileEdit[] };
  editable?: boolean;
  options?: ConfirmationOption[];
}
export type ConfirmationResult =
  | { approved: true; /** As the person left it. */ toolInput: string | undefined; option: ConfirmationOption | undefined }
  | {
      approved: false;
      reason: string;
      message: StringOrMarkdown | undefined;
      suggestion: UserMessage | undefined;
      option: ConfirmationOption | undefined;
    };

export interface AgentToolCall {
  readonly id: string;
  /** Streams a piece of the input. */
  inputDelta(text: string, invocationMessage?: StringOrMarkdown): void;
  /** It runs now, nobody needs to be asked (`reason` says why). */
  run(ready: ToolCallReady, reason: 'not-needed' | 'setting'): void;
  /** Asks the person, before it runs or in the middle of it. Resolves with the decision; a denied call is over. */
  confirm(confirmation: ToolCallConfirmation): Promise<ConfirmationResult>;
  /** Replaces what the running call shows. */
  setContent(content: ToolResultContent[]): void;
  complete(result: ToolCallResult): void;
  /** Completes, but the model may have the result only when the person agrees. */
  completeWithResultConfirmation(result: ToolCallResult): Promise<{ approved: boolean }>;
  /**
   * For a call with `toolClientId`: waits until that client completed it. Rejects when the client went away
   * (the host then has completed the call as failed).
   */
  waitForClient(): Promise<ToolCallResult>;
}
