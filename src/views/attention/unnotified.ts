/** Which items the user has not been notified of. */
import type { AttentionKind } from './attentionItems.ts';

/** What the user can be notified of: something that waits, or a turn that has finished. */
export interface Notifiable {
  readonly id: string;
  readonly kind: AttentionKind | 'finished';
  readonly isLoading?: true;
}

/** Ids that are kept. */
const MAX_KEPT = 500;
/** Their ids hold for one thing only. The others come back with the same id, for example with the next turn that fails. */
const unique: ReadonlySet<Notifiable['kind']> = new Set(['call', 'result', 'question', 'finished']);

/**
 * `notified`: ids from earlier, also from before a reload of the window. `known`: those of them that still count. `fresh`: an item whose state
 * is on its way may turn out to be one that the user knows, so it waits for that.
 */
export function unnotified<T extends Notifiable>(
  before: readonly T[],
  now: readonly T[],
  notified: readonly string[],
): { fresh: readonly T[]; known: readonly string[] } {
  const waiting = new Set(now.map(({ id }) => id));
  const over = new Set(before.flatMap(({ id, kind }) => (unique.has(kind) || waiting.has(id) ? [] : [id])));
  const known = notified.filter((id) => !over.has(id));
  return { fresh: now.filter(({ id, isLoading }) => !isLoading && !known.includes(id)), known };
}

/** What to remember once the user knows of these. */
export function remembered(known: readonly string[], fresh: readonly Notifiable[]): readonly string[] {
  return [...known, ...fresh.map(({ id }) => id)].slice(-MAX_KEPT);
}
