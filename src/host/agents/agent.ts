/**
 * The interfaces between the host and its agents. Agents never see connections, sequence numbers or other clients, and never write the
 * session state themselves.
 */
import type { Annotation, AnnotationsAction } from '../../ahp/channels/annotations.ts';
import type { ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import type { CommandParams, CommandResult } from '../../ahp/channels/commands.ts';
import type { AgentInfo } from '../../ahp/channels/root.ts';
import type { SessionActiveClient, SessionState } from '../../ahp/channels/session/state.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { InputAnswer, InputRequest } from '../../ahp/common/inputRequest.ts';
import type { ModelCall } from '../../ahp/common/modelCalls.ts';
import type { ContentRef, ErrorInfo, FileEdit, StringOrMarkdown, URI, UsageInfo } from '../../ahp/common/shapes.ts';
import type { ConfirmationOption, ToolCallResult, ToolDefinition, ToolResultContent } from '../../ahp/common/tools.ts';
import type { Event } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';

/** An agent, listed in the root state under its provider id. */
export interface Agent extends Disposable {
  readonly info: AgentInfo;
  readonly onDidChangeInfo: Event<AgentInfo>;
  resolveSessionConfig(params: SessionConfigQuery): Promise<CommandResult<'resolveSessionConfig'>>;
  sessionConfigCompletions(params: ConfigCompletionsQuery): Promise<CommandResult<'sessionConfigCompletions'>['items']>;
  /** Takes a token for one of `info.protectedResources`. False when the token is not accepted. */
  authenticate(resource: string, token: string): Promise<boolean>;
  /** The user takes the token back. Absent where the agent keeps none. */
  forgetToken?(resource: string): void;
  /**
   * Creates the backend of one chat. The agent of a side chat (`host.chatState.origin`) is to know the turns of the other chat up to that one,
   * and what of them was selected. For the first chat of a new session, a rejection becomes `session/creationFailed`. For a fork and for a
   * chat that was unloaded or comes from an earlier run, `host.chatState.turns` holds the conversation, and anything else that the agent
   * remembers of the chat does not count. Such a chat exists already: a rejection then ends the turn that needed the backend.
   */
  createChat(host: AgentChatHost): Promise<AgentChat>;
  /**
   * The chat was deleted for good. Deletes what the agent keeps of it. Its backend, if there was one, is disposed already. Absent where the
   * agent keeps nothing.
   */
  deleteChat?(chat: ChatName): Promise<void>;
}

export type SessionConfigQuery = Omit<CommandParams<'resolveSessionConfig'>, 'channel'>;
export type ConfigCompletionsQuery = Omit<CommandParams<'sessionConfigCompletions'>, 'channel'>;

/** Which chat of which session. */
export interface ChatName {
  readonly session: URI;
  readonly chat: URI;
  /** It is the session's first chat. */
  readonly isDefault: boolean;
}

/**
 * The backend of one chat. It is disposed when its session is disposed or unloaded, or the host ends. Another one may be created later.
 */
export interface AgentChat extends Disposable {
  /**
   * Runs one turn to its end. Resolving completes the turn. Rejecting ends it as an error with the reason's message; after a
   * {@link ResumableError} the user may have it run again. When `turn.signal` is aborted the host has closed the turn itself, and whatever
   * comes later is dropped.
   */
  runTurn(turn: AgentTurn): Promise<void>;
  /**
   * The chat's turns were cut after `turnId`, or all of them were removed. The agent forgets them too. The state is cut already,
   * possibly before the backend was created; then this comes before the backend's first turn.
   */
  truncate(turnId: string | undefined): void;
}

/** A turn has failed because of something that passes. It can go on where it was. */
export interface ResumableError extends Error {
  readonly resumable: true;
}

/** The host's side of one chat, as its agent sees it. */
export interface AgentChatHost extends ChatName {
  readonly logger: Logger;
  /** The states that clients see, always current. After their end: the last ones. */
  readonly sessionState: SessionState;
  readonly chatState: ChatState;
  /** When the session was created, in ms since the epoch. */
  readonly createdAt: number;
  /** What the next message of the chat goes to. */
  readonly model: ModelSelection | undefined;
  /** The clients that lend tools to the session. */
  readonly lenders: readonly SessionActiveClient[];
  /** Those of another chat of the host, which a message may refer to. Undefined where it has no such chat. */
  turnsOf(chat: URI): readonly Turn[] | undefined;
  /** Real path of the session's working directory. */
  readonly workingDirectory: string;
  /** Of the session for its first chat, else of the chat. */
  setTitle(title: string): void;
  setActivity(activity: string | undefined): void;
  /**
   * Adds what a step has changed to the changes of the session, each file with what it was before the step and after it. Those that would
   * make them more than `maxFiles` are left out.
   */
  recordEdits(edits: readonly FileEdit[], maxFiles?: number): Promise<void>;
  /** Comments on files that belong to the session. */
  readonly annotations: readonly Annotation[];
  /** Those of a channel of this host. Undefined where it has none. */
  annotationsIn(channel: URI): readonly Annotation[] | undefined;
  /** Changes the session's annotations, as clients can. Throws with what is wrong. */
  annotate(action: AnnotationsAction): void;
  setServerTools(tools: ToolDefinition[]): void;
  /** Changes values of the session's configuration, as the user could. They must fit its schema. */
  setConfigValues(values: Record<string, unknown>): void;
  /**
   * Keeps a value in the session's `_meta`. It lasts as long as the session, and clients see it. Undefined removes it. Forks do not get it.
   */
  setMeta(key: string, value: unknown): void;
  /** Keeps content outside the state. It can be read with `resourceRead` while the session exists. */
  storeContent(data: string | Uint8Array, contentType: string): ContentRef;
  /** Content of {@link storeContent}, also of earlier runs. Undefined when it was dropped. */
  readContent(uri: URI): Uint8Array | undefined;
  /** The message without the attachments that a client lends, and their content as texts for the model. Never rejects. */
  readLent(message: Message, signal: AbortSignal): Promise<{ message: Message; texts: string[] }>;
  /** Starts a terminal in the working directory, claimed by the tool call, and runs one command in it. */
  runCommand(options: RunCommandOptions): Promise<RunningCommand>;
  /** Opens a chat for a subagent, with one running turn. */
  startSubagent(options: StartSubagentOptions): SubagentTurn;
}

export interface RunCommandOptions {
  /**
   * A turn of this chat or of one of its subagents. When it is cancelled, the command ends. When it ends otherwise, the command goes on.
   */
  turn: Pick<AgentTurn, 'id' | 'chat' | 'signal'>;
  toolCallId: string;
  commandLine: string;
  title: string;
  /** The environment of the command. Absent: that of the host. */
  environment?: NodeJS.ProcessEnv;
}
export interface RunningCommand {
  /** Clients can subscribe to it while it runs and after that. Users may type into it. */
  readonly terminal: URI;
  /**
   * Resolves when the command has ended. `exitCode` is undefined when a signal ended it. `output` is capped by the host, and contains VT
   * codes.
   */
  readonly finished: Promise<{ exitCode: number | undefined; output: string }>;
  /** The output from that position on (0: from the start), capped and with VT codes. `next` is the position after it. */
  outputFrom(position: number): { text: string; next: number };
  /** Types into the terminal. Does nothing after the end. */
  write(data: string): void;
  /** Ends the command and everything that it started in its terminal. */
  end(): void;
}

export interface StartSubagentOptions {
  toolCallId: string;
  title: string;
  prompt: string;
}
/** A call that somebody may have rules about. */
export interface ToolUse {
  /** The chat of its turn, which may be that of a subagent. */
  chat: URI;
  turnId: string;
  toolCallId: string;
  toolName: string;
  /** As the tool gets it. */
  input: string | undefined;
}
/** What providers add to the system message: sections with their new text, and what is said with every message and at the start. */
export interface SystemSections {
  readonly sections: readonly {
    readonly section: string;
    readonly content: string;
    /** In order. `action`: `append`, `prepend`, `replace`, or `callback`, whose content is the whole section. */
    readonly parts: readonly { readonly provider: string; readonly action: string; readonly content: string }[];
  }[];
  readonly context: readonly { readonly provider: string; readonly content: string }[];
  readonly startup: readonly { readonly provider: string; readonly content: string }[];
}

/** `message`: why not, for the model and the user. `context`: for the model, with the result. */
export type HookVerdict =
  { allowed: true; context: readonly { provider: string; content: string }[] } | { allowed: false; message: string };

/** The turn of a subagent. The agent that started it ends it. */
export interface SubagentTurn extends AgentTurn {
  complete(): void;
  fail(error: ErrorInfo): void;
}

/** A running turn. After `signal` is aborted, every method does nothing and every wait rejects with the signal's reason. */
export interface AgentTurn {
  readonly id: string;
  /** The chat of the turn. */
  readonly chat: URI;
  readonly message: Message;
  /** It ended in an error, or with the host that ran it, and goes on. What was done in it is in the chat's active turn. */
  readonly isResumed: boolean;
  readonly signal: AbortSignal;
  /** Appends to the answer: to the current Markdown part, or to a new one after another part. */
  markdown(text: string): void;
  /** Appends to the reasoning in the same way. */
  reasoning(text: string): void;
  /** Tells the user something about the turn that the model does not say. One sentence or two. */
  notice(text: string): void;
  /** Of the turn until now. `call`: the request that it is told after. */
  usage(usage: UsageInfo, call?: ModelCall): void;
  /** Announces a call. Its input may stream until `ready`. The id is generated unless the engine has one. */
  toolCall(options: {
    toolCallId?: string;
    toolName: string;
    displayName: string;
    toolClientId?: string;
    _meta?: Record<string, unknown>;
  }): AgentToolCall;
  /** Asks the rules of the session about a call that is not shown. A call of the turn has `check` for that. Never rejects. */
  evaluate(use: ToolUse): Promise<HookVerdict>;
  /**
   * What is added to the system message of this turn. `current`: the agent's own sections, as far as it knows them. The user can see what
   * was asked for last. Rejects at the end of the turn only.
   */
  sections(current: Readonly<Record<string, string>>): Promise<SystemSections>;
  /** Asks the user and waits. `answers` are filled in at first. Answers come back for `accept` only. */
  ask(request: Omit<InputRequest, 'id'>): Promise<InputResponse>;
  /** Takes the message that the user wants to inject into this turn. If it is not heard before the turn ends, the host queues it. */
  takeSteeringMessage(): TakenMessage | undefined;
  readonly onDidReceiveSteering: Event<void>;
}

export interface TakenMessage {
  readonly message: Message;
  /** The model has got the message. */
  heard(): void;
}

export type InputResponse = { response: 'accept'; answers: Readonly<Record<string, InputAnswer>> } | { response: 'decline' | 'cancel' };

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
  | { approved: true; /** As the user left it. */ toolInput: string | undefined; option: ConfirmationOption | undefined }
  | {
      approved: false;
      /** A rule has denied it, and not the user. */
      byRule?: true;
      reason: string;
      message: StringOrMarkdown | undefined;
      suggestion: Message | undefined;
      option: ConfirmationOption | undefined;
    };

export interface AgentToolCall {
  readonly id: string;
  /** Streams a piece of the input. */
  inputDelta(text: string, invocationMessage?: StringOrMarkdown): void;
  /**
   * Asks the rules of the session about the call, once for each input, which is the shown one unless it is given. A call that they deny is over, with the message as its reason. Every
   * call is checked before it does anything; `confirm` does it by itself, also for the input as the user has changed it.
   */
  check(ready: ToolCallReady, input?: string): Promise<HookVerdict>;
  /** The call is running, after it was checked. Nobody needs to be asked, for this `reason`. */
  run(ready: ToolCallReady, reason: 'not-needed' | 'setting'): void;
  /** Asks the user, before the call runs or while it does. Resolves with the decision. A denied call is over. */
  confirm(confirmation: ToolCallConfirmation): Promise<ConfirmationResult>;
  /** Replaces the content of the running call. */
  setContent(content: ToolResultContent[]): void;
  complete(result: ToolCallResult): void;
  /** Completes the call. The model may have the result only if the user agrees. */
  completeWithResultConfirmation(result: ToolCallResult): Promise<{ approved: boolean }>;
  /**
   * For a call with `toolClientId`: waits until that client has completed it. Rejects when the client has disconnected. The host has
   * completed the call as failed then.
   */
  waitForClient(): Promise<ToolCallResult>;
}
