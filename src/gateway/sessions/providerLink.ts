/** What dispatch and hooks need of a provider's connection: questions with an id, of which the first answer counts. */
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import type { ProviderMessages } from '../../tap/wire/providerMessages.ts';
import type { CallIds } from '../tools/callIds.ts';
import type { ProviderTransport } from './transport.ts';

export type Answer = ProviderMessages['tool.result'] | ProviderMessages['gate.result'] | ProviderMessages['transform.result'];
/** How a question ends that gets no answer. */
export type Lost = 'DISCONNECTED' | 'REBOUND' | { code: string; message: string };

export interface Question {
  readonly kind: 'tool' | 'gate' | 'transform';
  answered(answer: Answer): void;
  lost(why: Lost): void;
  progress?(message: string): void;
}

export class ProviderLink {
  readonly #open = new Map<string, Question>();
  /** Cancelled, but the provider has not confirmed it yet. */
  readonly #draining = new Map<string, () => void>();

  constructor(
    private readonly transport: ProviderTransport,
    private readonly ids: CallIds,
  ) {}

  /** False: it is too large for a provider, and was not sent. */
  send(message: GatewayMessage): boolean {
    return this.transport.send(message);
  }

  isAlive(timeoutMs: number): Promise<boolean> {
    return this.transport.isAlive(timeoutMs);
  }

  /** Takes an id for the question; the caller sends it. */
  ask(question: Question): string {
    const id = this.ids.issue(question.kind);
    this.#open.set(id, question);
    return id;
  }

  /** The question was answered elsewise (timeout, cancel): what still comes is late. True if it was open. */
  settle(id: string): boolean {
    return this.#open.delete(id);
  }

  /** As {@link settle}; `done` is called when the provider confirms, or can no longer, or {@link forget} is. */
  drain(id: string, done: () => void): void {
    if (this.settle(id)) this.#draining.set(id, done);
    else done();
  }

  /** The provider has had its time to confirm. */
  forget(id: string): void {
    const done = this.#draining.get(id);
    this.#draining.delete(id);
    done?.();
  }

  /** `late`: it was issued to a question of this kind that is over, or that another was asked. `never`: it was not. */
  take(id: string, kind: Question['kind']): Question | 'late' | 'never' {
    const question = this.#open.get(id);
    if (!question) {
      this.forget(id);
      return this.ids.wasIssued(id, kind) ? 'late' : 'never';
    }
    if (question.kind !== kind) return 'never';
    this.settle(id);
    return question;
  }

  peek(id: string): Question | undefined {
    return this.#open.get(id);
  }

  pending(kind: Question['kind']): string[] {
    return [...this.#open].filter(([, question]) => question.kind === kind).map(([id]) => id);
  }

  lose(why: Lost, ids: readonly string[] = [...this.#open.keys()]): void {
    for (const id of ids) {
      const question = this.#open.get(id);
      if (question && this.settle(id)) question.lost(why);
    }
  }

  /** The other side has gone for good. */
  close(): void {
    this.lose('DISCONNECTED');
    for (const id of [...this.#draining.keys()]) this.forget(id);
  }
}
