import type { ResourceWatchState } from '../channels/resourceWatch.ts';
import { flag, list, may, needs, object, or, text } from './parts/shapeChecks.ts';

const globs = may(object({ items: needs(list(text)) }));
const resourceWatch = object({ root: or('', text), recursive: or(false, flag), includes: globs, excludes: globs });
const noWatch: ResourceWatchState = { root: '', recursive: false };

export function wellFormedResourceWatch(value: ResourceWatchState): ResourceWatchState {
  return (resourceWatch(value) ?? noWatch) as ResourceWatchState;
}
