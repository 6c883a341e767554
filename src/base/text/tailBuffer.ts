/** Keeps the newest characters of a stream, and counts the ones that were dropped before them. */
export class TailBuffer {
  #chunks: string[] = [];
  #size = 0;
  #dropped = 0;

  constructor(private readonly limit: number) {}

  push(text: string): void {
    this.#chunks.push(text);
    this.#size += text.length;
    // Joined only when twice the limit has been collected.
    if (this.#size > 2 * this.limit) this.#cut();
  }

  /** The kept text, after a line that says how much is missing. */
  get text(): string {
    return this.from(0).text;
  }

  /** The kept text from that position on, after a line that says how much of it is missing. `next` is the position of the end. */
  from(position: number): { text: string; next: number } {
    this.#cut();
    const missing = Math.max(0, this.#dropped - position);
    const kept = this.#chunks.join('').slice(Math.max(0, position - this.#dropped));
    const text = missing > 0 ? `[${missing} characters of output before this are left out]\n${kept}` : kept;
    return { text, next: this.#dropped + this.#size };
  }

  #cut(): void {
    if (this.#size <= this.limit) return;
    const kept = this.#chunks.join('').slice(-this.limit);
    this.#dropped += this.#size - kept.length;
    this.#chunks = [kept];
    this.#size = kept.length;
  }
}
