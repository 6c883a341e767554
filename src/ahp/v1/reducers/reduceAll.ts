/** The kind and the reducer of a resource. */
import type { StateAction } from '../actions.ts';
import type { ResourceState } from '../commands.ts';
import type { URI } from '../common.ts';
import type { Reducer as ReducerOf } from '../../common/reducers/reducer.ts';
import { ROOT_URI } from '../root.ts';
import { rootReducer } from './rootReducer.ts';
import { sessionReducer } from './sessionReducer.ts';
import { TERMINAL_SCHEME } from '../terminal.ts';
import { terminalReducer } from './terminalReducer.ts';

export { reduceAll } from '../../common/reducers/reduceAll.ts';

/** Reduces the actions of the protocol. */
export type Reducer<S> = ReducerOf<S, StateAction>;

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
