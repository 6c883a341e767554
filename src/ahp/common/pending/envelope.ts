/** An action with its place in the order of the host. */
import type { ActionLike } from '../reducers/reducer.ts';

/** Who dispatched an action. Absent for actions of the host. */
export interface ActionOrigin {
  clientId: string;
  clientSeq: number;
}

export interface Envelope<A extends ActionLike = ActionLike> {
  action: A;
  /** Grows over the whole host. Gaps are normal. */
  serverSeq: number;
  origin?: ActionOrigin;
  /** Set when the host refused the action of `origin`, which then changes no state. */
  rejectionReason?: string;
}
