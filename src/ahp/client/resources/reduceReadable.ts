import type { StateAction } from '../../v1/actions.ts';

/** Reduces a batch. Where that fails, reduces its actions one at a time, without those that cannot be reduced. */
export function reduceReadable<S>(
  state: S,
  actions: readonly StateAction[],
  reduce: (state: S, actions: readonly StateAction[]) => S,
  onDropped: (action: StateAction, error: unknown) => void,
): { state: S; applied: readonly StateAction[] } {
  try {
    return { state: reduce(state, actions), applied: actions };
  } catch (error) {
    if (actions.length === 1) {
      onDropped(actions[0] as StateAction, error);
      return { state, applied: [] };
    }
  }
  const applied: StateAction[] = [];
  for (const action of actions) {
    const one = reduceReadable(state, [action], reduce, onDropped);
    state = one.state;
    applied.push(...one.applied);
  }
  return { state, applied };
}
