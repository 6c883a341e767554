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

function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameValue(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const key of keys) if (!sameValue(one[key], other[key])) return false;
  return true;
}
