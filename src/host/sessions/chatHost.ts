/** The host's side of one chat, as its agent sees it. */
import type { Annotation, AnnotationsAction } from '../../ahp/channels/annotations.ts';
import type { ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import type { SessionActiveClient, SessionState } from '../../ahp/channels/session/state.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { ContentRef, FileEdit, URI } from '../../ahp/common/shapes.ts';
import type { ToolDefinition } from '../../ahp/common/tools.ts';
import type { Logger } from '../../base/log.ts';
import type { AgentChatHost, ChatName, RunCommandOptions, RunningCommand, StartSubagentOptions, SubagentTurn } from '../agents/agent.ts';
import { annotate } from '../annotations/sessionAnnotations.ts';
import type { SessionEdits } from '../changes/sessionEdits.ts';
import type { Contents } from '../files/contentStore.ts';
import type { LentFileReader, LentText } from '../hooks/lentFileReader.ts';
import { annotationsUri } from '../state/chatUris.ts';
import type { SessionFacts } from '../state/listedSession.ts';
import type { StateStore } from '../state/stateStore.ts';
import type { Terminals } from '../terminals/terminals.ts';
import { metaChanged } from '../state/sessionMeta.ts';

export interface ChatHostServices {
  store: StateStore;
  logger: Logger;
  contents: Contents;
  edits: Pick<SessionEdits, 'record'>;
  lent: Pick<LentFileReader, 'read'>;
  terminals: Terminals;
}

/** What the session's runner does for its chats. */
export interface ChatHostSession {
  readonly facts: SessionFacts;
  nameChat(chat: URI, title: string): void;
  startSubagent(chat: URI, options: StartSubagentOptions): SubagentTurn;
}

export class ChatHost implements AgentChatHost {
  readonly logger: Logger;
  readonly session: URI;
  readonly chat: URI;
  readonly isDefault: boolean;
  #lastSession: SessionState;
  #lastChat: ChatState;

  /** Throws when the chat is not there. */
  constructor(
    private readonly services: ChatHostServices,
    private readonly owner: ChatHostSession,
    { session, chat, isDefault }: ChatName,
  ) {
    const sessionState = services.store.session(session);
    const chatState = services.store.chat(chat);
    if (!sessionState || !chatState) throw new Error(`there is no chat ${chat}`);
    this.logger = services.logger;
    this.session = session;
    this.chat = chat;
    this.isDefault = isDefault;
    this.#lastSession = sessionState;
    this.#lastChat = chatState;
  }

  get sessionState(): SessionState {
    return (this.#lastSession = this.services.store.session(this.session) ?? this.#lastSession);
  }
  get chatState(): ChatState {
    return (this.#lastChat = this.services.store.chat(this.chat) ?? this.#lastChat);
  }
  get createdAt(): number {
    return this.owner.facts.createdAt;
  }
  get workingDirectory(): string {
    return this.owner.facts.workingDirectory;
  }
  get model(): ModelSelection | undefined {
    return this.chatState.draft?.model;
  }
  get lenders(): readonly SessionActiveClient[] {
    return this.services.store.session(this.session)?.activeClients ?? [];
  }
  turnsOf(chat: URI): readonly Turn[] | undefined {
    return this.services.store.chat(chat)?.turns;
  }

  setTitle(title: string): void {
    this.owner.nameChat(this.chat, title);
  }
  setActivity(activity: string | undefined): void {
    this.services.store.dispatch(this.chat, { type: 'chat/activityChanged', ...(activity !== undefined && { activity }) });
  }
  recordEdits(edits: readonly FileEdit[], maxFiles?: number): Promise<void> {
    return this.services.edits.record(this.session, edits, maxFiles);
  }
  get annotations(): readonly Annotation[] {
    return this.annotationsIn(annotationsUri(this.session)) ?? [];
  }
  annotationsIn(channel: URI): readonly Annotation[] | undefined {
    return this.services.store.annotations(channel)?.annotations;
  }
  annotate(action: AnnotationsAction): void {
    this.#requireLiving();
    annotate(this.services.store, this.session, action);
  }
  setServerTools(tools: ToolDefinition[]): void {
    this.services.store.dispatch(this.session, { type: 'session/serverToolsChanged', tools });
  }
  setConfigValues(config: Record<string, unknown>): void {
    this.services.store.dispatch(this.session, { type: 'session/configChanged', config });
  }
  setMeta(key: string, value: unknown): void {
    const state = this.services.store.session(this.session);
    if (state) this.services.store.dispatch(this.session, metaChanged(state, key, value));
  }

  storeContent(data: string | Uint8Array, contentType: string): ContentRef {
    this.#requireLiving();
    return this.services.contents.put(this.session, data, contentType);
  }
  readContent(uri: URI): Uint8Array | undefined {
    return this.services.contents.read(uri)?.data;
  }
  readLent(message: Message, signal: AbortSignal): Promise<LentText> {
    return this.services.lent.read(message, signal);
  }
  async runCommand({ turn, ...options }: RunCommandOptions): Promise<RunningCommand> {
    this.#requireLiving();
    const { id: turnId, chat, signal } = turn;
    const { session, workingDirectory } = this;
    return this.services.terminals.runCommand({ ...options, session, chat, turnId, signal, workingDirectory });
  }
  startSubagent(options: StartSubagentOptions): SubagentTurn {
    this.#requireLiving();
    return this.owner.startSubagent(this.chat, options);
  }

  /** What is created for a disposed session would never be disposed. */
  #requireLiving(): void {
    if (!this.services.store.session(this.session)) throw new Error(`the session ${this.session} was disposed`);
  }
}
