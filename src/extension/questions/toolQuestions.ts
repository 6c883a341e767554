/** What the tools that run for this window ask its user: each until it is answered, or nobody waits for the answer any more. */
import { randomUUID } from 'node:crypto';
import { Emitter } from '../../base/event.ts';
import type { UserAnswer } from '../../tap/wire/userQuestion.ts';
import type { QuestionField } from '../../views/questions/toolQuestionForm.ts';
import type { ToolQuestion } from '../../views/questions/questionWords.ts';

/** More are declined. */
const MAX_OPEN = 10;

/** `over`: nobody waits for the answer any more. */
export type AskUser = (asked: ToolQuestion, over: AbortSignal) => Promise<UserAnswer>;

/** What the user fills in, or the page that they are to open. */
export type Request = { readonly fields: readonly QuestionField[] } | { readonly url: URL };

export interface OpenQuestion {
  readonly id: string;
  readonly asked: ToolQuestion;
  readonly request: Request;
  /** Aborted when it was answered, and when nobody waits for an answer any more. */
  readonly over: AbortSignal;
  /** False: it was over before. */
  answer(answer: UserAnswer): boolean;
}

export class ToolQuestions {
  readonly #open = new Set<OpenQuestion>();
  readonly #didChange = new Emitter<void>();
  readonly onDidChange = this.#didChange.event;
  readonly #didAsk = new Emitter<OpenQuestion>();
  readonly onDidAsk = this.#didAsk.event;

  /** The oldest first. */
  get open(): readonly OpenQuestion[] {
    return [...this.#open];
  }

  async ask(asked: ToolQuestion, over: AbortSignal): Promise<UserAnswer> {
    const request = await requestOf(asked);
    if (!request || over.aborted || this.#open.size >= MAX_OPEN) return { action: 'decline' };
    return new Promise((resolve) => {
      const ended = new AbortController();
      const end = (answer: UserAnswer) => {
        if (!this.#open.delete(open)) return false;
        over.removeEventListener('abort', cancel);
        ended.abort();
        resolve(answer);
        this.#didChange.fire();
        return true;
      };
      const cancel = () => void end({ action: 'cancel' });
      over.addEventListener('abort', cancel, { once: true });
      const open: OpenQuestion = { id: `question ${randomUUID()}`, asked, request, over: ended.signal, answer: end };
      this.#open.add(open);
      this.#didChange.fire();
      this.#didAsk.fire(open);
    });
  }
}

/** Undefined where it cannot be shown. */
async function requestOf({ question }: ToolQuestion): Promise<Request | undefined> {
  if ('url' in question) {
    const url = URL.canParse(question.url) ? new URL(question.url) : undefined;
    return url && /^https?:$/.test(url.protocol) ? { url } : undefined;
  }
  const { questionForm } = await import('../../views/questions/toolQuestionForm.ts');
  const fields = questionForm(question.requestedSchema);
  return fields && { fields };
}
