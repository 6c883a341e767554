import type { ActionLike } from '../../common/reducers/reducer.ts';

/** An action of a session or a chat that was dispatched and is not settled. */
export interface PendingAction<A extends ActionLike = ActionLike> {
  readonly clientSeq: number;
  readonly action: A;
  /** What the action does, as a client action of the newest dialect. Absent where it was not asked for in these words. */
  readonly asked?: ActionLike;
  /**
   * The connection was lost before the host replied, and the host's state does not show what became of it. The user decides
   * (`AgentHostClient.resolveUnknown`). It stays until then, or until the host's state or a late echo shows the outcome.
   */
  readonly outcome?: 'unknown';
  /** Nothing of it was sent, because the host is away. It goes out on the host's return if it still has its purpose then. */
  readonly held?: true;
}

/**
 * The confirmed state with what is pending on top, in the order of dispatch. What may never have reached the host is left out: it is listed
 * by itself, not shown as done.
 */
export function withPending<S, A extends ActionLike = ActionLike>(
  confirmed: S,
  pending: readonly PendingAction<A>[],
  reduce: (state: S, actions: readonly A[]) => S,
): S {
  const ahead = pending.filter(({ outcome }) => outcome === undefined).map(({ action }) => action);
  return ahead.length === 0 ? confirmed : reduce(confirmed, ahead);
}
