/** Resource watches: what changes below a folder. The changes are events and no part of the state. */
import { createReducer } from '../common/reducers/reducer.ts';
import type { ActionsOf } from '../common/schemas.ts';
import type { UnknownTag, URI } from './shapes/basic.ts';

export interface ResourceWatchState {
  root: URI;
  recursive: boolean;
  /** Globs. */
  includes?: { items: string[] };
  excludes?: { items: string[] };
}

export interface ResourceChange {
  uri: URI;
  type: 'added' | 'updated' | 'deleted' | UnknownTag;
}

interface ResourceWatchHostActions {
  'resourceWatch/changed': { changes: { items: ResourceChange[] } };
}
export type ResourceWatchAction = ActionsOf<ResourceWatchHostActions>;

export const resourceWatchReducer = createReducer<ResourceWatchState, ResourceWatchAction>(() => undefined);
