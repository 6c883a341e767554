/** The file tokens of the last gateways of this user, by their hashes: a token that is none of them was never one. */
import { Limit } from '../../tap/wire/limits.ts';

export interface KnownToken {
  /** SHA-256 of the token, in hex. */
  readonly digest: string;
  /** Where its gateway listened. */
  readonly port: number;
  /** Providers that have used it. */
  readonly names: readonly string[];
}

export class TokenHistory {
  /** The last one is the newest. */
  #tokens: readonly KnownToken[];

  constructor(
    tokens: readonly KnownToken[] = [],
    private readonly save: (tokens: readonly KnownToken[]) => void = () => undefined,
  ) {
    this.#tokens = tokens.slice(-Limit.earlierTokens);
  }

  get last(): KnownToken | undefined {
    return this.#tokens.at(-1);
  }

  find(digest: string): KnownToken | undefined {
    return this.#tokens.find((token) => token.digest === digest);
  }

  /** The gateway on this port has this token now. */
  began(digest: string, port: number): void {
    const names = this.find(digest)?.names ?? [];
    this.#set([...this.#tokens.filter((token) => token.digest !== digest), { digest, port, names }]);
  }

  /** A provider of this name has used the token. The first names are kept: no holder of the token can push them out. */
  used(digest: string, name: string): void {
    const known = this.find(digest);
    if (!known || known.names.includes(name) || known.names.length >= Limit.earlierNames) return;
    const names = [...known.names, name];
    this.#set(this.#tokens.map((token) => (token === known ? { ...known, names } : token)));
  }

  #set(tokens: readonly KnownToken[]): void {
    this.#tokens = tokens.slice(-Limit.earlierTokens);
    this.save(this.#tokens);
  }
}
