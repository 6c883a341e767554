/**
 * Runs one session: its backend, its turns (one at a time), and its pending messages.
 *
 * When the session is idle, pending messages start turns: a steering message that no turn took first, then the queue in order. After a turn
 * that was cancelled, failed or truncated the queue is held, because its messages were written for another outcome. It continues when the
 * user sends a message or reorders the queue.
 */
import { randomUUID } from 'node:crypto';
import type { ActionOrigin } from '../../ahp/v1/actions.ts';
import type { ErrorInfo, ModelSelection, URI, UserMessage } from '../../ahp/v1/common.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import type { SessionModelChangedAction, SessionTurnStartedAction } from '../../ahp/v1/clientActions.ts';
import type { SessionAction, SessionState } from '../../ahp/v1/session.ts';
import { splitContext } from '../../base/contextBlock.ts';
import { messageOf, withTimeout } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { sameJson } from '../../base/sameJson.ts';
import { NOT_SAVED } from '../../ahp/sessionMetaKeys.ts';
import { check, modelProblem } from '../checks/actionChecks.ts';
import type { Agent, AgentSession, AgentSessionHost, SubagentTurn } from '../agents/agent.ts';
import type { ClientHooks } from '../hooks/clientHooks.ts';
import { returnMessages } from './returnedMessages.ts';
import { SessionBackend } from './sessionBackend.ts';
import { metaChanged } from './sessionMeta.ts';
import type { Lenders } from '../state/lenders.ts';
import { messageModel } from '../state/messageModels.ts';
import type { StateStore } from '../state/stateStore.ts';
import { SubagentTurnRun, TurnRun } from './turnRun.ts';

/** How long an agent may take to make the backend of a session. */
const CREATION_TIMEOUT_MS = 60_000;
/** How long a new turn waits until the agent has stopped working on the cancelled one before it. */
const WIND_DOWN_TIMEOUT_MS = 15_000;
const MAX_TAKEN = 100;
/** Characters of a title that is made from the first message. */
const MAX_TITLE_LENGTH = 80;

const HOST_RESTARTED: ErrorInfo = {
  errorType: 'hostRestarted',
  message: 'The agent host ended while this turn was running. What it had written until then is kept. Send a message to go on.',
};

export interface SessionRunnerOptions {
  store: StateStore;
  lenders: Lenders;
  logger: Logger;
  /** It is connected, or may come back soon. */
  isExpected(clientId: string): boolean;
  hooks: ClientHooks;
  /** Why the session cannot be saved at present. It accepts no messages then. */
  saveProblem?(): string | undefined;
  creationTimeoutMs?: number;
  windDownTimeoutMs?: number;
}

interface Held<A> {
  action: A;
  origin: ActionOrigin;
}

/** `origin`: of a client that waits for the answer. */
type HeldModel = Pick<Held<SessionModelChangedAction>, 'action'> & Partial<Held<SessionModelChangedAction>>;

/** The session's state is in the store for the whole lifetime of its runner. */
export class SessionRunner implements Disposable {
  readonly #store: StateStore;
  readonly #logger: Logger;
  /** Absent in the session of a subagent, which has no agent of its own. */
  #backend: SessionBackend | undefined;
  /** Settles when the agent has finished its last work. Never rejects. */
  #agentWork: Promise<unknown> = Promise.resolve();
  #turn: TurnRun | undefined;
  #queueHeld = false;
  /** Ids of the messages that were taken from the queue last. A change of one that comes too late must not send it a second time. */
  #taken: readonly string[] = [];
  /** A turn that was requested while the session was being created. It starts when the session is ready. */
  #heldTurn: Held<SessionTurnStartedAction> | undefined;
  /** A model that was chosen during a turn. It applies when the turn ends. */
  #heldModel: HeldModel | undefined;
  #disposed = false;

  constructor(
    readonly uri: URI,
    private readonly options: SessionRunnerOptions,
  ) {
    this.#store = options.store;
    this.#logger = options.logger;
  }

  get turn(): TurnRun | undefined {
    return this.#turn;
  }

  /** Creates the backend. The session becomes ready or `creationFailed`, and the promise resolves in both cases. */
  async create(agent: Agent, host: AgentSessionHost): Promise<void> {
    this.#backend = this.#backendOf(() => agent.createSession(host));
    try {
      await this.#backend.obtain();
    } catch (error) {
      if (this.#disposed) return;
      this.#logger.warn(`session ${this.uri} could not be created: ${messageOf(error)}`);
      this.#store.dispatch({ type: 'session/creationFailed', session: this.uri, error: errorInfo(error) });
      this.#rejectHeldTurn(`the session could not be created: ${messageOf(error)}`);
      return;
    }
    // `dispose` has taken care of the backend.
    if (this.#disposed) return;
    this.#store.dispatch({ type: 'session/ready', session: this.uri });
    this.#whenReady();
  }

  /**
   * Opens a session of an earlier run, and closes what was in progress then. `makeBackend` is called when a turn needs the backend. It is
   * absent for the session of a subagent.
   */
  resume(makeBackend: (() => Promise<AgentSession>) | undefined): void {
    this.#backend = makeBackend && this.#backendOf(makeBackend);
    this.#queueHeld = true;
    const state = this.#state();
    if (!state) return;
    const { uri: session } = this;
    if (state.activeClient) this.#store.dispatch({ type: 'session/activeClientChanged', session, activeClient: null });
    if (state.activeTurn) this.#store.dispatch({ type: 'session/error', session, turnId: state.activeTurn.id, error: HOST_RESTARTED });
    if (state.lifecycle === 'creating') this.#store.dispatch({ type: 'session/ready', session });
    if (state.summary.activity !== undefined) this.#store.dispatch({ type: 'session/activityChanged', session });
    this.noteSaveProblem(undefined);
    this.#returnMessages(true);
  }

  /** Tells clients that the session cannot be saved, which ends its turn, or that it is saved again. */
  noteSaveProblem(problem: string | undefined): void {
    const state = this.#state();
    if (!state) return;
    if (state._meta?.[NOT_SAVED] !== problem) this.#store.dispatch(metaChanged(state, NOT_SAVED, problem));
    if (problem === undefined) return;
    const turn = this.#turn;
    if (!turn) return;
    this.#store.dispatch({
      type: 'session/error',
      session: this.uri,
      turnId: turn.id,
      error: { errorType: 'notSaved', message: notSaved(problem) },
    });
    this.#stopTurn('the session cannot be saved');
  }

  /** True when nothing is in progress or pending, so that the session can be unloaded. */
  get isIdle(): boolean {
    const state = this.#state();
    return (
      state !== undefined &&
      !this.#turn &&
      !this.#heldTurn &&
      state.lifecycle !== 'creating' &&
      this.options.lenders.of(this.uri).length === 0 &&
      !state.steeringMessage &&
      !state.queuedMessages
    );
  }

  /** Makes this the session of a subagent, with one turn that the agent ends. */
  startSubagentTurn(prompt: string): SubagentTurn {
    const userMessage: UserMessage = { text: prompt };
    const turn: SubagentTurnRun = new SubagentTurnRun(this.#turnOptions(randomUUID(), userMessage), (error) => this.#finish(turn, error));
    this.#turn = turn;
    this.#store.dispatch({ type: 'session/turnStarted', session: this.uri, turnId: turn.id, userMessage });
    return turn;
  }

  /**
   * Takes an untrusted action of a client. Returns the reason when it is refused. Otherwise the action is dispatched, now or when its time
   * comes.
   */
  apply(action: SessionAction, origin: ActionOrigin): string | undefined {
    const before = this.#state();
    if (!before) return undefined;
    if (this.#cancelsHeldTurn(action)) {
      this.#rejectHeldTurn('the turn was cancelled before the session was ready');
      this.#queueHeld = true;
      this.#store.dispatch(action, origin);
      return undefined;
    }
    const reason = check(action, before, { clientId: origin.clientId, root: this.#store.root, takesTurns: this.#backend !== undefined });
    if (reason) return reason;
    if (action.type === 'session/pendingMessageSet' && this.#taken.includes(action.id) && !waits(before, action.id))
      return 'the message was sent already, so it cannot be changed';
    if (action.type === 'session/turnStarted' || action.type === 'session/pendingMessageSet') {
      const problem = this.options.saveProblem?.();
      if (problem !== undefined) return notSaved(problem);
      const model = messageModel(action.userMessage);
      const unknown = model && modelProblem(this.#store.root, before.summary.provider, model);
      if (unknown) return unknown;
    }
    if (action.type === 'session/turnStarted' && before.lifecycle === 'creating') {
      if (this.#heldTurn) return 'a turn waits already for the session to be ready';
      this.#heldTurn = { action, origin };
      return undefined;
    }
    if (action.type === 'session/modelChanged' && before.activeTurn) {
      this.#holdModel({ action, origin });
      return undefined;
    }
    if (action.type === 'session/turnStarted') this.#useModelOf(action.userMessage);
    this.#store.dispatch(action, origin);
    this.#follow(action, before);
    return undefined;
  }

  /** The session's agent offers the model. During a turn it waits for the turn's end. */
  chooseModel(model: ModelSelection): void {
    const state = this.#state();
    if (!state || sameJson(model, this.#heldModel?.action.model ?? state.summary.model)) return;
    const action: SessionModelChangedAction = { type: 'session/modelChanged', session: this.uri, model };
    if (state.activeTurn) this.#holdModel({ action });
    else this.#store.dispatch(action);
  }

  /** A client has disconnected and provides no tools any more. Its open calls wait for it. */
  clientLeft(clientId: string): void {
    if (this.#state()?.activeClient?.clientId === clientId) {
      this.#store.dispatch({ type: 'session/activeClientChanged', session: this.uri, activeClient: null });
    }
  }

  /** A client that had left did not come back. */
  clientGone(clientId: string): void {
    this.#turn?.clientGone(clientId);
  }

  /** Stops the current turn as if the user had cancelled it. */
  cancelTurn(reason: string): void {
    const turn = this.#turn;
    if (!turn) return;
    this.#store.dispatch({ type: 'session/turnCancelled', session: this.uri, turnId: turn.id });
    this.#stopTurn(reason);
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#turn?.end(new Error('the session was disposed'), true);
    this.#turn = undefined;
    this.#backend?.dispose();
  }

  #backendOf(make: () => Promise<AgentSession>): SessionBackend {
    return new SessionBackend(make, this.options.creationTimeoutMs ?? CREATION_TIMEOUT_MS);
  }

  /** Tells the agent about an accepted action of a client. */
  #follow(action: SessionAction, before: SessionState): void {
    switch (action.type) {
      case 'session/turnStarted':
        this.#queueHeld = false;
        this.#beginTurn(action.turnId, action.userMessage);
        break;
      case 'session/turnCancelled':
        this.#stopTurn('the turn was cancelled');
        break;
      case 'session/truncated':
        this.#stopTurn('the session was truncated');
        this.#truncateBackend(action.turnId);
        break;
      case 'session/pendingMessageSet':
        // Editing a queued message does not send one.
        if (action.kind === 'steering' || !before.queuedMessages?.some(({ id }) => id === action.id)) this.#queueHeld = false;
        this.#turn?.settle(action, before);
        this.#startNext();
        break;
      case 'session/queuedMessagesReordered':
        this.#queueHeld = false;
        this.#startNext();
        break;
      default:
        this.#turn?.settle(action, before);
    }
  }

  #whenReady(): void {
    const held = this.#heldTurn;
    this.#heldTurn = undefined;
    if (held) {
      const reason = this.apply(held.action, held.origin);
      if (reason) this.#store.reject(held.action, held.origin, reason);
    }
    this.#startNext();
  }

  #holdModel(held: HeldModel): void {
    const earlier = this.#heldModel;
    if (earlier?.origin) this.#store.reject(earlier.action, earlier.origin, 'another model was chosen before the turn ended');
    this.#heldModel = held;
  }

  #cancelsHeldTurn(action: SessionAction): boolean {
    return this.#heldTurn !== undefined && action.type === 'session/turnCancelled' && action.turnId === this.#heldTurn.action.turnId;
  }

  /** The sender gets the message back. */
  #rejectHeldTurn(reason: string): void {
    const held = this.#heldTurn;
    this.#heldTurn = undefined;
    if (held) this.#store.reject(held.action, held.origin, reason);
  }

  #startNext(): void {
    const state = this.#state();
    if (!state || this.#turn || this.#queueHeld || state.lifecycle !== 'ready' || !this.#backend) return;
    const next = state.steeringMessage ?? state.queuedMessages?.[0];
    if (!next) return;
    if (this.options.saveProblem?.() !== undefined) {
      this.#queueHeld = true;
      return;
    }
    const turnId = randomUUID();
    const { id: queuedMessageId, userMessage } = next;
    this.#taken = [...this.#taken.slice(1 - MAX_TAKEN), queuedMessageId];
    this.#useModelOf(userMessage);
    this.#store.dispatch({ type: 'session/turnStarted', session: this.uri, turnId, userMessage, queuedMessageId });
    this.#beginTurn(turnId, userMessage);
  }

  /** A message that starts a turn is for the model that it was sent with. */
  #useModelOf(message: UserMessage): void {
    const model = messageModel(message);
    if (model && !sameJson(model, this.#state()?.summary.model))
      this.#store.dispatch({ type: 'session/modelChanged', session: this.uri, model });
  }

  /** Gives a turn that is in the state to the agent. */
  #beginTurn(id: string, userMessage: UserMessage): void {
    const turn = new TurnRun(this.#turnOptions(id, userMessage));
    this.#turn = turn;
    const title = titleOf(userMessage);
    if (title && this.#state()?.summary.title === '') this.#store.dispatch({ type: 'session/titleChanged', session: this.uri, title });
    void this.#runTurn(turn);
  }

  /** Never rejects: an error becomes the outcome of the turn. */
  async #runTurn(turn: TurnRun): Promise<void> {
    try {
      const backend = await this.#backend?.obtain();
      if (!backend) throw new Error('the session has no backend');
      const windDownTimeoutMs = this.options.windDownTimeoutMs ?? WIND_DOWN_TIMEOUT_MS;
      await withTimeout(this.#agentWork, windDownTimeoutMs, 'the agent’s work on the turn before');
      if (turn.isOver) return;
      const work = backend.runTurn(turn);
      this.#agentWork = work.then(
        () => undefined,
        () => undefined, // The same error is handled below.
      );
      await work;
      this.#finish(turn);
    } catch (error) {
      if (turn.isOver) this.#logger.debug(`what a turn of ${this.uri} said after its end: ${messageOf(error)}`);
      else this.#finish(turn, errorInfo(error));
    }
  }

  #finish(turn: TurnRun, error?: ErrorInfo): void {
    if (turn.isOver || this.#turn !== turn) return;
    turn.end(new Error('the turn is over'), false);
    this.#turn = undefined;
    const ended = { session: this.uri, turnId: turn.id };
    this.#store.dispatch(error ? { type: 'session/error', ...ended, error } : { type: 'session/turnComplete', ...ended });
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
    const model = this.#heldModel;
    this.#heldModel = undefined;
    if (model) this.#store.dispatch(model.action, model.origin);
    this.#queueHeld = !completed;
    this.#returnMessages(!completed);
    this.#startNext();
  }

  /** The session of a subagent has no further turns that a message could start. */
  #returnMessages(steering: boolean): void {
    if (this.#backend) return returnMessages(this.#store, this.uri, steering);
    const message = this.#state()?.steeringMessage;
    if (message) this.#store.dispatch({ type: 'session/pendingMessageRemoved', session: this.uri, kind: 'steering', id: message.id });
  }

  #truncateBackend(turnId: string | undefined): void {
    const earlier = this.#agentWork;
    const truncating = async () => {
      await earlier;
      await this.#backend?.truncate(turnId);
    };
    this.#agentWork = truncating().catch((error: unknown) => this.#logger.error(`truncating ${this.uri} failed: ${messageOf(error)}`));
  }

  #turnOptions(id: string, userMessage: UserMessage) {
    const { store, isExpected, hooks } = this.options;
    return { store, session: this.uri, id, userMessage, isExpected, hooks };
  }

  #state(): SessionState | undefined {
    return this.#disposed ? undefined : this.#store.session(this.uri);
  }
}

function waits({ steeringMessage, queuedMessages }: SessionState, id: string): boolean {
  return steeringMessage?.id === id || (queuedMessages?.some((message) => message.id === id) ?? false);
}

function notSaved(problem: string): string {
  return `The session cannot be saved (${problem}), so it takes no messages until that works again.`;
}

/** The first line of the user's words that says something, else of what a provider has said, cut to a title's length. */
function titleOf(message: UserMessage): string {
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
function errorInfo(error: unknown): ErrorInfo {
  if (error instanceof RpcError && error.code === ErrorCode.AuthRequired) return { errorType: 'authRequired', message: error.message };
  return { errorType: error instanceof Error ? error.name : 'Error', message: messageOf(error) };
}
