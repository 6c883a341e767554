/** Batches of actions, and the kind and the reducer of a resource. */
import { isRecord } from '../../../base/isRecord.ts';
import type { StateAction } from '../actions.ts';
import type { ResourceState } from '../commands.ts';
import type { URI } from '../common.ts';
import { isAbsent, reduceInOneDraft, type Reducer as ReducerOf } from './reducer.ts';
import { ROOT_URI } from '../root.ts';
import { rootReducer } from './rootReducer.ts';
import { sessionReducer } from './sessionReducer.ts';
import { TERMINAL_SCHEME } from '../terminal.ts';
import { terminalReducer } from './terminalReducer.ts';

/** Reduces the actions of the protocol. */
export type Reducer<S> = ReducerOf<S, StateAction>;

/**
 * Applies a batch, with the same result as its actions one by one. It is faster, because it makes one draft and joins each run of appends
 * to one part (streamed text, which is most of the traffic) to a single append.
 */
export function reduceAll<S>(reducer: Reducer<S>, state: S, actions: readonly StateAction[], now: number): S {
  return reduceInOneDraft(reducer, state, joinAppends(actions), now);
}

export type ResourceKind = 'root' | 'session' | 'terminal';

/** By the URI alone. Whatever is neither the root nor a terminal is a session of some provider. */
export function kindOfResource(uri: URI): ResourceKind {
  if (uri === ROOT_URI) return 'root';
  return uri.startsWith(TERMINAL_SCHEME) ? 'terminal' : 'session';
}

const reducers = { root: rootReducer, session: sessionReducer, terminal: terminalReducer } as Record<ResourceKind, Reducer<ResourceState>>;

/** The reducer of a resource by its URI. */
export function reducerFor(uri: URI): Reducer<ResourceState> {
  return reducers[kindOfResource(uri)];
}

/** Of the actions that append, the field with the text. */
const appendedField: Partial<Record<string, 'content' | 'data'>> = {
  'session/delta': 'content',
  'session/reasoning': 'content',
  'session/toolCallDelta': 'content',
  'terminal/data': 'data',
};

/** The fields of an append that name its part or hold its text. */
type Append = { type: string } & Partial<Record<'turnId' | 'partId' | 'toolCallId' | 'invocationMessage' | 'content' | 'data', unknown>>;

function joinAppends(actions: readonly StateAction[]): StateAction[] {
  const joined: StateAction[] = [];
  for (let next = 0; next < actions.length;) {
    const start = next;
    const first = actions[next++] as StateAction;
    joined.push(first);
    const field =
      isRecord(first) && typeof first.type === 'string' && Object.hasOwn(appendedField, first.type) ? appendedField[first.type] : undefined;
    if (field === undefined) continue;
    let text = (first as Append)[field];
    if (typeof text !== 'string') continue;
    for (; next < actions.length && continues(first, actions[next] as StateAction, field); next++)
      text += (actions[next] as Append)[field] as string;
    if (next > start + 1) joined[joined.length - 1] = { ...first, [field]: text } as StateAction;
  }
  return joined;
}

/** True when `action` appends to the same part as `first` and does nothing else. */
function continues(first: Append, action: Append, field: 'content' | 'data'): boolean {
  return (
    isRecord(action) &&
    action.type === first.type &&
    action.turnId === first.turnId &&
    action.partId === first.partId &&
    action.toolCallId === first.toolCallId &&
    typeof action[field] === 'string' &&
    isAbsent(action.invocationMessage)
  );
}
