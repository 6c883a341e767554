/** Keeps the newest characters of a stream, and how many were dropped before them. */
export class TailBuffer {
  #chunks: string[] = [];
  #size = 0;
  #dropped = 0;

  constructor(private readonly limit: number) {}

  push(text: string): void {
    this.#chunks.push(text);
    this.#size += text.length;
    // Joined rarely: only when twice the limit has gathered.
    if (this.#size > 2 * this.limit) this.#cut();
  }

  /** What is kept, after a line that says how much is missing. */
  get text(): string {
    this.#cut();
    const kept = this.#chunks.join('');
    return this.#dropped > 0 ? `[${this.#dropped} characters of output before this are left out]\n${kept}` : kept;
  }

  #cut(): void {
    if (this.#size <= this.limit) return;
    const kept = this.#chunks.join('').slice(-this.limit);
    this.#dropped += this.#size - kept.length;
    this.#chunks = [kept];
    this.#size = kept.length;
  }
}
