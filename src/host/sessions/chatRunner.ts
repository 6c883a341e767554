/**
 * Runs one chat: its backend, its turns (one at a time), and its pending messages.
 *
 * When the chat is idle, pending messages start turns: a steering message that no turn took first, then the queue in order. After a turn
 * that was cancelled, failed or truncated the queue is held, because its messages were written for another outcome. It continues when the
 * user sends a message or reorders the queue.
 */
import { randomUUID } from 'node:crypto';
import type { ActionOrigin } from '../../ahp/channels/actions.ts';
import type { ChatAction, ChatActionOf } from '../../ahp/channels/chat/actions.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { ErrorInfo, URI } from '../../ahp/common/shapes.ts';
import { splitContext } from '../../base/text/contextBlock.ts';
import { englishOf, messageOf, withTimeout } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import * as l10n from '../../base/l10n.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { phrase } from '../../base/text/phrase.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { AgentChat, ResumableError, SubagentTurn } from '../agents/agent.ts';
import { chatProblem, resumableTurn, withNoted } from '../checks/chatChecks.ts';
import type { ClientHooks } from '../hooks/clientHooks.ts';
import { withModel } from '../state/draftModel.ts';
import type { StateStore } from '../state/stateStore.ts';
import { ChatBackend } from './chatBackend.ts';
import { returnMessages } from './returnedMessages.ts';
import { SubagentTurnRun, TurnRun } from './turnRun.ts';

/** How long an agent may take to make the backend of a chat. */
const CREATION_TIMEOUT_MS = 60_000;
/** How long a new turn waits until the agent has stopped working on the cancelled one before it. */
const WIND_DOWN_TIMEOUT_MS = 15_000;
const MAX_TAKEN = 100;
/** Characters of a title that is made from the first message. */
const MAX_TITLE_LENGTH = 80;

const HOST_RESTARTED: ErrorInfo = {
  errorType: 'hostRestarted',
  message: l10n.t('The agent host ended while this turn was running. What it had written until then is kept. Send a message to go on.'),
};

export interface ChatRunnerOptions {
  store: StateStore;
  logger: Logger;
  /** It is connected, or may come back soon. */
  isExpected(clientId: string): boolean;
  hooks: ClientHooks;
  /** Why the session cannot be saved at present. It accepts no messages then. */
  saveProblem?(): string | undefined;
  /** The first message has given a title. */
  nameChat?(title: string): void;
  creationTimeoutMs?: number;
  windDownTimeoutMs?: number;
}

interface WaitingTurn {
  action: ChatActionOf<'chat/turnStarted'>;
  origin: ActionOrigin;
}

/** The chat's state and that of its session are in the store for the whole lifetime of its runner. */
export class ChatRunner implements Disposable {
  readonly #store: StateStore;
  readonly #logger: Logger;
  /** Absent in the chat of a subagent, which has no agent of its own. */
  readonly #backend: ChatBackend | undefined;
  /** Settles when the agent has finished its last work. Never rejects. */
  #agentWork: Promise<unknown> = Promise.resolve();
  #turn: TurnRun | undefined;
  #queueHeld = false;
  /** Ids of messages that have started turns, newest last. A client may still be changing one of them. */
  #taken: readonly string[] = [];
  /** A turn that was requested while the session was being created. It starts when the session is ready. */
  #waitingTurn: WaitingTurn | undefined;
  #disposed = false;

  /** `makeBackend` is called when the backend is needed. Absent for the chat of a subagent. */
  constructor(
    readonly uri: URI,
    private readonly session: URI,
    private readonly options: ChatRunnerOptions,
    makeBackend?: () => Promise<AgentChat>,
  ) {
    this.#store = options.store;
    this.#logger = options.logger;
    this.#backend = makeBackend && new ChatBackend(makeBackend, options.creationTimeoutMs ?? CREATION_TIMEOUT_MS);
  }

  get turn(): TurnRun | undefined {
    return this.#turn;
  }

  /** Makes the backend. Rejects when that fails. */
  async begin(): Promise<void> {
    await this.#backend?.obtain();
  }

  /** The session is ready. */
  whenReady(): void {
    const waiting = this.#waitingTurn;
    this.#waitingTurn = undefined;
    if (waiting) {
      const reason = this.apply(waiting.action, waiting.origin);
      if (reason) this.#store.reject(this.uri, waiting.action, waiting.origin, reason);
    }
    this.#startNext();
  }

  /** Closes what was in progress in an earlier run. */
  resume(): void {
    this.#queueHeld = true;
    const state = this.#state();
    if (!state) return;
    const { activeTurn, activity, backgroundWork = [] } = state;
    // A subagent has ended with the turn that started it.
    if (activeTurn) this.#store.dispatch(this.uri, failed(activeTurn.id, this.#duration(), HOST_RESTARTED, this.#backend !== undefined));
    if (activity !== undefined) this.#store.dispatch(this.uri, { type: 'chat/activityChanged' });
    for (const { id } of backgroundWork) this.#store.dispatch(this.uri, { type: 'chat/backgroundWorkRemoved', id });
    this.#returnMessages(true);
  }

  /** The session cannot be saved, which ends the turn. */
  noteSaveProblem(problem: string): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#store.dispatch(this.uri, failed(turn.id, this.#duration(), { errorType: 'notSaved', message: notSaved(problem) }));
    this.#stopTurn('the session cannot be saved');
  }

  /** True when nothing is in progress or pending. */
  get isIdle(): boolean {
    const state = this.#state();
    return state !== undefined && !this.#turn && !this.#waitingTurn && !state.steeringMessage && !state.queuedMessages;
  }

  /** Makes this the chat of a subagent, with one turn that the agent ends. */
  startSubagentTurn(prompt: string): SubagentTurn {
    const message: Message = { text: prompt, origin: { kind: 'tool' } };
    const turn: SubagentTurnRun = new SubagentTurnRun(this.#turnOptions(randomUUID(), message), (error) => this.#finish(turn, error));
    this.#turn = turn;
    this.#store.dispatch(this.uri, { type: 'chat/turnStarted', turnId: turn.id, startedAt: this.#now(), message });
    return turn;
  }

  /** Starts a turn with a message that came with the chat. */
  say(message: Message): void {
    const turnId = randomUUID();
    this.#useModelOf(message);
    this.#store.dispatch(this.uri, { type: 'chat/turnStarted', turnId, startedAt: this.#now(), message });
    this.#beginTurn(turnId, message);
  }

  /**
   * Takes an action of a client, of the right shape. Returns the reason when it is refused. Otherwise the action is dispatched, now or when
   * its time comes.
   */
  apply(given: ChatAction, origin: ActionOrigin): string | undefined {
    const before = this.#state();
    const session = this.#sessionState();
    if (!before || !session) return undefined;
    const settled = this.#settled(given, before);
    const action = this.#turn?.timed(settled) ?? settled;
    if (this.#cancelsWaitingTurn(action)) {
      this.rejectWaitingTurn(l10n.t('the turn was cancelled before the session was ready'));
      this.#queueHeld = true;
      this.#store.dispatch(this.uri, action, origin);
      return undefined;
    }
    const { root } = this.#store;
    // A model that was chosen earlier may be gone: the agent says so in the turn.
    const reason = chatProblem(given, before, { clientId: origin.clientId, root, session, takesTurns: this.#backend !== undefined });
    if (reason) return reason;
    if (action.type === 'chat/pendingMessageSet' && this.#taken.includes(action.id) && !waits(before, action.id))
      return l10n.t('the message was sent already, so it cannot be changed');
    if (action.type === 'chat/turnStarted' || action.type === 'chat/turnResume' || action.type === 'chat/pendingMessageSet') {
      const problem = this.options.saveProblem?.();
      if (problem !== undefined) return notSaved(problem);
    }
    if (action.type === 'chat/turnStarted' && session.lifecycle === 'creating') {
      if (this.#waitingTurn) return l10n.t('a turn waits already for the session to be ready');
      this.#waitingTurn = { action, origin };
      return undefined;
    }
    if (action.type === 'chat/turnStarted') this.#useModelOf(action.message);
    this.#store.dispatch(this.uri, action, origin);
    this.#follow(action, before);
    return undefined;
  }

  /** A client that had left did not come back. */
  clientGone(clientId: string): void {
    this.#turn?.clientGone(clientId);
  }

  /** Stops the current turn as if the user had cancelled it. */
  cancelTurn(reason: string): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#store.dispatch(this.uri, { type: 'chat/turnCancelled', turnId: turn.id, duration: this.#duration() });
    this.#stopTurn(reason);
  }

  /** The sender gets the message back. */
  rejectWaitingTurn(reason: string): void {
    const waiting = this.#waitingTurn;
    this.#waitingTurn = undefined;
    if (waiting) this.#store.reject(this.uri, waiting.action, waiting.origin, reason);
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#turn?.end(new Error('the session was disposed'), true);
    this.#turn = undefined;
    this.#backend?.dispose();
  }

  /** The action with what the host knows better than its client: the time, the model that a message goes to, what is noted of a call. */
  #settled(action: ChatAction, state: ChatState): ChatAction {
    const model = state.draft?.model;
    switch (action.type) {
      case 'chat/turnStarted': {
        const message = action.message.model || !model ? action.message : { ...action.message, model };
        return { ...action, message, startedAt: this.#now() };
      }
      case 'chat/turnCancelled':
        return { ...action, duration: this.#duration() };
      case 'chat/draftChanged':
        // The model stays chosen.
        if (!model || action.draft?.model) return action;
        return { ...action, draft: withModel(action.draft, model) };
      case 'chat/toolCallConfirmed':
      case 'chat/toolCallComplete':
      case 'chat/toolCallResultConfirmed':
      case 'chat/toolCallContentChanged': {
        // What the agent has noted of its call stays.
        return action._meta ? { ...action, _meta: withNoted(action._meta, state, action.toolCallId) } : action;
      }
      default:
        return action;
    }
  }

  /** Tells the agent about an accepted action of a client. */
  #follow(action: ChatAction, before: ChatState): void {
    switch (action.type) {
      case 'chat/turnStarted':
        this.#queueHeld = false;
        this.#beginTurn(action.turnId, action.message);
        break;
      case 'chat/turnResume': {
        const message = resumableTurn(before)?.message;
        this.#queueHeld = false;
        if (message) this.#beginTurn(action.turnId, message, true);
        break;
      }
      case 'chat/turnCancelled':
        this.#stopTurn('the turn was cancelled');
        break;
      case 'chat/truncated':
        this.#stopTurn('the session was truncated');
        this.#truncateBackend(action.turnId);
        break;
      case 'chat/pendingMessageSet':
        // Editing a queued message does not send one.
        if (action.kind === 'steering' || !before.queuedMessages?.some(({ id }) => id === action.id)) this.#queueHeld = false;
        this.#turn?.settle(action, before);
        this.#startNext();
        break;
      case 'chat/queuedMessagesReordered':
        this.#queueHeld = false;
        this.#startNext();
        break;
      default:
        this.#turn?.settle(action, before);
    }
  }

  #cancelsWaitingTurn(action: ChatAction): boolean {
    return this.#waitingTurn !== undefined && action.type === 'chat/turnCancelled' && action.turnId === this.#waitingTurn.action.turnId;
  }

  #startNext(): void {
    const state = this.#state();
    if (!state || this.#turn || this.#queueHeld || this.#sessionState()?.lifecycle !== 'ready' || !this.#backend) return;
    const next = state.steeringMessage ?? state.queuedMessages?.[0];
    if (!next) return;
    if (this.options.saveProblem?.() !== undefined) {
      this.#queueHeld = true;
      return;
    }
    const turnId = randomUUID();
    const { id: queuedMessageId } = next;
    const model = next.message.model ?? state.draft?.model;
    const message = model ? { ...next.message, model } : next.message;
    this.#taken = [...this.#taken.slice(1 - MAX_TAKEN), queuedMessageId];
    this.#useModelOf(message);
    this.#store.dispatch(this.uri, { type: 'chat/turnStarted', turnId, startedAt: this.#now(), message, queuedMessageId });
    this.#beginTurn(turnId, message);
  }

  /** A message that starts a turn is for the model that it was sent with. Those that follow go there too. */
  #useModelOf({ model }: Message): void {
    if (model) this.#chooseModel(model);
  }

  #chooseModel(model: ModelSelection): void {
    const draft = this.#state()?.draft;
    if (sameJson(model, draft?.model)) return;
    this.#store.dispatch(this.uri, { type: 'chat/draftChanged', draft: withModel(draft, model) });
  }

  /** Gives a turn that is in the state to the agent. */
  #beginTurn(id: string, message: Message, isResumed = false): void {
    const turn = new TurnRun({ ...this.#turnOptions(id, message), isResumed });
    this.#turn = turn;
    const title = titleOf(message);
    if (title) this.options.nameChat?.(title);
    void this.#runTurn(turn);
  }

  /** Never rejects: an error becomes the outcome of the turn. */
  async #runTurn(turn: TurnRun): Promise<void> {
    try {
      const backend = await this.#backend?.obtain();
      if (!backend) throw new Error('the session has no backend');
      const windDownTimeoutMs = this.options.windDownTimeoutMs ?? WIND_DOWN_TIMEOUT_MS;
      await withTimeout(this.#agentWork, windDownTimeoutMs, phrase`the agent’s work on the turn before`);
      if (turn.isOver) return;
      const work = backend.runTurn(turn);
      this.#agentWork = work.then(
        () => undefined,
        () => undefined, // The same error is handled below.
      );
      await work;
      this.#finish(turn);
    } catch (error) {
      if (turn.isOver) this.#logger.debug(`what a turn of ${this.uri} said after its end: ${englishOf(error)}`);
      else this.#finish(turn, errorInfo(error), isResumable(error));
    }
  }

  #finish(turn: TurnRun, error?: ErrorInfo, resumable = false): void {
    if (turn.isOver || this.#turn !== turn) return;
    turn.end(new Error('the turn is over'), false);
    this.#turn = undefined;
    const duration = this.#duration();
    this.#store.dispatch(
      this.uri,
      error ? failed(turn.id, duration, error, resumable) : { type: 'chat/turnComplete', turnId: turn.id, duration },
    );
    this.#afterTurn(error === undefined);
  }

  /** The turn was closed in the state. Tells its agent to stop. */
  #stopTurn(reason: string): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#turn = undefined;
    turn.end(new Error(reason), true);
    this.#afterTurn(false);
  }

  #afterTurn(completed: boolean): void {
    this.#queueHeld = !completed;
    this.#returnMessages(!completed);
    this.#startNext();
  }

  /** The chat of a subagent has no further turns that a message could start. */
  #returnMessages(steering: boolean): void {
    if (this.#backend) return returnMessages(this.#store, this.session, this.uri, steering);
    const message = this.#state()?.steeringMessage;
    if (message) this.#store.dispatch(this.uri, { type: 'chat/pendingMessageRemoved', kind: 'steering', id: message.id });
  }

  #truncateBackend(turnId: string | undefined): void {
    const earlier = this.#agentWork;
    const truncating = async () => {
      await earlier;
      await this.#backend?.truncate(turnId);
    };
    this.#agentWork = truncating().catch((error: unknown) => this.#logger.error(`truncating ${this.uri} failed: ${englishOf(error)}`));
  }

  #turnOptions(id: string, message: Message) {
    const { store, isExpected, hooks } = this.options;
    return { store, session: this.session, chat: this.uri, id, message, isExpected, hooks };
  }

  /** Of the turn in progress so far, in ms. */
  #duration(): number {
    const began = Date.parse(this.#state()?.activeTurn?.startedAt ?? '');
    return Number.isNaN(began) ? 0 : Math.max(0, this.#store.now - began);
  }

  #now(): string {
    return new Date(this.#store.now).toISOString();
  }

  #state(): ChatState | undefined {
    return this.#disposed ? undefined : this.#store.chat(this.uri);
  }

  #sessionState(): SessionState | undefined {
    return this.#disposed ? undefined : this.#store.session(this.session);
  }
}

function failed(turnId: string, duration: number, error: ErrorInfo, resumable = false): ChatAction {
  return { type: 'chat/error', turnId, duration, part: { kind: 'error', error, ...(resumable && { resumable }) } };
}

function isResumable(error: unknown): boolean {
  return error instanceof Error && (error as Partial<ResumableError>).resumable === true;
}

function waits({ steeringMessage, queuedMessages }: ChatState, id: string): boolean {
  return steeringMessage?.id === id || (queuedMessages?.some((message) => message.id === id) ?? false);
}

function notSaved(problem: string): string {
  return l10n.t`The session cannot be saved (${problem}), so it takes no messages until that works again.`;
}

/** The first line of the user's words that says something, else of what a provider has said, cut to a title's length. */
function titleOf(message: Message): string {
  const { parts, words } = splitContext(message.text);
  const line =
    [words, ...parts.map(({ content }) => content)]
      .join('\n')
      .split('\n')
      .find((text) => text.trim() !== '')
      ?.trim() ?? '';
  const characters = [...line];
  return characters.length > MAX_TITLE_LENGTH ? `${characters.slice(0, MAX_TITLE_LENGTH - 1).join('')}…` : line;
}

/** Without the stack trace, which names files of the host. That goes to the log. */
export function errorInfo(error: unknown): ErrorInfo {
  if (error instanceof RpcError && error.code === ErrorCode.AuthRequired) return { errorType: 'authRequired', message: error.message };
  return { errorType: error instanceof Error ? error.name : 'Error', message: messageOf(error) };
}
