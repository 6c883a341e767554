/** The states of AHP v1. */
import type { ChannelStates } from '../../channels/channelReducers.ts';
import { isSubagentOf } from '../../subagentUri.ts';
import type { StateAction } from '../../v1/actions.ts';
import type { ResourceState } from '../../v1/commands.ts';
import { reduceAll, type Reducer } from '../../v1/reducers/reduceAll.ts';
import { rootReducer } from '../../v1/reducers/rootReducer.ts';
import { sessionReducer } from '../../v1/reducers/sessionReducer.ts';
import { terminalReducer } from '../../v1/reducers/terminalReducer.ts';
import type { SessionState } from '../../v1/session.ts';
import { upgradedChanges, upgradedChat, upgradedRoot, upgradedSession, upgradedTerminal } from '../../v1/upgrade.ts';
import type { ResourceKind, StateDialect, WellFormed } from '../dialect.ts';

const reducers: Partial<Record<ResourceKind, Reducer<ResourceState>>> = {
  root: rootReducer as Reducer<ResourceState>,
  session: sessionReducer as Reducer<ResourceState>,
  terminal: terminalReducer as Reducer<ResourceState>,
};

const upgrades: { [K in ResourceKind]?: (state: never) => ChannelStates[K] } = {
  root: upgradedRoot,
  session: upgradedSession,
  chat: upgradedChat,
  changeset: ({ summary }: SessionState) => upgradedChanges(summary),
  terminal: upgradedTerminal,
};

/** Of the kinds that are in the table. Others are not read. */
export function v1StatesOf(wellFormed: WellFormed): StateDialect {
  return {
    name: 'v1',
    // A session holds its one chat, and the list of the files that it has changed.
    kindOf: (kind) => (kind === 'chat' || kind === 'changeset' ? 'session' : kind),
    reduce: (kind, state, actions, now) => {
      const reducer = reducers[kind];
      return reducer ? reduceAll(reducer, state as ResourceState, actions as readonly StateAction[], now) : state;
    },
    upgrade: (kind, state) => {
      const upgraded = upgrades[kind]?.(state as never);
      return upgraded && wellFormed[kind]?.(upgraded);
    },
    isPartOf: (uri, session) => uri === session || isSubagentOf(uri, session),
  };
}
