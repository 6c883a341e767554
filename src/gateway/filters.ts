import type { FilterRule } from '../tap/providerMessages.ts';
import { compilePattern, type Pattern } from './pattern.ts';

export type Outcome = FilterRule['outcome'];

/** A provider's rules for one stream of its own: the first that matches decides. */
export class Filter {
  readonly #rules: { matches: Pattern; outcome: Outcome }[];

  /** Throws a ProviderError that names the rule whose pattern is wrong. */
  constructor(rules: readonly FilterRule[]) {
    this.#rules = rules.map(({ match, outcome }, at) => ({ matches: compilePattern(match, `rules[${at}].match`), outcome }));
  }

  /** Undefined: no rule matches, the push's own level counts. */
  outcomeOf(event: string): Outcome | undefined {
    return this.#rules.find(({ matches }) => matches(event))?.outcome;
  }
}
