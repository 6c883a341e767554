/** Regular expressions of providers: an engine whose time is linear in the text, and an end for what takes too long all the same. */
import { RE2JS } from 're2js';
import { messageOf } from '../../base/errors.ts';
import { ProviderError } from '../../tap/wire/errorCodes.ts';
import { bounded, isOutOfTime } from './bounded.ts';
import type { CompileBudget } from './compileBudget.ts';
import { patternCost } from './patternCost.ts';

/** States of the compiled pattern: each character of the text may visit all of them. */
const MAX_SIZE = 1000;
/** Twice the states that are allowed: the cost also counts what its classes take. */
const MAX_COST = 2 * MAX_SIZE;
/** States times characters that all patterns of one provider may cost together without a watch: at worst some 20 ms, at best far less. */
const CHEAP = 500_000;

export interface Pattern {
  readonly size: number;
  test(text: string): boolean;
}

/** A pattern as a provider has sent it; `field` is where it stands. */
export interface PatternSource {
  readonly source: string;
  readonly field: string;
}

/** What {@link linearPattern} takes, in units of a {@link CompileBudget}. What is too large is refused before it is compiled. */
export function patternWork(source: string): number {
  return Math.min(patternCost(source), MAX_COST);
}

/** Throws the engine's error. Look-around and back references do not exist here. */
export function linearPattern(source: string): Pattern {
  if (patternCost(source) > MAX_COST) throw new Error('the pattern is too large when its repetitions and classes are written out');
  let compiled = RE2JS.compile(source);
  const size = compiled.programSize();
  if (size > MAX_SIZE) throw new Error(`the pattern is too large: ${size} states, at most ${MAX_SIZE}`);
  let isRunning = false;
  return {
    size,
    test: (text) => {
      // It was stopped in the middle, and what it remembers may be half written.
      if (isRunning) compiled = RE2JS.compile(source);
      isRunning = true;
      const found = compiled.test(text);
      isRunning = false;
      return found;
    },
  };
}

/** Throws a {@link ProviderError} that names the field of a pattern that does not compile, or when all of them together are too much. */
export function compilePatterns(sources: readonly PatternSource[], budget: CompileBudget): Pattern[] {
  budget.spend(sources.reduce((sum, { source }) => sum + patternWork(source), 0));
  return sources.map(({ source, field }) => {
    try {
      return linearPattern(source);
    } catch (error) {
      throw new ProviderError('INVALID_JSON', `${field}: ${messageOf(error)}`);
    }
  });
}

/** `*` stands for anything but a slash, `**` for anything, `?` for one character. Without a slash the last part of the path is enough. */
export function globSource(glob: string): string {
  const source = glob.replace(/\*\*|[*?]|[^*?]+/g, (part) => {
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return RE2JS.quote(part);
  });
  return `^${glob.includes('/') ? '' : '(?:.*/)?'}${source}$`;
}

/** What the patterns of one provider may take for one text, all together. What is cheap does not depend on how busy the machine is. */
export class PatternTime {
  #cheapLeft = CHEAP;

  /** `leftMs`: for what is not cheap. */
  constructor(private leftMs: number) {}

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
