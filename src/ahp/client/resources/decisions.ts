/** Who decided about the calls of a session, as far as the host's envelopes tell. */
import { decidedDigest } from '../../decidedDigest.ts';
import type { ActionEnvelope, ActionOrigin } from '../../v1/actions.ts';
import { reduceToolCall } from '../../v1/reducers/toolCallReducer.ts';
import type { SessionState } from '../../v1/session.ts';
import type { ToolCallState } from '../../v1/toolCall.ts';

export interface Decision {
  turnId: string;
  callId: string;
  /** Whether the call may run, or whether the model gets its result. */
  about: 'call' | 'result';
  approved: boolean;
  /** Of the call after the decision, by `decidedDigest`. Absent for a result, which is decided about once. */
  asked?: string;
  /** Absent where the host decided by itself. */
  origin?: ActionOrigin;
}

/**
 * The decisions among accepted envelopes, in order. `before`: the state to which they are applied. Several clients may answer the same call, and
 * some hosts confirm them all, so only the first answer to a call that waits is a decision.
 */
export function decisionsIn(before: Pick<SessionState, 'activeTurn'>, envelopes: readonly ActionEnvelope[]): Decision[] {
  if (!envelopes.some(({ action }) => isAnswer(action.type))) return [];
  const waiting = new Map<string, ToolCallState>();
  const keyOf = (about: Decision['about'], turnId: string, callId: string) => JSON.stringify([about, turnId, callId]);
  const turn = before.activeTurn;
  for (const part of Array.isArray(turn?.responseParts) ? turn.responseParts : []) {
    if (part?.kind !== 'toolCall' || !turn) continue;
    const { toolCall } = part;
    if (toolCall?.status === 'pending-confirmation') waiting.set(keyOf('call', turn.id, toolCall.toolCallId), toolCall);
    if (toolCall?.status === 'pending-result-confirmation') waiting.set(keyOf('result', turn.id, toolCall.toolCallId), toolCall);
  }
  const decisions: Decision[] = [];
  for (const { action, origin } of envelopes) {
    switch (action.type) {
      case 'session/toolCallReady':
        if (action.confirmed === undefined || action.confirmed === null) {
          waiting.set(keyOf('call', action.turnId, action.toolCallId), reduceToolCall(begun(action.toolCallId), action));
        }
        break;
      case 'session/toolCallComplete':
        if (action.requiresResultConfirmation === true) {
          waiting.set(keyOf('result', action.turnId, action.toolCallId), begun(action.toolCallId));
        }
        break;
      case 'session/toolCallConfirmed':
      case 'session/toolCallResultConfirmed': {
        const { turnId, toolCallId: callId } = action;
        const about = action.type === 'session/toolCallConfirmed' ? 'call' : 'result';
        const key = keyOf(about, turnId, callId);
        const call = waiting.get(key);
        if (!waiting.delete(key) || !call) break;
        const asked = about === 'call' ? { asked: decidedDigest(reduceToolCall(call, action)) } : {};
        decisions.push({ turnId, callId, about, approved: action.approved === true, ...asked, ...(origin && { origin }) });
      }
    }
  }
  return decisions;
}

/** The names are not needed here. */
function begun(toolCallId: string): ToolCallState {
  return { status: 'streaming', toolCallId, toolName: '', displayName: '' };
}

function isAnswer(type: string): boolean {
  return type === 'session/toolCallConfirmed' || type === 'session/toolCallResultConfirmed';
}
