/** Questions to a provider (tool calls, gates, transforms) by id. The first answer counts. */
import type { ErrorCode } from '../../tap/wire/errorCodes.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import type { ProviderMessages } from '../../tap/wire/providerMessages.ts';
import type { ProviderTransport } from './providerTransport.ts';
import type { CallIds } from '../trust/callIds.ts';

export type Answer = ProviderMessages['tool.result'] | ProviderMessages['gate.result'] | ProviderMessages['transform.result'];
/** Why a question gets no answer. */
export type Lost = 'disconnected' | 'rebound' | { code: ErrorCode; message: string };

export interface Question {
  readonly kind: 'tool' | 'gate' | 'transform';
  /** Time that the provider has for the answer. */
  readonly timeoutMs: number;
  answered(answer: Answer): void;
  lost(why: Lost): void;
  progress?(message: string): void;
  asked?(message: ProviderMessages['tool.ask']): void;
}

export class ProviderLink {
  readonly #open = new Map<string, Question>();
  /** Cancelled questions that the provider has not confirmed yet. */
  readonly #draining = new Map<string, () => void>();

  constructor(
    private readonly transport: Pick<ProviderTransport, 'send' | 'isAlive'>,
    private readonly ids: CallIds,
  ) {}

  /** False: the message is too large and was not sent. */
  send(message: GatewayMessage): boolean {
    return this.transport.send(message);
  }

  isAlive(timeoutMs: number): Promise<boolean> {
    return this.transport.isAlive(timeoutMs);
  }

  /** Issues an id for the question. The caller sends the message. */
  ask(question: Question): string {
    const id = this.ids.issue(question.kind);
    this.#open.set(id, question);
    return id;
  }

  /** The question has ended otherwise (by timeout or cancel), so a later answer is late. True if it was open. */
  settle(id: string): boolean {
    return this.#open.delete(id);
  }

  /** Like {@link settle}. `done` is called when the provider confirms, when it no longer can, or by {@link forget}. */
  drain(id: string, done: () => void): void {
    if (this.settle(id)) this.#draining.set(id, done);
    else done();
  }

  /** Ends the wait for a confirmation. */
  forget(id: string): void {
    const done = this.#draining.get(id);
    this.#draining.delete(id);
    done?.();
  }

  /**
   * `late`: the id was issued for this kind of question, but the question has ended or belongs to another connection. `never`: it was not
   * issued.
   */
  find(id: string, kind: Question['kind']): Question | 'late' | 'never' {
    const question = this.#open.get(id);
    if (question) return question.kind === kind ? question : 'never';
    return this.ids.wasIssued(id, kind) ? 'late' : 'never';
  }

  /** Like {@link find}, and ends the question that is found. */
  take(id: string, kind: Question['kind']): Question | 'late' | 'never' {
    const found = this.find(id, kind);
    if (typeof found === 'object') this.settle(id);
    else this.forget(id);
    return found;
  }

  peek(id: string): Question | undefined {
    return this.#open.get(id);
  }

  pending(kind: Question['kind']): string[] {
    return [...this.#open].filter(([, question]) => question.kind === kind).map(([id]) => id);
  }

  /** The longest timeout of the open questions; 0 where there is none. */
  get patienceMs(): number {
    return Math.max(0, ...[...this.#open.values()].map(({ timeoutMs }) => timeoutMs));
  }

  lose(why: Lost, ids: readonly string[] = [...this.#open.keys()]): void {
    for (const id of ids) {
      const question = this.#open.get(id);
      if (question && this.settle(id)) question.lost(why);
    }
  }

  /** Called when the connection has ended. */
  close(): void {
    this.lose('disconnected');
    for (const id of [...this.#draining.keys()]) this.forget(id);
  }
}
