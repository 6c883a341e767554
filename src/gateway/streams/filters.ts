import type { FilterRule } from '../../tap/wire/providerMessages.ts';
import type { CompileBudget } from '../limits/compileBudget.ts';
import type { Pattern } from '../../base/node/patterns/linearPattern.ts';
import { compilePatterns, PatternTime } from '../limits/pattern.ts';

export type Outcome = FilterRule['outcome'];

/** Time for all rules on one event. A provider may push ten events a second. */
const PUSH_TIME = { matchMs: 30 };

export interface FilterOptions {
  /** The field of the rules, for errors. */
  readonly field: string;
  /** Time for all rules on one event. `cheap`: work that is always done, in states times characters. */
  readonly time: { readonly matchMs: number; readonly cheap?: number };
}

/** The rules for one stream. The first rule that matches decides. */
export class Filter {
  /** States of all patterns together. */
  readonly size: number;
  readonly #rules: { pattern: Pattern; outcome: Outcome }[];

  /** Throws a ProviderError that names the rule whose pattern is wrong, or when all of them cost too much. */
  constructor(
    rules: readonly FilterRule[],
    budget: CompileBudget,
    private readonly options: FilterOptions = { field: 'rules', time: PUSH_TIME },
  ) {
    const patterns = compilePatterns(
      rules.map(({ match }, at) => ({ source: match, field: `${options.field}[${at}].match` })),
      budget,
    );
    this.size = patterns.reduce((sum, { size }) => sum + size, 0);
    this.#rules = rules.map(({ outcome }, at) => ({ pattern: patterns[at] as Pattern, outcome }));
  }

  /** Undefined when no rule matches in time; then the push's own level counts. */
  outcomeOf(event: string): Outcome | undefined {
    const rule = this.ruleOf(event);
    return rule === undefined ? undefined : this.#rules[rule]?.outcome;
  }

  /** The place of the first rule that matches in time. */
  ruleOf(event: string): number | undefined {
    const time = new PatternTime(this.options.time.matchMs, this.options.time.cheap);
    const found = this.#rules.findIndex(({ pattern }) => time.test(pattern, event) === true);
    return found < 0 ? undefined : found;
  }
}
