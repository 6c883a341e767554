/** One running turn. What its agent reports becomes actions, and the decisions of clients go to the agent. */
import { randomUUID } from 'node:crypto';
import type { ErrorInfo, URI, UsageInfo, UserMessage } from '../../ahp/v1/common.ts';
import type { SessionInputAnswer, SessionInputRequest } from '../../ahp/v1/inputRequest.ts';
import type { PendingMessage, SessionAction, SessionState } from '../../ahp/v1/session.ts';
import type { ToolCallState } from '../../ahp/v1/toolCall.ts';
import { Emitter } from '../../base/event.ts';
import { findToolCall } from '../checks/actionChecks.ts';
import { SECTIONS } from '../../ahp/hookRequests.ts';
import type { ClientHooks } from '../hooks/clientHooks.ts';
import { withRecord } from '../hooks/sectionRecords.ts';
import type {
  AgentToolCall,
  AgentTurn,
  HookVerdict,
  InputResponse,
  SubagentTurn,
  SystemSections,
  TakenMessage,
  ToolUse,
} from '../agents/agent.ts';
import { finalAnswers } from '../checks/inputAnswers.ts';
import { unheardMessages } from './returnedMessages.ts';
import { metaChanged, UNHEARD } from './sessionMeta.ts';
import type { StateStore } from '../state/stateStore.ts';
import { ToolCallRun, type ToolCallTurn } from './toolCallRun.ts';

export interface TurnOptions {
  store: StateStore;
  session: URI;
  id: string;
  userMessage: UserMessage;
  /** It is connected, or may come back soon. */
  isExpected(clientId: string): boolean;
  hooks: ClientHooks;
}

export class TurnRun implements AgentTurn, ToolCallTurn {
  readonly session: URI;
  readonly id: string;
  readonly userMessage: UserMessage;
  readonly #store: StateStore;
  readonly #abort = new AbortController();
  readonly #openWaits = new Set<(reason: Error) => void>();
  readonly #toolCalls = new Map<string, ToolCallRun>();
  readonly #inputs = new Map<string, (response: InputResponse) => void>();
  readonly #didReceiveSteering = new Emitter<void>();
  readonly #didEnd = new Emitter<void>();
  /** The part that text is appended to, until another part is added. */
  #openPart: { kind: 'markdown' | 'reasoning'; id: string } | undefined;
  #over: Error | undefined;

  readonly onDidReceiveSteering = this.#didReceiveSteering.event;
  readonly onDidEnd = this.#didEnd.event;

  constructor(private readonly options: TurnOptions) {
    this.session = options.session;
    this.id = options.id;
    this.userMessage = options.userMessage;
    this.#store = options.store;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }
  get isOver(): boolean {
    return this.#over !== undefined;
  }

  markdown(text: string): void {
    this.#appendText('markdown', text);
  }
  reasoning(text: string): void {
    this.#appendText('reasoning', text);
  }
  usage(usage: UsageInfo): void {
    this.dispatch({ type: 'session/usage', session: this.session, turnId: this.id, usage });
  }

  toolCall(options: Parameters<AgentTurn['toolCall']>[0]): AgentToolCall {
    const { toolCallId = randomUUID(), ...rest } = options;
    if (this.#toolCalls.has(toolCallId)) throw new Error(`the turn has a tool call ${toolCallId} already`);
    this.#openPart = undefined;
    const call = new ToolCallRun(this, toolCallId, options.toolName, options.toolClientId);
    this.#toolCalls.set(toolCallId, call);
    this.dispatch({ type: 'session/toolCallStart', session: this.session, turnId: this.id, toolCallId, ...rest });
    return call;
  }

  ask(request: Omit<SessionInputRequest, 'id'>): Promise<InputResponse> {
    const id = randomUUID();
    this.dispatch({ type: 'session/inputRequested', session: this.session, request: { ...request, id } });
    return this.wait((resolve) => this.#inputs.set(id, resolve));
  }

  takeSteeringMessage(): TakenMessage | undefined {
    const state = this.#over ? undefined : this.#store.session(this.session);
    const message = state?.steeringMessage;
    if (!message) return undefined;
    this.dispatch(metaChanged(state, UNHEARD, [...unheardMessages(state), message]));
    this.dispatch({ type: 'session/pendingMessageRemoved', session: this.session, kind: 'steering', id: message.id });
    return { userMessage: message.userMessage, heard: () => this.#heard(message) };
  }

  /** Called after a client's action was applied. `before` is the state that it was checked against. */
  settle(action: SessionAction, before: SessionState): void {
    switch (action.type) {
      case 'session/toolCallConfirmed':
      case 'session/toolCallComplete':
      case 'session/toolCallResultConfirmed':
        this.#toolCalls.get(action.toolCallId)?.settle(action);
        break;
      case 'session/inputCompleted': {
        const request = before.inputRequests?.find(({ id }) => id === action.requestId);
        const resolve = this.#inputs.get(action.requestId);
        if (!request || !resolve) break;
        this.#inputs.delete(action.requestId);
        if (action.response === 'accept') resolve({ response: 'accept', answers: given(finalAnswers(request, action.answers)) });
        else resolve({ response: action.response === 'decline' ? 'decline' : 'cancel' });
        break;
      }
      case 'session/pendingMessageSet':
        if (action.kind === 'steering') this.#didReceiveSteering.fire();
        break;
      default:
    }
  }

  clientGone(clientId: string): void {
    for (const call of this.#toolCalls.values()) call.clientGone(clientId);
  }

  /** Ends the turn: nothing is dispatched any more, and every open wait rejects with `reason`. With `abort` the agent is told to stop. */
  end(reason: Error, abort: boolean): void {
    if (this.#over) return;
    this.#over = reason;
    for (const reject of this.#openWaits) reject(reason);
    this.#openWaits.clear();
    if (abort) this.#abort.abort(reason);
    this.#didReceiveSteering.dispose();
    this.#didEnd.fire();
    this.#didEnd.dispose();
  }

  dispatch(action: SessionAction): void {
    if (!this.#over) this.#store.dispatch(action);
  }

  wait<T>(begin: (resolve: (value: T) => void, reject: (reason: Error) => void) => void): Promise<T> {
    if (this.#over) return Promise.reject(this.#over);
    const wait = new Promise<T>((resolve, reject) => {
      this.#openWaits.add(reject);
      const settled = () => this.#openWaits.delete(reject);
      begin(
        (value) => (settled(), resolve(value)),
        (reason) => (settled(), reject(reason)),
      );
    });
    // An agent that is waiting for something else when the turn ends must not cause an unhandled rejection.
    wait.catch(() => undefined);
    return wait;
  }

  toolCallState(toolCallId: string): ToolCallState | undefined {
    const state = this.#store.session(this.session);
    return state?.activeTurn?.id === this.id ? findToolCall(state, toolCallId) : undefined;
  }

  isExpected(clientId: string): boolean {
    return this.options.isExpected(clientId);
  }

  evaluate(use: ToolUse): Promise<HookVerdict> {
    return this.options.hooks.evaluate(use);
  }

  async sections(current: Readonly<Record<string, string>>): Promise<SystemSections> {
    const asking = this.options.hooks.sections(this.session, this.id, current);
    const added = await this.wait<SystemSections>((resolve) => void asking.then(resolve));
    const state = this.#store.session(this.session);
    const records = state && withRecord(state, this.id, added);
    if (records) this.dispatch(metaChanged(state, SECTIONS, records.length > 0 ? records : undefined));
    return added;
  }

  #heard(message: PendingMessage): void {
    const state = this.#store.session(this.session);
    if (!state) return;
    const left = unheardMessages(state).filter((other) => other !== message);
    this.dispatch(metaChanged(state, UNHEARD, left.length === 0 ? undefined : left));
  }

  #appendText(kind: 'markdown' | 'reasoning', text: string): void {
    if (text === '') return;
    const target = { session: this.session, turnId: this.id };
    if (this.#openPart?.kind === kind) {
      const type = kind === 'markdown' ? 'session/delta' : 'session/reasoning';
      this.dispatch({ type, ...target, partId: this.#openPart.id, content: text });
      return;
    }
    this.#openPart = { kind, id: randomUUID() };
    this.dispatch({ type: 'session/responsePart', ...target, part: { ...this.#openPart, content: text } });
  }
}

/** The turn of a subagent. It has no backend: the agent that started it ends it. */
export class SubagentTurnRun extends TurnRun implements SubagentTurn {
  constructor(
    options: TurnOptions,
    private readonly finish: (error?: ErrorInfo) => void,
  ) {
    super(options);
  }
  complete(): void {
    this.finish();
  }
  fail(error: ErrorInfo): void {
    this.finish(error);
  }
}

/** Drafts that were not submitted are not answers. */
function given(answers: Readonly<Record<string, SessionInputAnswer>>): Record<string, SessionInputAnswer> {
  return Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer.state !== 'draft'));
}
