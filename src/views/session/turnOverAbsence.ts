/** What became of the turn that was running when the host went away: hosts that start again do not always say. */
import type { SessionState } from '../../ahp/v1/session.ts';

export interface TurnFate {
  turnId: string;
  /** `stopped`: not by the user of this window. `gone`: the host does not know the turn any more. */
  fate: 'stopped' | 'gone';
}

/** Undefined where the turn runs still, or says itself how it ended. `after`: the session as the host has it on its return. */
export function fateOfTurn(turnId: string, after: SessionState): TurnFate | undefined {
  if (after.activeTurn?.id === turnId) return undefined;
  const turn = after.turns.find(({ id }) => id === turnId);
  if (!turn) return { turnId, fate: 'gone' };
  return turn.state === 'cancelled' ? { turnId, fate: 'stopped' } : undefined;
}
