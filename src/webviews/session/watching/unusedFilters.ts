/** Filters that were written and are not in force: closing the editor or the panel does not throw them away. */
import type { AskEmitters, EventFilter } from '../../../views/emitters/emitterRequest.ts';
import type { FilterDraft } from '../../../views/emitters/filterDraft.ts';

interface UnusedFilter {
  draft: FilterDraft;
  /** The filter of which it is a change. */
  base: EventFilter;
}

/** Of the emitters of a session, by whom they are asked. */
const unused = new WeakMap<AskEmitters, Map<string, UnusedFilter>>();

export function unusedFilter(ask: AskEmitters, name: string): UnusedFilter | undefined {
  return unused.get(ask)?.get(name);
}

export function keepUnused(ask: AskEmitters, name: string, filter: UnusedFilter): void {
  const all = unused.get(ask) ?? new Map<string, UnusedFilter>();
  unused.set(ask, all.set(name, filter));
}

export function forgetUnused(ask: AskEmitters, name: string): void {
  unused.get(ask)?.delete(name);
}
