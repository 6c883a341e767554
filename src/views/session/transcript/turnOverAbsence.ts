/** What happened to the turn that was running when the connection was lost. A restarted host does not always say. */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';

export interface TurnFate {
  turnId: string;
  /** `stopped`: by somebody else or by the end of the host. `gone`: the host no longer has the turn. */
  fate: 'stopped' | 'gone';
}

/**
 * Of the turn that was running in `before`. Undefined where there was none, it is still running, or its state says how it ended. `after`: the
 * chat's state after the reconnect. A real 1.139 gives turns other ids when it starts again.
 */
export function fateOfTurn(before: ChatState, after: ChatState): TurnFate | undefined {
  if (!before.activeTurn) return undefined;
  const { id: turnId, message } = before.activeTurn;
  if (after.activeTurn?.id === turnId) return undefined;
  const added = after.turns[before.turns.length];
  const turn = after.turns.find(({ id }) => id === turnId) ?? (added?.message.text === message.text ? added : undefined);
  if (!turn) return { turnId, fate: 'gone' };
  return turn.state === 'cancelled' ? { turnId: turn.id, fate: 'stopped' } : undefined;
}
