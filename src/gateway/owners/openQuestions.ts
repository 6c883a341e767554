/** What the tools that run for one owner ask its user, until there is an answer or the call has ended. */
import { randomUUID } from 'node:crypto';
import type { Disposable } from '../../base/lifecycle.ts';
import type { OwnerEvents } from '../../tap/wire/owner/ownerMessages.ts';
import type { UserAnswer } from '../../tap/wire/userQuestion.ts';

type Question = OwnerEvents['tool/asked'];

export class OpenQuestions implements Disposable {
  readonly #open = new Map<string, { sessionId: string; callId: string; answer(answer: UserAnswer): void }>();
  #isDisposed = false;

  constructor(private readonly tell: (asked: Question) => void) {}

  ask(question: Omit<Question, 'askId'>): Promise<UserAnswer> {
    if (this.#isDisposed) return Promise.resolve({ action: 'cancel' });
    const askId = randomUUID();
    return new Promise((resolve) => {
      this.#open.set(askId, { ...question, answer: resolve });
      this.tell({ ...question, askId });
    });
  }

  answer(askId: string, answer: UserAnswer): void {
    this.#open.get(askId)?.answer(answer);
    this.#open.delete(askId);
  }

  /** The call has ended, so nobody waits for its answers. */
  callEnded(sessionId: string, callId: string): void {
    for (const [askId, open] of this.#open)
      if (open.sessionId === sessionId && open.callId === callId) this.answer(askId, { action: 'cancel' });
  }

  /** The owner has gone. Its calls may go on, and nobody can be asked for them. */
  dispose(): void {
    this.#isDisposed = true;
    for (const askId of this.#open.keys()) this.answer(askId, { action: 'cancel' });
  }
}
