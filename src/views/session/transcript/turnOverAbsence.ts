/** What happened to the turn that was running when the connection was lost. A restarted host does not always say. */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';

export interface TurnFate {
  turnId: string;
  /** `stopped`: by somebody else or by the end of the host. `gone`: the host no longer has the turn. */
  fate: 'stopped' | 'gone';
}

/** Undefined if the turn is still running or its state says how it ended. `after`: the chat's state after the reconnect. */
export function fateOfTurn(turnId: string, after: ChatState): TurnFate | undefined {
  if (after.activeTurn?.id === turnId) return undefined;
  const turn = after.turns.find(({ id }) => id === turnId);
  if (!turn) return { turnId, fate: 'gone' };
  return turn.state === 'cancelled' ? { turnId, fate: 'stopped' } : undefined;
}
