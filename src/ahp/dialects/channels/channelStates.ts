/** The states of AHP 1.0. */
import { isStateOf } from '../../channels/reducers/isStateOf.ts';
import type { SessionState } from '../../channels/session/state.ts';
import { reduceAll } from '../../common/reducers/reduceAll.ts';
import { listOf, type Reducer } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { ResourceKind, StateDialect, WellFormed } from '../dialect.ts';

/** Of the kinds that are in the tables. Others are kept as they came, and not read. */
export function channelStatesOf(reducers: { readonly [K in ResourceKind]?: unknown }, wellFormed: WellFormed): StateDialect {
  return {
    name: 'channels',
    kindOf: (kind) => kind,
    reduce: (kind, state, actions, now) => {
      const reducer = reducers[kind] as Reducer<object> | undefined;
      return reducer ? reduceAll(reducer, state, actions, now) : state;
    },
    upgrade: (kind, state) => (isStateOf(kind, state) ? wellFormed[kind]?.(state) : undefined),
    isPartOf: (uri, session, state) => uri === session || partsOf(state as SessionState | undefined).includes(uri),
  };
}

function partsOf(state: SessionState | undefined): URI[] {
  if (!state) return [];
  const named = [...listOf(state.chats).map((chat) => chat?.resource), ...listOf(state.changesets).map((one) => one?.uriTemplate)];
  return [...named, state.annotations?.resource].filter((uri) => typeof uri === 'string');
}
