/** Runs one session: its chats, and what clients change in it. */
import { randomUUID } from 'node:crypto';
import type { ActionOrigin } from '../../ahp/channels/actions.ts';
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import type { ChatState, Turn } from '../../ahp/channels/chat/state.ts';
import type { SessionAction } from '../../ahp/channels/session/actions.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { ChatOrigin, ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { CHAT_TODOS, chatTodosIn, NOT_SAVED, withChatTodos } from '../../ahp/sessionMetaKeys.ts';
import { englishOf, messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import * as l10n from '../../base/l10n.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { AgentChat, AgentChatHost, ChatName, StartSubagentOptions, SubagentTurn } from '../agents/agent.ts';
import { messageProblem } from '../checks/chatChecks.ts';
import { sessionProblem } from '../checks/sessionChecks.ts';
import { nameOfChat, subagentChatUri } from '../state/chatUris.ts';
import { withModel } from '../state/draftModel.ts';
import type { SessionFacts } from '../state/listedSession.ts';
import { ChatHost, type ChatHostServices, type ChatHostSession } from './chatHost.ts';
import { ChatRunner, type ChatRunnerOptions, errorInfo } from './chatRunner.ts';
import { keepUnheard } from './returnedMessages.ts';
import { metaChanged } from '../state/sessionMeta.ts';

export interface SessionRunnerOptions extends ChatRunnerOptions, ChatHostServices {
  /** Makes the backend of a chat. Rejects when its agent cannot be used. `isNew`: its session was checked just before. */
  createChat(host: AgentChatHost, isNew: boolean): Promise<AgentChat>;
  /** Whether the sender may take back the tools that another client lends. */
  mayTakeBack(sender: string, clientId: string): boolean;
}

/** A finished turn of another chat of the session. */
export type ChatSource = Extract<ChatOrigin, { turnId: string }>;

/** A chat to open. */
export interface ChatRequest {
  chat: URI;
  /** A fork begins with the turns of another chat, up to and with this one. A side chat begins without, and its agent knows them. */
  source?: ChatSource | undefined;
  /** Starts its first turn. */
  initialMessage?: Message | undefined;
}

/** What a chat has before anything is said in it. `model`: of the next message. */
interface ChatBeginning {
  turns?: Turn[] | undefined;
  model?: ModelSelection | undefined;
}

/** Characters of what a side chat is about. */
const MAX_SELECTION = 10_000;
/** Those that clients open, of one session. */
const MAX_CHATS = 100;

/** The session and its chats are in the store for the whole lifetime of their runner. */
export class SessionRunner implements Disposable, ChatHostSession {
  readonly #chats = new Map<URI, ChatRunner>();
  #isBeingCreated = false;
  #disposed = false;

  constructor(
    readonly facts: SessionFacts,
    private readonly options: SessionRunnerOptions,
  ) {
    for (const { resource, origin } of this.#state()?.chats ?? []) this.#addRunner(resource, origin?.kind !== 'tool');
  }

  get uri(): URI {
    return this.facts.uri;
  }
  chat(uri: URI): ChatRunner | undefined {
    return this.#chats.get(uri);
  }

  /** Creates the backend of the first chat. The session becomes ready or `failed`, and the promise resolves in both cases. */
  async create(): Promise<void> {
    const { store, logger } = this.options;
    const chats = [...this.#chats.values()];
    this.#isBeingCreated = true;
    const begun = this.#defaultChat()?.begin();
    this.#isBeingCreated = false;
    try {
      await begun;
    } catch (error) {
      if (this.#disposed) return;
      logger.warn(`session ${this.uri} could not be created: ${englishOf(error)}`);
      store.dispatch(this.uri, { type: 'session/creationFailed', error: errorInfo(error) });
      for (const chat of chats) chat.rejectWaitingTurn(l10n.t`the session could not be created: ${messageOf(error)}`);
      return;
    }
    // `dispose` has taken care of the backend.
    if (this.#disposed) return;
    store.dispatch(this.uri, { type: 'session/ready' });
    for (const chat of chats) chat.whenReady();
  }

  /** Opens a session of an earlier run, and closes what was in progress then. */
  resume(): void {
    const { store } = this.options;
    for (const { clientId } of this.#state()?.activeClients ?? [])
      store.dispatch(this.uri, { type: 'session/activeClientRemoved', clientId });
    if (this.#state()?.lifecycle === 'creating') store.dispatch(this.uri, { type: 'session/ready' });
    for (const chat of this.#chats.values()) chat.resume();
    this.noteSaveProblem(undefined);
  }

  /** Tells clients that the session cannot be saved, which ends its turns, or that it is saved again. */
  noteSaveProblem(problem: string | undefined): void {
    const state = this.#state();
    if (!state) return;
    if (state._meta?.[NOT_SAVED] !== problem) this.options.store.dispatch(this.uri, metaChanged(state, NOT_SAVED, problem));
    if (problem !== undefined) for (const chat of this.#chats.values()) chat.noteSaveProblem(problem);
  }

  /** True when nothing is in progress or pending, so that the session can be unloaded. */
  get isIdle(): boolean {
    const state = this.#state();
    if (!state || state.lifecycle === 'creating' || state.activeClients.length > 0) return false;
    return [...this.#chats.values()].every(({ isIdle }) => isIdle);
  }

  /**
   * Takes an action of a client about the session, of the right shape. Returns the reason when it is refused. Otherwise the action is
   * dispatched.
   */
  apply(action: SessionAction, origin: ActionOrigin): string | undefined {
    const state = this.#state();
    if (!state) return undefined;
    const { clientId } = origin;
    const mayTakeBack = (other: string) => this.options.mayTakeBack(clientId, other);
    const reason = sessionProblem(action, state, { clientId, mayTakeBack });
    if (reason === undefined) this.options.store.dispatch(this.uri, action, origin);
    return reason;
  }

  applyToChat(chat: URI, action: ChatAction, origin: ActionOrigin): string | undefined {
    return this.#chats.get(chat)?.apply(action, origin);
  }

  /** A client has disconnected and provides no tools any more. Its open calls wait for it. */
  clientLeft(clientId: string): void {
    if (this.#state()?.activeClients.some((client) => client.clientId === clientId))
      this.options.store.dispatch(this.uri, { type: 'session/activeClientRemoved', clientId });
  }

  /** A client that had left did not come back. */
  clientGone(clientId: string): void {
    for (const chat of this.#chats.values()) chat.clientGone(clientId);
  }

  /** The first title of the session is that of its first chat. */
  nameChat(chat: URI, title: string): void {
    const { store } = this.options;
    if (this.#state()?.defaultChat === chat) store.dispatch(this.uri, { type: 'session/titleChanged', title });
    else store.dispatch(this.uri, { type: 'session/chatUpdated', chat, changes: { title } });
  }

  /** Opens a chat for clients. Throws InvalidParams, AlreadyExists or TurnInProgress, and nothing has changed then. */
  createChat({ chat: uri, source, initialMessage }: ChatRequest): void {
    const { store } = this.options;
    const state = this.#state();
    if (state?.lifecycle !== 'ready') throw new RpcError(ErrorCode.InvalidParams, 'the session is not ready');
    if (store.get(uri)) throw new RpcError(ErrorCode.AlreadyExists, `${uri} exists already`);
    if (nameOfChat(uri) !== undefined) throw new RpcError(ErrorCode.InvalidParams, 'chat must be a URI of the client’s own');
    if (state.chats.filter(({ origin }) => origin?.kind !== 'tool').length >= MAX_CHATS)
      throw new RpcError(ErrorCode.InvalidParams, l10n.t`a session has at most ${MAX_CHATS} chats`);
    const problem =
      this.options.saveProblem?.() ?? (initialMessage && messageProblem(initialMessage, { root: store.root, session: state }));
    if (problem !== undefined) throw new RpcError(ErrorCode.InvalidParams, problem);
    const { summary, turns, model } = source ? this.#begunAt(state, source) : { summary: { title: '' } };
    // The next message of a new chat goes to the model of the one that it begins with, else of the first.
    const runner = this.#open(uri, summary, { turns, model: model ?? this.#modelOf(state.defaultChat) });
    if (initialMessage) runner.say(initialMessage);
  }

  /** Adds a chat to the store and to the session. */
  #open(uri: URI, known: Pick<ChatSummary, 'title' | 'origin' | 'interactivity'>, { turns = [], model }: ChatBeginning): ChatRunner {
    const { store } = this.options;
    const workingDirectories = this.#state()?.workingDirectories;
    const summary: ChatSummary = {
      ...{ resource: uri, status: SessionStatus.Idle, modifiedAt: new Date(store.now).toISOString() },
      ...known,
      ...(workingDirectories && { workingDirectories }),
    };
    const state: ChatState = { ...summary, turns, ...(model && { draft: withModel(undefined, model) }) };
    store.add({ channel: uri, kind: 'chat', state }, this.uri);
    const runner = this.#addRunner(uri, known.origin?.kind !== 'tool');
    store.dispatch(this.uri, { type: 'session/chatAdded', summary });
    return runner;
  }

  #modelOf(chat: URI | undefined): ModelSelection | undefined {
    return this.options.store.chat(chat ?? '')?.draft?.model;
  }

  /** What a chat begins with that is made from a turn of another. */
  #begunAt({ chats }: SessionState, source: ChatSource): { summary: Pick<ChatSummary, 'title' | 'origin'> } & ChatBeginning {
    const { chat, turnId } = source;
    const state = this.#chats.has(chat) ? this.options.store.chat(chat) : undefined;
    if (!state) throw new RpcError(ErrorCode.InvalidParams, `source.chat: the session has no chat ${chat}`);
    if (state.activeTurn?.id === turnId) throw new RpcError(ErrorCode.TurnInProgress, `source.turnId: the turn ${turnId} is in progress`);
    const end = state.turns.findIndex(({ id }) => id === turnId) + 1;
    if (end === 0) throw new RpcError(ErrorCode.InvalidParams, `source.turnId: the chat has no finished turn ${turnId}`);
    const { model } = state.draft ?? {};
    if (source.kind === 'sideChat') return { summary: { origin: sideChatOrigin(source), title: '' }, model };
    const title = chats.find(({ resource }) => resource === chat)?.title ?? '';
    return {
      summary: { origin: { kind: 'fork', chat, turnId }, title: title && `${title} (fork)` },
      ...{ turns: state.turns.slice(0, end).map(ended), model },
    };
  }

  /**
   * Removes a chat that a client has opened, with those of its subagents. Returns them all, itself first. Throws InvalidParams for others:
   * they go with the session, or with the chat that has started them.
   */
  removeChat(uri: URI): URI[] {
    const { store, terminals } = this.options;
    const state = this.#state();
    const known = state?.chats.find(({ resource }) => resource === uri);
    if (!state || !known) throw new RpcError(ErrorCode.NotFound, `there is no ${uri}`);
    if (state.defaultChat === uri || known.origin?.kind === 'tool')
      throw new RpcError(
        ErrorCode.InvalidParams,
        l10n.t('the first chat goes with its session, and that of a subagent with the chat that started it'),
      );
    const removed = [uri];
    for (const { resource, origin } of state.chats)
      if (origin?.kind === 'tool' && 'toolCallId' in origin && removed.includes(origin.chat)) removed.push(resource);
    for (const chat of removed) {
      this.#chats.get(chat)?.dispose();
      this.#chats.delete(chat);
      terminals.disposeOfChat(chat);
      keepUnheard(store, this.uri, chat, []);
      this.#forgetTodos(chat);
      for (const { id, chat: of } of state.inputNeeded ?? [])
        if (of === chat) store.dispatch(this.uri, { type: 'session/inputNeededRemoved', id });
      store.dispatch(this.uri, { type: 'session/chatRemoved', chat });
      store.delete(chat);
    }
    return removed;
  }

  #forgetTodos(chat: URI): void {
    const state = this.#state();
    if (state && Object.hasOwn(chatTodosIn(state._meta), chat))
      this.options.store.dispatch(this.uri, metaChanged(state, CHAT_TODOS, withChatTodos(state._meta, chat)));
  }

  /** Opens the chat of a subagent, with one turn. It ends at the latest with the turn that started it. */
  startSubagent(parent: URI, { toolCallId, title, prompt }: StartSubagentOptions): SubagentTurn {
    const { store } = this.options;
    const parentTurn = this.#chats.get(parent)?.turn;
    if (!parentTurn) throw new Error('a subagent needs a turn in progress');
    const named = subagentChatUri(parent, toolCallId);
    // Some engines number their calls from the start in every turn or run. The chat of an earlier subagent keeps its URI.
    const uri = store.get(named) ? subagentChatUri(parent, `${toolCallId}-${randomUUID()}`) : named;
    const origin = { kind: 'tool' as const, chat: parent, toolCallId };
    const runner = this.#open(uri, { title, origin, interactivity: 'read-only' }, { model: this.#modelOf(parent) });
    parentTurn.onDidEnd(() => runner.cancelTurn('the turn that started the subagent is over'));
    return runner.startSubagentTurn(prompt);
  }

  dispose(): void {
    this.#disposed = true;
    for (const chat of this.#chats.values()) chat.dispose();
  }

  #defaultChat(): ChatRunner | undefined {
    return this.#chats.get(this.#state()?.defaultChat ?? '');
  }

  /** `takesTurns`: its agent runs the turns that clients start. */
  #addRunner(uri: URI, takesTurns: boolean): ChatRunner {
    const name: ChatName = { session: this.uri, chat: uri, isDefault: this.#state()?.defaultChat === uri };
    const nameChat = (title: string) => this.#nameFirst(uri, title);
    const makeBackend = () => this.options.createChat(new ChatHost(this.options, this, name), this.#isBeingCreated);
    const runner = new ChatRunner(uri, this.uri, { ...this.options, nameChat }, takesTurns ? makeBackend : undefined);
    this.#chats.set(uri, runner);
    return runner;
  }

  /** After the first message, where nobody has given a title yet. */
  #nameFirst(chat: URI, title: string): void {
    const state = this.#state();
    const known = state?.defaultChat === chat ? state.title : state?.chats.find(({ resource }) => resource === chat)?.title;
    if (known === '') this.nameChat(chat, title);
  }

  #state(): SessionState | undefined {
    return this.#disposed ? undefined : this.options.store.session(this.uri);
  }
}

/** A turn goes on in one chat only: its id names its changes in the whole session. */
function ended(turn: Turn): Turn {
  const responseParts = turn.responseParts.map((part) => {
    if (part.kind !== 'error') return part;
    const { resumable: _resumable, ...rest } = part;
    return rest;
  });
  return { ...turn, responseParts };
}

function sideChatOrigin({ kind, chat, turnId, selection }: Extract<ChatSource, { kind: 'sideChat' }>): ChatOrigin {
  return { kind, chat, turnId, ...(selection && { selection: { ...selection, text: selection.text.slice(0, MAX_SELECTION) } }) };
}
