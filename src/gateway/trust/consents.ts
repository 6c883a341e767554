/** The user's word on providers that hold nothing but the gateway's file token. Asked once a name; owners remember it across restarts. */
export class Consents {
  readonly #answers = new Map<string, boolean>();
  readonly #asked = new Set<string>();

  constructor(private readonly ask: (provider: string, wants: readonly string[]) => void) {}

  isGiven(provider: string): boolean {
    return this.#answers.get(provider) === true;
  }

  isPending(provider: string): boolean {
    return this.#asked.has(provider) && !this.#answers.has(provider);
  }

  need(provider: string, wants: readonly string[]): void {
    if (!wants.length || this.#answers.has(provider) || this.#asked.has(provider)) return;
    this.#asked.add(provider);
    this.ask(provider, wants);
  }

  answer(provider: string, allow: boolean): void {
    this.#answers.set(provider, allow);
  }
}
