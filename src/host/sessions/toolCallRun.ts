/**
 * One tool call of a running turn. What its agent reports goes into the chat's state, and the decisions of users and clients go to the
 * agent.
 */
import type { ChatAction, ChatActionOf } from '../../ahp/channels/chat/actions.ts';
import * as l10n from '../../base/l10n.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import type { StringOrMarkdown, URI } from '../../ahp/common/shapes.ts';
import type { ToolCallResult, ToolResultContent } from '../../ahp/common/tools.ts';
import { type ContextPart, withContext } from '../../base/text/contextBlock.ts';
import type { AgentToolCall, ConfirmationResult, HookVerdict, ToolCallConfirmation, ToolCallReady, ToolUse } from '../agents/agent.ts';

/** What a call needs of its turn. */
export interface ToolCallTurn {
  readonly chat: URI;
  readonly id: string;
  /** Does nothing after the end of the turn. */
  dispatch(action: ChatAction): void;
  /** The promise rejects at the end of the turn at the latest. */
  wait<T>(begin: (resolve: (value: T) => void, reject: (reason: Error) => void) => void): Promise<T>;
  toolCallState(toolCallId: string): ToolCallState | undefined;
  /** It is connected, or may come back soon. */
  isExpected(clientId: string): boolean;
  /** Whether the call may run. Never rejects. */
  evaluate(use: ToolUse): Promise<HookVerdict>;
}

export class ToolCallRun implements AgentToolCall {
  #decide: ((result: ConfirmationResult) => void) | undefined;
  #decideResult: ((result: { approved: boolean }) => void) | undefined;
  /** Set when the client that provides the tool has completed the call, or has gone. */
  #clientOutcome: { result: ToolCallResult } | { error: Error } | undefined;
  #onClientOutcome: (() => void) | undefined;
  /** The client's result, held back until the user agrees to it. */
  #unconfirmedResult: ToolCallResult | undefined;
  /** By input: what the rules say. */
  readonly #verdicts = new Map<string | undefined, Promise<HookVerdict>>();
  /** What the rules have for the model, with the result. */
  #context: readonly ContextPart[] = [];

  constructor(
    private readonly turn: ToolCallTurn,
    readonly id: string,
    private readonly toolName: string,
    private readonly toolClientId: string | undefined,
  ) {}

  inputDelta(text: string, invocationMessage?: StringOrMarkdown): void {
    this.turn.dispatch({
      ...this.#action('chat/toolCallDelta'),
      content: text,
      ...(invocationMessage !== undefined && { invocationMessage }),
    });
  }

  run(ready: ToolCallReady, reason: 'not-needed' | 'setting'): void {
    this.turn.dispatch({ ...this.#action('chat/toolCallReady'), ...ready, confirmed: reason });
    this.#failWithoutClient();
  }

  check(ready: ToolCallReady, input = ready.toolInput): Promise<HookVerdict> {
    const known = this.#verdicts.get(input) ?? this.#check(ready, input);
    this.#verdicts.set(input, known);
    return known;
  }

  async confirm(confirmation: ToolCallConfirmation): Promise<ConfirmationResult> {
    const { invocationMessage, toolInput } = confirmation;
    // What was checked by the agent may be shown in other words.
    const before = this.#verdicts.size > 0 ? undefined : await this.check({ invocationMessage, toolInput });
    if (before?.allowed === false) return deniedByRule(before.message);
    this.turn.dispatch({ ...this.#action('chat/toolCallReady'), ...confirmation });
    const decision = await this.turn.wait<ConfirmationResult>((resolve) => {
      this.#decide = resolve;
      this.#failWithoutClient();
    });
    if (!decision.approved || decision.toolInput === toolInput) return decision;
    const after = await this.check({ invocationMessage, toolInput: decision.toolInput });
    return after.allowed ? decision : deniedByRule(after.message);
  }

  setContent(content: ToolResultContent[]): void {
    this.turn.dispatch({ ...this.#action('chat/toolCallContentChanged'), content });
  }

  complete(result: ToolCallResult): void {
    if (this.#isOpen()) this.turn.dispatch({ ...this.#action('chat/toolCallComplete'), result: this.#withContext(result) });
  }

  completeWithResultConfirmation(result: ToolCallResult): Promise<{ approved: boolean }> {
    const complete = { ...this.#action('chat/toolCallComplete'), result: this.#withContext(result) };
    this.turn.dispatch({ ...complete, requiresResultConfirmation: true });
    return this.turn.wait((resolve) => (this.#decideResult = resolve));
  }

  waitForClient(): Promise<ToolCallResult> {
    this.#failWithoutClient();
    return this.turn.wait((resolve, reject) => {
      this.#onClientOutcome = () => {
        const outcome = this.#clientOutcome;
        if (!outcome) return;
        if ('result' in outcome) resolve(this.#withContext(outcome.result));
        else reject(outcome.error);
      };
      this.#onClientOutcome();
    });
  }

  /** Called after a client's action about this call was applied to the state. */
  settle(action: ChatActionOf<'chat/toolCallConfirmed' | 'chat/toolCallComplete' | 'chat/toolCallResultConfirmed'>): void {
    const state = this.turn.toolCallState(this.id);
    switch (action.type) {
      case 'chat/toolCallConfirmed': {
        const option = state && 'selectedOption' in state ? state.selectedOption : undefined;
        if (action.approved) return this.#decided({ approved: true, toolInput: inputOf(state), option });
        const { reason, reasonMessage: message, userSuggestion: suggestion } = action;
        return this.#decided({ approved: false, reason, message, suggestion, option });
      }
      case 'chat/toolCallComplete':
        // Completing a call that waits for confirmation means that none was needed.
        this.#decided({ approved: true, toolInput: inputOf(state), option: undefined });
        if (action.requiresResultConfirmation) this.#unconfirmedResult = action.result;
        else this.#clientDone({ result: action.result });
        return;
      case 'chat/toolCallResultConfirmed':
        this.#decideResult?.({ approved: action.approved });
        if (this.#unconfirmedResult) this.#clientDone({ result: action.approved ? this.#unconfirmedResult : withheldResult });
        return;
    }
  }

  /** A client has disconnected and did not come back. If it provides the tool, the call fails. */
  clientGone(clientId: string): void {
    if (this.toolClientId === clientId) this.#failWithoutClient();
  }

  async #check(ready: ToolCallReady, input: string | undefined): Promise<HookVerdict> {
    const { chat, id: turnId } = this.turn;
    const asking = this.turn.evaluate({ chat, turnId, toolCallId: this.id, toolName: this.toolName, input });
    const verdict = await this.turn.wait<HookVerdict>((resolve) => void asking.then(resolve));
    if (verdict.allowed) this.#context = verdict.context.map(({ provider, content }) => ({ kind: 'hook', provider, content }));
    else this.#deny(ready, verdict.message);
    return verdict;
  }

  #deny(ready: ToolCallReady, message: string): void {
    if (this.turn.toolCallState(this.id)?.status === 'running') {
      const result: ToolCallResult = { success: false, pastTenseMessage: ready.invocationMessage, error: { message, code: 'denied' } };
      this.turn.dispatch({ ...this.#action('chat/toolCallComplete'), result });
      return;
    }
    this.turn.dispatch({ ...this.#action('chat/toolCallReady'), ...ready });
    this.turn.dispatch({ ...this.#action('chat/toolCallConfirmed'), approved: false, reason: 'denied', reasonMessage: message });
  }

  /** In a marked block, because it is the text of providers and not of the tool. */
  #withContext(result: ToolCallResult): ToolCallResult {
    if (this.#context.length === 0) return result;
    return { ...result, content: [...(result.content ?? []), { type: 'text', text: withContext(this.#context, '') }] };
  }

  #failWithoutClient(): void {
    const { toolClientId } = this;
    if (toolClientId === undefined || this.#clientOutcome || this.turn.isExpected(toolClientId)) return;
    // A call whose input is still streaming cannot be completed. It fails when the input is complete.
    if (!this.#isOpen()) return;
    const isRunning = this.turn.toolCallState(this.id)?.status === 'running';
    const effect = isRunning ? ' Whether the tool had an effect is not known.' : '';
    const message = `The client that provides this tool is not connected any more.${effect}`;
    const result: ToolCallResult = { success: false, pastTenseMessage: message, error: { message, code: 'client-gone' } };
    this.turn.dispatch({ ...this.#action('chat/toolCallComplete'), result });
    this.#clientDone({ error: new Error(message) });
    this.#decided({ approved: false, reason: 'skipped', message, suggestion: undefined, option: undefined });
  }

  #clientDone(outcome: { result: ToolCallResult } | { error: Error }): void {
    this.#clientOutcome = outcome;
    this.#onClientOutcome?.();
  }

  #decided(result: ConfirmationResult): void {
    this.#decide?.(result);
    this.#decide = undefined;
  }

  #isOpen(): boolean {
    const status = this.turn.toolCallState(this.id)?.status;
    return status === 'running' || status === 'pending-confirmation';
  }

  #action<T extends string>(type: T): { type: T; turnId: string; toolCallId: string } {
    return { type, turnId: this.turn.id, toolCallId: this.id };
  }
}

function deniedByRule(message: string): ConfirmationResult {
  return { approved: false, byRule: true, reason: 'denied', message, suggestion: undefined, option: undefined };
}

const withheldResult: ToolCallResult = {
  success: false,
  pastTenseMessage: l10n.t('The result was withheld.'),
  error: { message: 'The user decided that the model must not see the result.', code: 'result-denied' },
};

function inputOf(state: ToolCallState | undefined): string | undefined {
  // The host's own calls have it inline.
  return state && 'toolInput' in state && typeof state.toolInput === 'string' ? state.toolInput : undefined;
}
