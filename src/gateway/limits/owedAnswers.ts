/**
 * Counts the answers that peers owe the gateway. A late answer is known by its id alone and could be sent again and again, so only as many
 * are free as were asked for.
 */
export class OwedAnswers {
  readonly #counts = new WeakMap<object, number>();

  /** `peer`: an object that stays the same when the peer connects again. */
  add(peer: object): void {
    this.#counts.set(peer, this.#of(peer) + 1);
  }

  has(peer: object): boolean {
    return this.#of(peer) > 0;
  }

  /** Counts an answer that has arrived. False: none was owed. */
  take(peer: object): boolean {
    if (!this.has(peer)) return false;
    this.#counts.set(peer, this.#of(peer) - 1);
    return true;
  }

  #of(peer: object): number {
    return this.#counts.get(peer) ?? 0;
  }
}
