import type { ActionLike } from '../../common/reducers/reducer.ts';

/** Reduces a batch. Where that fails, reduces its actions one at a time, without those that cannot be reduced. */
export function reduceReadable<S, A extends ActionLike>(
  state: S,
  actions: readonly A[],
  reduce: (state: S, actions: readonly A[]) => S,
  onDropped: (action: A, error: unknown) => void,
): { state: S; applied: readonly A[] } {
  try {
    return { state: reduce(state, actions), applied: actions };
  } catch (error) {
    if (actions.length === 1) {
      onDropped(actions[0] as A, error);
      return { state, applied: [] };
    }
  }
  const applied: A[] = [];
  for (const action of actions) {
    const one = reduceReadable(state, [action], reduce, onDropped);
    state = one.state;
    applied.push(...one.applied);
  }
  return { state, applied };
}
