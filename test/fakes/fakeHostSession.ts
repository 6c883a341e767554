/** A session at an agent host, as the bridge sees it: its state is what the test sets, and what is done there is written down. */
import type { Settlement } from '../../src/ahp/client/resources/subscription.ts';
import type { ToolCallResult, ToolDefinition } from '../../src/ahp/common/tools.ts';
import type { ReceivedSpan } from '../../src/ahp/telemetry/receivedSpans.ts';
import { Emitter } from '../../src/base/event.ts';
import type { Disposable } from '../../src/base/lifecycle.ts';
import { callOf, openCallsOf } from '../../src/extension/bridge/hosted/hostedTurns.ts';
import type {
  HostedCall,
  HostedPart,
  HostedSession,
  HostedTurn,
  HostQuestions,
  HostSession,
} from '../../src/extension/bridge/hosted/hostedSession.ts';

export const aCall = (fields: Partial<HostedCall> = {}): HostedCall => ({
  chat: undefined,
  turnId: 'turn',
  callId: 'call',
  toolName: 'work',
  clientId: 'me',
  status: 'running',
  input: undefined,
  isInputElsewhere: false,
  output: undefined,
  ...fields,
});
export const aTurn = (fields: Partial<HostedTurn> = {}): HostedTurn => ({ id: 'turn', text: 'hello', parts: [], isOver: false, ...fields });

export class FakeHostSession implements HostSession {
  readonly clientId = 'me';
  readonly answers = {};
  readonly did: unknown[] = [];
  turns: HostedTurn[] = [];
  /** Of turns that run in other chats. */
  otherCalls: HostedCall[] = [];
  /** What the host says to whatever it is sent next. */
  answer: (did: string) => Settlement | Promise<Settlement> = () => ({ kind: 'confirmed' });
  #state: Omit<HostedSession, 'turn' | 'calls'> = {
    status: 'live',
    label: 'a session',
    cwd: '/code',
    isIdle: true,
    isReady: true,
    agentTools: [],
    activity: undefined,
    lender: undefined,
    unknownChats: new Set(),
  };
  readonly #didSendSpans = new Emitter<readonly ReceivedSpan[]>();
  readonly #didChange = new Emitter<void>();
  readonly onDidChange = this.#didChange.event;

  get state(): HostedSession {
    const { lastTurn } = this;
    const turn = lastTurn?.isOver === false ? lastTurn : undefined;
    return { ...this.#state, turn, calls: [...openCallsOf(turn), ...this.otherCalls] };
  }
  get lastTurn(): HostedTurn | undefined {
    return this.turns.at(-1);
  }
  turn(turnId: string): HostedTurn | undefined {
    return this.turns.find(({ id }) => id === turnId);
  }
  callNow(call: HostedCall): HostedCall | undefined {
    const found = callOf(this.turn(call.turnId), call.callId);
    if (found && found.chat === call.chat) return found;
    return this.otherCalls.find(({ chat, turnId, callId }) => chat === call.chat && turnId === call.turnId && callId === call.callId);
  }
  turnsAfter(turnId: string | undefined): readonly HostedTurn[] | undefined {
    const at = this.turns.findIndex(({ id }) => id === turnId);
    return turnId !== undefined && at < 0 ? undefined : this.turns.slice(at + 1);
  }

  set(state: Partial<HostedSession>): void {
    this.#state = { ...this.#state, ...state };
    this.#didChange.fire();
  }
  /** The running turn has these parts now. */
  show(...parts: (HostedPart | HostedCall)[]): void {
    this.turns = [...this.turns.filter(({ isOver }) => isOver), aTurn({ parts: parts.map(asPart) })];
    this.#didChange.fire();
  }

  asksFirst = false;
  questions: HostQuestions | undefined;
  serve(questions: HostQuestions): void {
    this.questions = questions;
  }
  lend(tools: readonly ToolDefinition[]): Promise<Settlement> {
    this.#state = { ...this.#state, lender: { clientId: this.clientId, name: 'Tapline' } };
    return this.#do('lend', names(tools));
  }
  takeOver(tools: readonly ToolDefinition[]): Promise<Settlement> {
    this.did.push(['unset']);
    return this.lend(tools);
  }
  announce(tools: readonly ToolDefinition[]): Promise<Settlement> {
    return this.#do('announce', names(tools));
  }
  withdraw(): void {
    this.#state = { ...this.#state, lender: undefined };
    this.did.push(['withdraw']);
  }
  report({ callId }: HostedCall, text: string): void {
    this.did.push(['report', callId, text]);
  }
  complete({ callId }: HostedCall, result: ToolCallResult): Promise<Settlement> {
    return this.#do('complete', callId, result);
  }
  deny({ callId }: HostedCall, reason: string): Promise<Settlement> {
    return this.#do('deny', callId, reason);
  }
  send(text: string): Promise<Settlement> {
    return this.#do('send', text);
  }
  readSpans(listener: (spans: readonly ReceivedSpan[]) => void): Disposable {
    return this.#didSendSpans.event(listener);
  }
  isOwnSpan(span: ReceivedSpan): boolean {
    return span.attributes['ahp.session'] === 'ours';
  }
  /** The host sends these spans to whoever reads them. */
  sendSpans(...spans: ReceivedSpan[]): void {
    this.#didSendSpans.fire(spans);
  }
  dispose(): void {
    this.#didChange.dispose();
  }

  async #do(what: string, ...how: unknown[]): Promise<Settlement> {
    this.did.push([what, ...how]);
    return this.answer(what);
  }
}

function asPart(part: HostedPart | HostedCall): HostedPart {
  return 'kind' in part ? part : { kind: 'call', call: part };
}

const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name).join();
