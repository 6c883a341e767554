/** Regular expressions of providers. The engine's time is linear in the text, and a time limit stops what is still too slow. */
import { RE2JS } from 're2js';
import { messageOf } from '../../base/errors.ts';
import { ErrorCode, ProviderError } from '../../tap/wire/errorCodes.ts';
import { bounded, isOutOfTime } from '../../base/node/bounded.ts';
import type { CompileBudget } from './compileBudget.ts';
import { linearPattern, MAX_COST, type Pattern } from '../../base/node/patterns/linearPattern.ts';
import { patternCost } from '../../base/node/patterns/patternCost.ts';

/** States times characters that all patterns of one provider may cost together before the time limit applies: about 20 ms at worst. */
const CHEAP = 500_000;

/** A pattern as a provider has sent it. `field` is where it stands in the message. */
export interface PatternSource {
  readonly source: string;
  readonly field: string;
}

/** The cost of {@link linearPattern}, in units of a {@link CompileBudget}. A pattern that is too large is refused before it is compiled. */
export function patternWork(source: string): number {
  return Math.min(patternCost(source), MAX_COST);
}

/**
 * Throws a {@link ProviderError} that names the field of a pattern that does not compile, or says that all of them together cost too much.
 */
export function compilePatterns(sources: readonly PatternSource[], budget: CompileBudget): Pattern[] {
  budget.spend(sources.reduce((sum, { source }) => sum + patternWork(source), 0));
  return sources.map(({ source, field }) => {
    try {
      return linearPattern(source);
    } catch (error) {
      throw new ProviderError(ErrorCode.InvalidJson, `${field}: ${messageOf(error)}`);
    }
  });
}

/**
 * In a glob `*` stands for anything but a slash, `**` for anything and `?` for one character. Without a slash the glob is matched against
 * the last part of the path.
 */
export function globSource(glob: string): string {
  const source = glob.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return RE2JS.quote(part);
  });
  return `^${glob.includes('/') ? '' : '(?:.*/)?'}${source}$`;
}

/**
 * The time that the patterns of one provider may take on one text, all together. Cheap patterns do not depend on the clock, so their result
 * is the same on a busy machine.
 */
export class PatternTime {
  #cheapLeft: number;

  /** `leftMs`: for patterns that are not cheap. */
  constructor(
    private leftMs: number,
    cheap = CHEAP,
  ) {
    this.#cheapLeft = cheap;
  }

  test(pattern: Pattern, text: string): boolean | 'too slow' {
    const cost = pattern.size * text.length;
    if (cost <= this.#cheapLeft) {
      this.#cheapLeft -= cost;
      return pattern.test(text);
    }
    if (this.leftMs <= 0) return 'too slow';
    const started = performance.now();
    try {
      return bounded(() => pattern.test(text), Math.ceil(this.leftMs));
    } catch (error) {
      if (!isOutOfTime(error)) throw error;
      return 'too slow';
    } finally {
      this.leftMs -= performance.now() - started;
    }
  }
}
