/** Batches of actions, and which reducer a resource has. */
import type { StateAction } from './actions.ts';
import type { ResourceState } from './commands.ts';
import type { URI } from './common.ts';
import { isAbsent, isRecord, reduceInOneDraft, type Reducer } from './reducer.ts';
import { ROOT_URI, rootReducer } from './root.ts';
import { sessionReducer } from './sessionReducer.ts';
import { TERMINAL_SCHEME, terminalReducer } from './terminal.ts';

export type { Reducer };

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

function joinAppends(actions: readonly StateAction[]): StateAction[] {
  const joined: StateAction[] = [];
  for (let next = 0; next < actions.length;) {
    const first = actions[next++] as StateAction;
    let text = appendedText(first);
    const start = next;
    while (text !== undefined && next < actions.length && continues(first, actions[next] as StateAction)) {
      text += appendedText(actions[next++] as StateAction) ?? '';
    }
    joined.push(text === undefined || next === start ? first : withText(first, text));
  }
  return joined;
}

/** The text that an action appends; undefined for one that does not append, or is malformed. */
function appendedText(action: StateAction): string | undefined {
  if (!isRecord(action)) return undefined;
  let text: unknown;
  switch (action.type) {
    case 'session/delta':
    case 'session/reasoning':
    case 'session/toolCallDelta':
      text = action.content;
      break;
    case 'terminal/data':
      text = action.data;
      break;
    default:
  }
  return typeof text === 'string' ? text : undefined;
}

/** True when `action` appends to the same part as `first`, and does nothing else. */
function continues(first: StateAction, action: StateAction): boolean {
  if (appendedText(action) === undefined || action.type !== first.type) return false;
  const target = first as Partial<Record<'turnId' | 'partId' | 'toolCallId', unknown>>;
  switch (action.type) {
    case 'session/delta':
    case 'session/reasoning':
      return action.turnId === target.turnId && action.partId === target.partId;
    case 'session/toolCallDelta':
      return action.turnId === target.turnId && action.toolCallId === target.toolCallId && isAbsent(action.invocationMessage);
    default:
      return true;
  }
}

function withText(action: StateAction, text: string): StateAction {
  return action.type === 'terminal/data' ? { ...action, data: text } : ({ ...action, content: text } as StateAction);
}
