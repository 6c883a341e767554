/** Answers tool calls, gates and transforms on one connection, each exactly once. */
import { englishOf } from '../../base/errors.ts';
import { FileResult, type Incoming, type ProviderOptions } from './providerApi.ts';
import { ToolError } from './providerErrors.ts';
import { resultOf } from './results.ts';
import { ToolErrorCode } from '../wire/errorCodes.ts';
import type { ProviderInput } from '../wire/providerMessages.ts';
import type { UserAnswer, UserQuestion } from '../wire/userQuestion.ts';

const MAX_ERROR_LENGTH = 10_000;
const MAX_CODE_LENGTH = 200;

export class Answers {
  readonly #calls = new Map<string, AbortController>();
  readonly #questions = new Map<string, (answer: UserAnswer) => void>();
  #asked = 0;

  /** `say` throws for a message that cannot be sent. */
  constructor(
    private readonly options: ProviderOptions,
    private readonly say: (message: ProviderInput) => void,
    private readonly report: (error: unknown) => void,
  ) {}

  async call({ id, tool, args, sessionId, metadata }: Incoming<'tool.call'>): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.#calls.set(id, controller);
    const answer = (message: ProviderInput) => {
      if (signal.aborted) return;
      this.say(message);
      this.#calls.delete(id);
    };
    const progress = (message: string) => {
      if (this.#calls.get(id) === controller) this.#try(() => this.say({ type: 'tool.progress', id, message }));
    };
    const ask = (question: UserQuestion) => this.#ask(id, question, signal);
    const traceparent = metadata?.traceparent;
    const traced = typeof traceparent === 'string' ? { traceparent } : {};
    try {
      const data = await this.options.onToolCall?.({ tool, args, sessionId, ...traced, signal, progress, ask });
      answer({ type: 'tool.result', id, ...(data instanceof FileResult ? { file: data.file } : { data: resultOf(data) }) });
    } catch (error) {
      const { code, retryable } = error instanceof ToolError ? error : { code: ToolErrorCode.Internal, retryable: false };
      const failure = { error: englishOf(error).slice(0, MAX_ERROR_LENGTH), errorCode: String(code).slice(0, MAX_CODE_LENGTH), retryable };
      this.#try(() => answer({ type: 'tool.result', id, ...failure }));
    }
  }

  /** The user has answered. */
  asked({ askId, action, content }: Incoming<'tool.answer'>): void {
    this.#questions.get(askId)?.({ action, ...(content && { content }) });
  }

  #ask(id: string, question: UserQuestion, signal: AbortSignal): Promise<UserAnswer> {
    const askId = String(++this.#asked);
    return new Promise<UserAnswer>((resolve) => {
      if (signal.aborted) return resolve({ action: 'cancel' });
      signal.addEventListener('abort', () => resolve({ action: 'cancel' }), { once: true });
      this.#questions.set(askId, resolve);
      this.say({ type: 'tool.ask', id, askId, question });
    }).finally(() => this.#questions.delete(askId));
  }

  cancel({ id, reason }: Incoming<'tool.cancel'>): void {
    this.#calls.get(id)?.abort(new Error(reason));
    this.#calls.delete(id);
    this.say({ type: 'tool.result', id, error: 'Cancelled', errorCode: ToolErrorCode.Cancelled });
  }

  async gate(check: Incoming<'gate.check'>): Promise<void> {
    const { callId, gateId } = check;
    const answer = ({ decision, reason }: { decision: 'allow' | 'deny' | 'context'; reason?: string }) =>
      this.say({ type: 'gate.result', gateId, callId, decision, reason });
    try {
      answer((await this.options.onGate?.(check)) ?? { decision: 'deny', reason: 'the provider has no onGate' });
    } catch (error) {
      this.report(error);
      this.#try(() => answer({ decision: 'deny', reason: englishOf(error).slice(0, MAX_ERROR_LENGTH) }));
    }
  }

  async transform(request: Incoming<'transform.request'>): Promise<void> {
    const { callId, current } = request;
    const answer = (content: string) => this.say({ type: 'transform.result', callId, content });
    try {
      answer((await this.options.onTransform?.(request)) ?? current);
    } catch (error) {
      this.report(error);
      this.#try(() => answer(current));
    }
  }

  /** Called when the connection has ended. */
  end(why: string): void {
    for (const controller of this.#calls.values()) controller.abort(new Error(why));
    this.#calls.clear();
  }

  #try(answer: () => void): void {
    try {
      answer();
    } catch (error) {
      this.report(error);
    }
  }
}
