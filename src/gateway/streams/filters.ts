import type { FilterRule } from '../../tap/wire/providerMessages.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import { compilePatterns, type Pattern, PatternTime } from '../limits/pattern.ts';

export type Outcome = FilterRule['outcome'];

/** For all rules on one event; ten of them may come in a second. */
const MATCH_MS = 30;

/** A provider's rules for one stream of its own: the first that matches decides. */
export class Filter {
  /** States of all patterns. */
  readonly size: number;
  readonly #rules: { pattern: Pattern; outcome: Outcome }[];

  /** Throws a ProviderError that names the rule whose pattern is wrong, or when all of them are too much. */
  constructor(rules: readonly FilterRule[], budget: CompileBudget) {
    const patterns = compilePatterns(
      rules.map(({ match }, at) => ({ source: match, field: `rules[${at}].match` })),
      budget,
    );
    this.size = patterns.reduce((sum, { size }) => sum + size, 0);
    this.#rules = rules.map(({ outcome }, at) => ({ pattern: patterns[at] as Pattern, outcome }));
  }

  /** Undefined: no rule matches (in the time that there is), the push's own level counts. */
  outcomeOf(event: string): Outcome | undefined {
    const time = new PatternTime(MATCH_MS);
    return this.#rules.find(({ pattern }) => time.test(pattern, event) === true)?.outcome;
  }
}
