/** Batches of actions, and which reducer a resource has. */
import type { StateAction } from './actions.ts';
import type { ResourceState } from './commands.ts';
import type { URI } from './common.ts';
import { isAbsent, isRecord, reduceInOneDraft, type Reducer as ReducerOf } from './reducer.ts';
import { ROOT_URI, rootReducer } from './root.ts';
import { sessionReducer } from './sessionReducer.ts';
import { TERMINAL_SCHEME, terminalReducer } from './terminal.ts';

/** Reduces the actions of the protocol. */
export type Reducer<S> = ReducerOf<S, StateAction>;

/**
 * Applies a batch and gives exactly what its actions give one by one, faster: in one draft, and with each run of appends to one
 * part (streamed text, most of all traffic) as a single append.
 */
export function reduceAll<S>(reducer: Reducer<S>, state: S, actions: readonly StateAction[], now: number): S {
  return reduceInOneDraft(reducer, state, joinAppends(actions), now);
}

/** The reducer of a resource by its URI; whatever is neither the root nor a terminal is a session. */
export function reducerFor(resource: URI): Reducer<ResourceState> {
  if (resource === ROOT_URI) return rootReducer as Reducer<ResourceState>;
  if (resource.startsWith(TERMINAL_SCHEME)) return terminalReducer as Reducer<ResourceState>;
  return sessionReducer as Reducer<ResourceState>;
}

/** The field with the text, by type of the actions that append. */
const appendedField: Partial<Record<string, 'content' | 'data'>> = {
  'session/delta': 'content',
  'session/reasoning': 'content',
  'session/toolCallDelta': 'content',
  'terminal/data': 'data',
};

/** What of an append says to which part it goes, and its text. */
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
