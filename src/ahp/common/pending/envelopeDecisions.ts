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
/** What these rules read of a session of AHP v1, or of a chat. */
interface Before {
  activeTurn?: { id: string; responseParts?: readonly ({ kind?: string; toolCall?: Call } | null)[] } | null;
}
/** The fields of actions that these rules read. Each type has those that it needs. */
interface Fields {
  turnId: string;
  toolCallId: string;
  toolName?: unknown;
  confirmed?: unknown;
  approved?: unknown;
}

/** Of a call that runs without a question. */
const SETTING = 'setting';

/** Actions after which the calls of their turn are over. */
const turnEnds: readonly string[] = ['turnComplete', 'turnCancelled', 'error'];

/** Reduces a call by an action that names it. The same object where its status does not allow the action. */
export type ReduceCall = (call: never, action: never) => object;

/**
 * The decisions among accepted envelopes, in order. `before`: the state to which they are applied. Several clients may answer the same call, and
 * some hosts confirm them all, so only what changes the call is a decision, as in the state.
 */
export function decisionsIn(before: object, envelopes: readonly Envelope[], reduceCall: ReduceCall): Decision[] {
  /** The ids of the calls that are decided about. Nothing is reduced for the others. */
  const decided = new Set(
    envelopes.filter(({ action }) => decides(action)).map(({ action }) => (action as ActionLike & Fields).toolCallId),
  );
  if (decided.size === 0) return [];
  /** Those of each turn, by its id. */
  const calls = new Map<string, Call[]>();
  const turn = (before as Before).activeTurn;
  if (turn)
    calls.set(
      turn.id,
      listOf(turn.responseParts).flatMap((part) =>
        part?.kind === 'toolCall' && part.toolCall && decided.has(part.toolCall.toolCallId) ? [part.toolCall] : [],
      ),
    );
  const decisions: Decision[] = [];
  for (const { action, origin } of envelopes) {
    const fields = action as ActionLike & Fields;
    const { turnId, toolCallId: callId } = fields;
    const name = nameOf(action);
    if (turnEnds.includes(name)) calls.delete(turnId);
    if (!decided.has(callId)) continue;
    const known = calls.get(turnId) ?? [];
    if (name === 'toolCallStart') calls.set(turnId, [...known, begun(fields)]);
    else if (name.startsWith('toolCall')) {
      const reduced = known.map((call) => (call.toolCallId === callId ? (reduceCall(call as never, action as never) as Call) : call));
      calls.set(turnId, reduced);
      const call = reduced.find((one, place) => one !== known[place]);
      if (call && decides(action)) decisions.push(decisionOf(name, fields, call, origin));
    }
  }
  return decisions;
}

/** Of an action that {@link decides}. `call`: after it. */
function decisionOf(name: string, fields: Fields, call: Call, origin: ActionOrigin | undefined): Decision {
  const { toolName: tool } = call;
  const about = name === 'toolCallResultConfirmed' ? 'result' : 'call';
  const bySetting = name === 'toolCallReady';
  return {
    turnId: fields.turnId,
    callId: fields.toolCallId,
    ...(typeof tool === 'string' && tool !== '' && { tool }),
    about,
    approved: bySetting || fields.approved === true,
    ...(about === 'call' && { asked: decidedDigest(call) }),
    ...(bySetting ? { bySetting } : origin && { origin }),
  };
}

/** The name that people see is not needed here. */
function begun({ toolCallId, toolName }: Fields): Call {
  return { status: 'streaming', toolCallId, toolName };
}

/** The type without its first part, which is where the dialects differ. */
function nameOf({ type }: ActionLike): string {
  return type.slice(type.indexOf('/') + 1);
}

/** Asked of every action, most of which name no call. */
function decides(action: ActionLike): boolean {
  if (typeof (action as Partial<Fields>).toolCallId !== 'string') return false;
  const { type, confirmed } = action as ActionLike & Fields;
  if (type.endsWith('Confirmed')) return ['toolCallConfirmed', 'toolCallResultConfirmed'].includes(nameOf(action));
  return type.endsWith('toolCallReady') && confirmed === SETTING;
}
