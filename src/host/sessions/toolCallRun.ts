/** One tool call of a turn in progress: what its agent says goes into the session's state, what people and clients decide comes back. */
import type { StringOrMarkdown, URI } from '../../ahp/v1/common.ts';
import type { SessionAction } from '../../ahp/v1/session.ts';
import type {
  SessionToolCallCompleteAction,
  SessionToolCallConfirmedAction,
  SessionToolCallResultConfirmedAction,
  ToolCallResult,
  ToolCallState,
  ToolResultContent,
} from '../../ahp/v1/toolCall.ts';
import type { AgentToolCall, ConfirmationResult, ToolCallConfirmation, ToolCallReady } from '../agents/agent.ts';

/** What a call needs of its turn. */
export interface ToolCallTurn {
  readonly session: URI;
  readonly id: string;
  /** Does nothing once the turn is over. */
  dispatch(action: SessionAction): void;
  /** A promise that rejects at the latest when the turn is over. */
  wait<T>(begin: (resolve: (value: T) => void, reject: (reason: Error) => void) => void): Promise<T>;
  toolCallState(toolCallId: string): ToolCallState | undefined;
  isConnected(clientId: string): boolean;
}

export class ToolCallRun implements AgentToolCall {
  #decide: ((result: ConfirmationResult) => void) | undefined;
  #decideResult: ((result: { approved: boolean }) => void) | undefined;
  /** Set once the owning client has completed the call, or has gone. */
  #clientOutcome: { result: ToolCallResult } | { error: Error } | undefined;
  #onClientOutcome: (() => void) | undefined;
  /** What the client returned, held back until a person agrees to it. */
  #unconfirmedResult: ToolCallResult | undefined;

  constructor(
    private readonly turn: ToolCallTurn,
    readonly id: string,
    private readonly toolClientId: string | undefined,
  ) {}

  inputDelta(text: string, invocationMessage?: StringOrMarkdown): void {
    this.turn.dispatch({
      ...this.#action('session/toolCallDelta'),
      content: text,
      ...(invocationMessage !== undefined && { invocationMessage }),
    });
  }

  run(ready: ToolCallReady, reason: 'not-needed' | 'setting'): void {
    this.turn.dispatch({ ...this.#action('session/toolCallReady'), ...ready, confirmed: reason });
    this.#failWithoutClient();
  }

  confirm(confirmation: ToolCallConfirmation): Promise<ConfirmationResult> {
    this.turn.dispatch({ ...this.#action('session/toolCallReady'), ...confirmation });
    return this.turn.wait((resolve) => {
      this.#decide = resolve;
      this.#failWithoutClient();
    });
  }

  setContent(content: ToolResultContent[]): void {
    this.turn.dispatch({ ...this.#action('session/toolCallContentChanged'), content });
  }

  complete(result: ToolCallResult): void {
    if (this.#isOpen()) this.turn.dispatch({ ...this.#action('session/toolCallComplete'), result });
  }

  completeWithResultConfirmation(result: ToolCallResult): Promise<{ approved: boolean }> {
    this.turn.dispatch({ ...this.#action('session/toolCallComplete'), result, requiresResultConfirmation: true });
    return this.turn.wait((resolve) => (this.#decideResult = resolve));
  }

  waitForClient(): Promise<ToolCallResult> {
    this.#failWithoutClient();
    return this.turn.wait((resolve, reject) => {
      this.#onClientOutcome = () => {
        const outcome = this.#clientOutcome;
        if (!outcome) return;
        if ('result' in outcome) resolve(outcome.result);
        else reject(outcome.error);
      };
      this.#onClientOutcome();
    });
  }

  /** A client's action about this call is in the state now. */
  settle(action: SessionToolCallConfirmedAction | SessionToolCallCompleteAction | SessionToolCallResultConfirmedAction): void {
    const state = this.turn.toolCallState(this.id);
    switch (action.type) {
      case 'session/toolCallConfirmed': {
        const option = state && 'selectedOption' in state ? state.selectedOption : undefined;
        if (action.approved) return this.#decided({ approved: true, toolInput: inputOf(state), option });
        const { reason, reasonMessage: message, userSuggestion: suggestion } = action;
        return this.#decided({ approved: false, reason, message, suggestion, option });
      }
      case 'session/toolCallComplete':
        // Completing a call that waits for a confirmation counts as "none was needed".
        this.#decided({ approved: true, toolInput: inputOf(state), option: undefined });
        if (action.requiresResultConfirmation) this.#unconfirmedResult = action.result;
        else this.#clientDone({ result: action.result });
        return;
      case 'session/toolCallResultConfirmed':
        this.#decideResult?.({ approved: action.approved });
        if (this.#unconfirmedResult) this.#clientDone({ result: action.approved ? this.#unconfirmedResult : withheldResult });
        return;
    }
  }

  /** The connection of a client is gone; when it was the one that runs this call, the call has failed. */
  clientLeft(clientId: string): void {
    if (this.toolClientId === clientId) this.#failWithoutClient();
  }

  #failWithoutClient(): void {
    const { toolClientId } = this;
    if (toolClientId === undefined || this.#clientOutcome || this.turn.isConnected(toolClientId)) return;
    // A call whose input still streams cannot be completed; it fails when it is ready.
    if (!this.#isOpen()) return;
    const message = 'The client that provides this tool is not connected any more.';
    const result: ToolCallResult = { success: false, pastTenseMessage: message, error: { message, code: 'client-gone' } };
    this.turn.dispatch({ ...this.#action('session/toolCallComplete'), result });
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

  #action<T extends string>(type: T): { type: T; session: URI; turnId: string; toolCallId: string } {
    return { type, session: this.turn.session, turnId: this.turn.id, toolCallId: this.id };
  }
}

const withheldResult: ToolCallResult = {
  success: false,
  pastTenseMessage: 'The result was withheld.',
  error: { message: 'A person decided that the model must not see the result.', code: 'result-denied' },
};

function inputOf(state: ToolCallState | undefined): string | undefined {
  return state && 'toolInput' in state ? state.toolInput : undefined;
}
