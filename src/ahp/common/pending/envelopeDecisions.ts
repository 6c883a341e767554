/** Who decided about the calls of a session, as far as the host's envelopes tell. */
import { decidedDigest } from '../../decidedDigest.ts';
import { type ActionLike, listOf } from '../reducers/reducer.ts';
import type { ActionOrigin, Envelope } from './envelope.ts';

export interface Decision {
  turnId: string;
  callId: string;
  /** Name of the tool, where it is known. */
  tool?: string;
  /** Whether the call may run, or whether the model gets its result. */
  about: 'call' | 'result';
  approved: boolean;
  /** Of the call after the decision, by `decidedDigest`. Absent for a result, which is decided about once. */
  asked?: string;
  /** Absent where the host decided by itself. */
  origin?: ActionOrigin;
  /** Nobody was asked, because a setting of the session allows it. */
  bySetting?: true;
}

/** A call of either dialect, as far as these rules read it. */
interface Call {
  toolCallId: string;
  status: string;
  toolName?: unknown;
}
/** What these rules read of a session of version 1, or of a chat. */
interface Before {
  activeTurn?: { id: string; responseParts?: readonly ({ kind?: string; toolCall?: Call } | null)[] } | null;
}
/** The fields of actions that these rules read. Each type has those that it needs. */
interface Fields {
  turnId: string;
  toolCallId: string;
  toolName?: unknown;
  confirmed?: unknown;
  requiresResultConfirmation?: unknown;
  approved?: unknown;
}

/** Of a call that runs without a question. */
const SETTING = 'setting';

/** Reduces a call by an action that names it. */
export type ReduceCall = (call: never, action: never) => object;

/**
 * The decisions among accepted envelopes, in order. `before`: the state to which they are applied. Several clients may answer the same call, and
 * some hosts confirm them all, so only the first answer to a call that waits is a decision. One that a setting allows never waits.
 */
export function decisionsIn(before: object, envelopes: readonly Envelope[], reduceCall: ReduceCall): Decision[] {
  if (!envelopes.some(({ action }) => decides(action))) return [];
  const waiting = new Map<string, object>();
  const tools = new Map<string, string>();
  const called = (turnId: string, callId: string, tool: unknown) => {
    if (typeof tool === 'string' && tool !== '') tools.set(JSON.stringify([turnId, callId]), tool);
  };
  const toolOf = (turnId: string, callId: string) => {
    const tool = tools.get(JSON.stringify([turnId, callId]));
    return tool !== undefined && { tool };
  };
  const reduced = (call: object, action: ActionLike) => reduceCall(call as never, action as never);
  const keyOf = (about: Decision['about'], turnId: string, callId: string) => JSON.stringify([about, turnId, callId]);
  const turn = (before as Before).activeTurn;
  for (const part of listOf(turn?.responseParts)) {
    if (part?.kind !== 'toolCall' || !turn || !part.toolCall) continue;
    const { toolCall } = part;
    called(turn.id, toolCall.toolCallId, toolCall.toolName);
    if (toolCall.status === 'pending-confirmation') waiting.set(keyOf('call', turn.id, toolCall.toolCallId), toolCall);
    if (toolCall.status === 'pending-result-confirmation') waiting.set(keyOf('result', turn.id, toolCall.toolCallId), toolCall);
  }
  const decisions: Decision[] = [];
  for (const { action, origin } of envelopes) {
    const fields = action as ActionLike & Fields;
    const { turnId, toolCallId: callId } = fields;
    switch (nameOf(action)) {
      case 'toolCallStart':
        called(turnId, callId, fields.toolName);
        break;
      case 'toolCallReady':
        if (fields.confirmed === undefined || fields.confirmed === null) {
          waiting.set(keyOf('call', turnId, callId), reduced(begun(callId), action));
        } else if (fields.confirmed === SETTING) {
          const asked = decidedDigest(reduced(begun(callId), action));
          decisions.push({ turnId, callId, ...toolOf(turnId, callId), about: 'call', approved: true, asked, bySetting: true });
        }
        break;
      case 'toolCallComplete':
        if (fields.requiresResultConfirmation === true) waiting.set(keyOf('result', turnId, callId), begun(callId));
        break;
      case 'toolCallConfirmed':
      case 'toolCallResultConfirmed': {
        const about = nameOf(action) === 'toolCallConfirmed' ? 'call' : 'result';
        const key = keyOf(about, turnId, callId);
        const call = waiting.get(key);
        if (!waiting.delete(key) || !call) break;
        const asked = about === 'call' ? { asked: decidedDigest(reduced(call, action)) } : {};
        decisions.push({
          turnId,
          callId,
          ...toolOf(turnId, callId),
          about,
          approved: fields.approved === true,
          ...asked,
          ...(origin && { origin }),
        });
      }
    }
  }
  return decisions;
}

/** The names are not needed here. */
function begun(toolCallId: string): object {
  return { status: 'streaming', toolCallId, toolName: '', displayName: '' };
}

/** The type without its first part, which is where the dialects differ. */
function nameOf({ type }: ActionLike): string {
  return type.slice(type.indexOf('/') + 1);
}

function decides(action: ActionLike): boolean {
  const { type } = action;
  if (type.endsWith('Confirmed')) return ['toolCallConfirmed', 'toolCallResultConfirmed'].includes(nameOf(action));
  return type.endsWith('toolCallReady') && (action as ActionLike & Fields).confirmed === SETTING;
}
