/** Who answers by way of the portal itself. The host only knows that it was the portal. */
import type { URI } from '../../../ahp/common/shapes.ts';

/** An answer that the host never got is not taken from here. */
const MAX_NOTED = 1_000;

export class Answerers {
  readonly #by = new Map<string, string>();

  /** To be called before the answer is sent. `session`: the one that the user started. `id`: of the call or the question in it. */
  note(session: URI, id: string, by: string): void {
    const key = keyOf(session, id);
    this.#by.delete(key);
    this.#by.set(key, by);
    for (const oldest of this.#by.keys()) {
      if (this.#by.size <= MAX_NOTED) break;
      this.#by.delete(oldest);
    }
  }

  /** In words. Undefined: nobody has said who answers it. */
  take(session: URI, id: string): string | undefined {
    const key = keyOf(session, id);
    const by = this.#by.get(key);
    this.#by.delete(key);
    return by;
  }
}

function keyOf(session: URI, id: string): string {
  return `${session} ${id}`;
}
