/** What the page asks the extension for, until it is answered. */
import type { AnswerMessage, JobPageMessage, JobPageRequest } from './protocol.ts';

/** A message that is answered, before it has its number. */
export type Asked = JobPageRequest extends infer R ? (R extends JobPageRequest ? Omit<R, 'id'> : never) : never;

export class Requests {
  readonly #waiting = new Map<number, (answer: AnswerMessage) => void>();
  #last = 0;

  constructor(private readonly post: (message: JobPageMessage) => void) {}

  /** Rejects with why it was not done. The extension answers everything, also what the portal does not. */
  ask(asked: Asked): Promise<AnswerMessage> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => (answer.problem === undefined ? resolve(answer) : reject(new Error(answer.problem))));
      this.post({ ...asked, id });
    });
  }

  answered(answer: AnswerMessage): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }
}
