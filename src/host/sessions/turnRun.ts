/** One running turn. What its agent reports becomes actions, and the decisions of clients go to the agent. */
import { randomUUID } from 'node:crypto';
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { Message, PendingMessage } from '../../ahp/channels/shapes/message.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import type { InputAnswer, InputRequest } from '../../ahp/common/inputRequest.ts';
import { type ModelCall, modelCallMeta } from '../../ahp/common/modelCalls.ts';
import type { ErrorInfo, URI, UsageInfo } from '../../ahp/common/shapes.ts';
import { Emitter } from '../../base/event.ts';
import { findToolCall, openRequest } from '../checks/chatChecks.ts';
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
import { keepUnheard, unheardMessages } from './returnedMessages.ts';
import { metaChanged } from '../state/sessionMeta.ts';
import type { StateStore } from '../state/stateStore.ts';
import { ToolCallRun, type ToolCallTurn } from './toolCallRun.ts';

export interface TurnOptions {
  store: StateStore;
  session: URI;
  chat: URI;
  id: string;
  message: Message;
  isResumed?: boolean;
  /** It is connected, or may come back soon. */
  isExpected(clientId: string): boolean;
  hooks: ClientHooks;
}

export class TurnRun implements AgentTurn, ToolCallTurn {
  readonly chat: URI;
  readonly id: string;
  readonly message: Message;
  readonly isResumed: boolean;
  readonly #session: URI;
  readonly #store: StateStore;
  readonly #abort = new AbortController();
  readonly #openWaits = new Set<(reason: Error) => void>();
  readonly #toolCalls = new Map<string, ToolCallRun>();
  readonly #inputs = new Map<string, (response: InputResponse) => void>();
  readonly #didReceiveSteering = new Emitter<void>();
  readonly #didEnd = new Emitter<void>();
  /** The part that text is appended to, until another part is added. */
  #openPart: { kind: 'markdown' | 'reasoning'; id: string } | undefined;
  /** When each call first began to run, in ms. */
  readonly #began = new Map<string, number>();
  #over: Error | undefined;

  readonly onDidReceiveSteering = this.#didReceiveSteering.event;
  readonly onDidEnd = this.#didEnd.event;

  constructor(private readonly options: TurnOptions) {
    this.chat = options.chat;
    this.id = options.id;
    this.message = options.message;
    this.isResumed = options.isResumed === true;
    this.#session = options.session;
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
  notice(text: string): void {
    this.#openPart = undefined;
    this.dispatch({ type: 'chat/responsePart', turnId: this.id, part: { kind: 'systemNotification', content: text } });
  }
  usage(usage: UsageInfo, call?: ModelCall): void {
    this.dispatch({ type: 'chat/usage', turnId: this.id, usage, ...(call && { _meta: modelCallMeta(call) }) });
  }

  toolCall(options: Parameters<AgentTurn['toolCall']>[0]): AgentToolCall {
    const { toolCallId: given = randomUUID(), toolClientId, ...rest } = options;
    if (this.#toolCalls.has(given)) throw new Error(`the turn has a tool call ${given} already`);
    // Some engines number their calls from the start when they go on.
    const toolCallId = this.isResumed && this.toolCallState(given) ? `${given}-${randomUUID()}` : given;
    this.#openPart = undefined;
    const call = new ToolCallRun(this, toolCallId, options.toolName, toolClientId);
    this.#toolCalls.set(toolCallId, call);
    const contributor = toolClientId === undefined ? undefined : { kind: 'client' as const, clientId: toolClientId };
    this.dispatch({ type: 'chat/toolCallStart', turnId: this.id, toolCallId, ...rest, ...(contributor && { contributor }) });
    return call;
  }

  ask(request: Omit<InputRequest, 'id'>): Promise<InputResponse> {
    const id = randomUUID();
    this.dispatch({ type: 'chat/inputRequested', request: { ...request, id } });
    return this.wait((resolve) => this.#inputs.set(id, resolve));
  }

  takeSteeringMessage(): TakenMessage | undefined {
    const session = this.#over ? undefined : this.#store.session(this.#session);
    const message = this.#over ? undefined : this.#store.chat(this.chat)?.steeringMessage;
    if (!session || !message) return undefined;
    keepUnheard(this.#store, this.#session, this.chat, [...unheardMessages(session, this.chat), message]);
    this.dispatch({ type: 'chat/pendingMessageRemoved', kind: 'steering', id: message.id });
    return { message: message.message, heard: () => this.#heard(message) };
  }

  /** Called after a client's action was applied. `before` is the state that it was checked against. */
  settle(action: ChatAction, before: ChatState): void {
    switch (action.type) {
      case 'chat/toolCallConfirmed':
      case 'chat/toolCallComplete':
      case 'chat/toolCallResultConfirmed':
        this.#toolCalls.get(action.toolCallId)?.settle(action);
        break;
      case 'chat/inputCompleted': {
        const request = openRequest(before, action.requestId);
        const resolve = this.#inputs.get(action.requestId);
        if (!request || !resolve) break;
        this.#inputs.delete(action.requestId);
        if (action.response === 'accept') resolve({ response: 'accept', answers: given(finalAnswers(request, action.answers)) });
        else resolve({ response: action.response === 'decline' ? 'decline' : 'cancel' });
        break;
      }
      case 'chat/pendingMessageSet':
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

  dispatch(action: ChatAction): void {
    if (!this.#over) this.#store.dispatch(this.chat, this.timed(action));
  }

  /** With the times of a call by the clock of the host, whatever a client says of them. */
  timed(action: ChatAction): ChatAction {
    const { now } = this.#store;
    switch (action.type) {
      case 'chat/toolCallReady':
        return action.confirmed === undefined ? action : { ...action, startedAt: this.#startOf(action.toolCallId, now) };
      case 'chat/toolCallConfirmed':
        return action.approved ? { ...action, startedAt: this.#startOf(action.toolCallId, now) } : action;
      case 'chat/toolCallComplete': {
        const { duration: _duration, ...rest } = action;
        const began = this.#began.get(action.toolCallId);
        return began === undefined ? rest : { ...rest, duration: Math.max(0, Math.round(now - began)) };
      }
      default:
        return action;
    }
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
    const state = this.#store.chat(this.chat);
    return state?.activeTurn?.id === this.id ? findToolCall(state, toolCallId) : undefined;
  }

  isExpected(clientId: string): boolean {
    return this.options.isExpected(clientId);
  }

  evaluate(use: ToolUse): Promise<HookVerdict> {
    return this.options.hooks.evaluate(use);
  }

  async sections(current: Readonly<Record<string, string>>): Promise<SystemSections> {
    const asking = this.options.hooks.sections(this.#session, this.id, current);
    const added = await this.wait<SystemSections>((resolve) => void asking.then(resolve));
    const state = this.#store.session(this.#session);
    const records = state && withRecord(state, this.id, added);
    if (records && !this.#over) this.#store.dispatch(this.#session, metaChanged(state, SECTIONS, records.length > 0 ? records : undefined));
    return added;
  }

  #startOf(toolCallId: string, now: number): string {
    const began = this.#began.get(toolCallId) ?? now;
    this.#began.set(toolCallId, began);
    return new Date(began).toISOString();
  }

  #heard(message: PendingMessage): void {
    const session = this.#over ? undefined : this.#store.session(this.#session);
    if (!session) return;
    const left = unheardMessages(session, this.chat).filter((other) => other.message !== message.message);
    keepUnheard(this.#store, this.#session, this.chat, left);
  }

  #appendText(kind: 'markdown' | 'reasoning', text: string): void {
    if (text === '') return;
    if (this.#openPart?.kind === kind) {
      const type = kind === 'markdown' ? 'chat/delta' : 'chat/reasoning';
      this.dispatch({ type, turnId: this.id, partId: this.#openPart.id, content: text });
      return;
    }
    this.#openPart = { kind, id: randomUUID() };
    this.dispatch({ type: 'chat/responsePart', turnId: this.id, part: { ...this.#openPart, content: text } });
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
function given(answers: Readonly<Record<string, InputAnswer>>): Record<string, InputAnswer> {
  return Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer.state !== 'draft'));
}
