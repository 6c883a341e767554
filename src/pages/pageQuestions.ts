/** Questions that the page itself asks, for a shell that has no dialogs. One is shown at a time. */
import type { Clock } from '../base/clock.ts';
import { type Disposable } from '../base/lifecycle.ts';
import type { PageQuestion } from '../webviews/session/protocol.ts';
import type { Questions } from './session/sessionPageServices.ts';

/** Until it is said what is waited for. */
export const LATE_MS = 500;
/** What waits behind the one that is shown. A page asks for one thing at a time. */
const MAX_OPEN = 8;
/** Characters. */
const MAX_TITLE = 500;
const MAX_DETAIL = 10_000;

type NewQuestion = PageQuestion extends infer Q ? (Q extends PageQuestion ? Omit<Q, 'id'> : never) : never;

interface Open {
  readonly question: PageQuestion;
  /** Undefined: the user has left it. */
  settle(answer: number | undefined): void;
}

export class PageQuestions implements Questions, Disposable {
  /** The first is shown. */
  readonly #open: Open[] = [];
  readonly #waits = new Set<AbortController>();
  #isDisposed = false;

  /** `changed`: another one is to be shown, or none. */
  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  get shown(): PageQuestion | undefined {
    return this.#open[0]?.question;
  }

  choose(question: string, detail: string, ...answers: string[]): Promise<string | undefined> {
    const choice = { kind: 'choose' as const, title: question.slice(0, MAX_TITLE), detail: detail.slice(0, MAX_DETAIL), answers };
    return new Promise((resolve) => this.#ask(choice, (index) => resolve(index === undefined ? undefined : answers[index])));
  }

  async wait<T>(title: string, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const left = new AbortController();
    if (this.#isDisposed) left.abort();
    this.#waits.add(left);
    let close: () => void = () => undefined;
    const late = this.clock.setTimer(
      () => (close = this.#ask({ kind: 'wait', title: title.slice(0, MAX_TITLE) }, () => left.abort())),
      LATE_MS,
    );
    try {
      return await task(left.signal);
    } finally {
      late.dispose();
      this.#waits.delete(left);
      close();
    }
  }

  /** By the page. What is not asked any more is not answered. */
  answer(id: string, answer: number | undefined): void {
    const open = this.#open.find(({ question }) => question.id === id);
    if (!open) return;
    this.#close(open);
    open.settle(answer);
  }

  /** The user leaves all of them: nobody sees them any more. */
  leave(): void {
    const open = this.#open.splice(0);
    for (const one of open) one.settle(undefined);
    for (const one of this.#waits) one.abort();
    if (open.length > 0) this.changed();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.leave();
  }

  /** What is returned closes it unanswered. */
  #ask(question: NewQuestion, settle: Open['settle']): () => void {
    if (this.#isDisposed || this.#open.length >= MAX_OPEN) {
      settle(undefined);
      return () => undefined;
    }
    // No number: a page that was cut off could answer another question.
    const open: Open = { question: { id: crypto.randomUUID(), ...question }, settle };
    this.#open.push(open);
    if (this.#open.length === 1) this.changed();
    return () => this.#close(open);
  }

  #close(open: Open): void {
    const at = this.#open.indexOf(open);
    if (at < 0) return;
    this.#open.splice(at, 1);
    if (at === 0) this.changed();
  }
}
