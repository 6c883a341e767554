/** Whether two copies of a resource's state say the same. */
import type { ResourceState } from '../v1/commands.ts';
import { isObject } from './wireChecks.ts';

/** `summary.modifiedAt` is left out: every side sets it by its own clock. A field that is undefined counts as absent. */
export function sameState(one: ResourceState, other: ResourceState): boolean {
  return sameValue(withoutClock(one), withoutClock(other));
}

function withoutClock(state: ResourceState): unknown {
  return 'summary' in state ? { ...state, summary: { ...state.summary, modifiedAt: undefined } } : state;
}

/** Deeper than any real state. What lies below counts as different, so that a hostile nesting cannot exhaust the stack. */
const MAX_DEPTH = 500;

function sameValue(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameValue(item, other[index], depth + 1));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const key of keys) if (!sameValue(one[key], other[key], depth + 1)) return false;
  return true;
}
