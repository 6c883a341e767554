/** Regular expressions that are untrusted. The engine's time is linear in the text. */
import { RE2JS } from 're2js';
import { patternCost } from './patternCost.ts';

/** States of the compiled pattern. Each character of the text may visit all of them. */
const MAX_SIZE = 1000;
/** Twice the states that are allowed, because the cost also counts the ranges of classes. */
export const MAX_COST = 2 * MAX_SIZE;
export interface Pattern {
  readonly size: number;
  test(text: string): boolean;
}

/** Throws the engine's error for a pattern that is wrong, too large, or has look-around or back references. */
export function linearPattern(source: string): Pattern {
  if (patternCost(source) > MAX_COST) throw new Error('the pattern is too large when its repetitions and classes are written out');
  let compiled = RE2JS.compile(source);
  const size = compiled.programSize();
  if (size > MAX_SIZE) throw new Error(`the pattern is too large: ${size} states, at most ${MAX_SIZE}`);
  let isRunning = false;
  return {
    size,
    test: (text) => {
      // The time limit has interrupted a run, so the state of the compiled pattern may be inconsistent.
      if (isRunning) compiled = RE2JS.compile(source);
      isRunning = true;
      const found = compiled.test(text);
      isRunning = false;
      return found;
    },
  };
}
