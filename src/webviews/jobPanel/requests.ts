/** What the page asks the extension for, until it is answered. */
import type { AnswerMessage, JobPageMessage, JobPageRequest } from './protocol.ts';

/** A message that is answered, before it has its number. */
export type NewRequest = JobPageRequest extends infer R ? (R extends JobPageRequest ? Omit<R, 'id'> : never) : never;

export class Requests {
  readonly #waiting = new Map<number, (answer: AnswerMessage) => void>();
  #last = 0;

  constructor(private readonly post: (message: JobPageMessage) => void) {}

  /**
   * Rejects with why it was not done. The extension answers everything, also what the portal does not. `signal`: aborted when nobody wants the
   * answer any more, with whose reason it rejects then.
   */
  ask(asked: NewRequest, signal?: AbortSignal): Promise<AnswerMessage> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.#waiting.delete(id);
        this.post({ type: 'cancel', of: id });
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.set(id, (answer) => {
        signal?.removeEventListener('abort', cancel);
        if (answer.problem === undefined) resolve(answer);
        else reject(new Error(answer.problem));
      });
      this.post({ ...asked, id });
    });
  }

  answered(answer: AnswerMessage): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}
