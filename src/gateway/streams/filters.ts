import type { FilterRule } from '../../tap/wire/providerMessages.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import type { Pattern } from '../../base/node/patterns/linearPattern.ts';
import { compilePatterns, PatternTime } from '../limits/pattern.ts';

export type Outcome = FilterRule['outcome'];

/** Time for all rules on one event. A provider may push ten events a second. */
const MATCH_MS = 30;

/** A provider's rules for one of its streams. The first rule that matches decides. */
export class Filter {
  /** States of all patterns together. */
  readonly size: number;
  readonly #rules: { pattern: Pattern; outcome: Outcome }[];

  /** Throws a ProviderError that names the rule whose pattern is wrong, or when all of them cost too much. */
  constructor(rules: readonly FilterRule[], budget: CompileBudget) {
    const patterns = compilePatterns(
      rules.map(({ match }, at) => ({ source: match, field: `rules[${at}].match` })),
      budget,
    );
    this.size = patterns.reduce((sum, { size }) => sum + size, 0);
    this.#rules = rules.map(({ outcome }, at) => ({ pattern: patterns[at] as Pattern, outcome }));
  }

  /** Undefined when no rule matches in time; then the push's own level counts. */
  outcomeOf(event: string): Outcome | undefined {
    const time = new PatternTime(MATCH_MS);
    return this.#rules.find(({ pattern }) => time.test(pattern, event) === true)?.outcome;
  }
}
