/** Who answers by way of the portal itself. The host only knows that it was the portal. */

/** An answer that the host never got is not taken from here. */
const MAX_NOTED = 1_000;

export class Answerers {
  readonly #by = new Map<string, string>();

  /** To be called before the answer is sent. `id`: of the call or the question. */
  note(id: string, by: string): void {
    this.#by.delete(id);
    this.#by.set(id, by);
    for (const oldest of this.#by.keys()) {
      if (this.#by.size <= MAX_NOTED) break;
      this.#by.delete(oldest);
    }
  }

  /** In words. Undefined: nobody has said who answers it. */
  take(id: string): string | undefined {
    const by = this.#by.get(id);
    this.#by.delete(id);
    return by;
  }
}
