/** Batches of actions, of both dialects. */
import { type ActionLike, isAbsent, isReducible, reduceInOneDraft, type Reducer } from './reducer.ts';

/**
 * Applies a batch, with the same result as its actions one by one. It is faster, because it makes one draft and joins each run of appends
 * to one part (streamed text, which is most of the traffic) to a single append.
 */
export function reduceAll<S, A extends ActionLike>(reducer: Reducer<S, A>, state: S, actions: readonly A[], now: number): S {
  return reduceInOneDraft(reducer, state, joinAppends(actions.filter(isReducible)), now);
}

/** Of the actions that append, the field with the text. */
const appendedField: ReadonlyMap<string, 'content' | 'data'> = new Map([
  ['session/delta', 'content'],
  ['session/reasoning', 'content'],
  ['session/toolCallDelta', 'content'],
  ['chat/delta', 'content'],
  ['chat/reasoning', 'content'],
  ['chat/toolCallDelta', 'content'],
  ['terminal/data', 'data'],
]);

/** The fields of an append that name its part or hold its text. */
type Append = ActionLike &
  Partial<Record<'turnId' | 'partId' | 'toolCallId' | 'invocationMessage' | '_meta' | 'content' | 'data', unknown>>;

function joinAppends<A extends ActionLike>(actions: readonly A[]): A[] {
  const joined: A[] = [];
  for (let next = 0; next < actions.length;) {
    const start = next;
    const first = actions[next++] as A;
    joined.push(first);
    const field = appendedField.get(first.type);
    if (field === undefined || typeof (first as Append)[field] !== 'string') continue;
    while (next < actions.length && continues(first, actions[next] as A, field)) next++;
    if (next > start + 1) joined[joined.length - 1] = { ...first, [field]: joinedText(actions.slice(start, next), field) };
  }
  return joined;
}

/** Joined at once: a text that grows by `+=` keeps every piece of it, and the garbage collector copies them all. */
function joinedText(appends: readonly Append[], field: 'content' | 'data'): string {
  return appends.map((append) => append[field]).join('');
}

/** True when `action` appends to the same part as `first` and does nothing else. */
function continues(first: Append, action: Append, field: 'content' | 'data'): boolean {
  return (
    action.type === first.type &&
    action.turnId === first.turnId &&
    action.partId === first.partId &&
    action.toolCallId === first.toolCallId &&
    typeof action[field] === 'string' &&
    isAbsent(action.invocationMessage) &&
    (action.type !== 'chat/toolCallDelta' || isAbsent(action._meta))
  );
}
