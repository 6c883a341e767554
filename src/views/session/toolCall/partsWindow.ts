/** Which parts of a long turn are drawn: the last ones, what must stay in sight, and what the user has opened. */
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { RowGroup } from './readRuns.ts';
import type { Row } from '../transcript/transcript.ts';

/** How many parts are opened at once. Of the last ones, this many to twice as many are drawn. */
const CHUNK = 50;

/** `gap`: groups that are not drawn, none of them empty. */
export type ShownGroup<R extends Row> = RowGroup<R> | { kind: 'gap'; groups: readonly RowGroup<R>[] };

/** The groups from the tail on are drawn, and others where `isDrawn` says so. */
export function shownGroups<R extends Row>(
  groups: readonly RowGroup<R>[],
  tail: number,
  isDrawn: (group: RowGroup<R>) => boolean,
): ShownGroup<R>[] {
  const shown: ShownGroup<R>[] = [];
  let gap: RowGroup<R>[] = [];
  for (const group of groups) {
    if (chunkOf(group) < tail && !isDrawn(group)) {
      if (gap.length === 0) shown.push({ kind: 'gap', groups: gap });
      gap.push(group);
      continue;
    }
    gap = [];
    shown.push(group);
  }
  return shown;
}

/** A part stays in its chunk, however many follow. A run belongs to the chunk of its last part. */
export function chunkOf(group: RowGroup<Row>): number {
  return Math.floor((group.at + sizeOf(group) - 1) / CHUNK);
}

/** The first chunk of those that are drawn in any case. */
export function tailOf(groups: readonly RowGroup<Row>[]): number {
  const last = groups.at(-1);
  return last ? Math.max(0, chunkOf(last) - 1) : 0;
}

/** It waits for the user, or goes on. A call that its turn has left running does not. */
export function isOpenCall({ status }: ToolCallState, stateOfTurn: string): boolean {
  if (status === 'streaming' || status === 'running') return stateOfTurn === 'running';
  return status === 'pending-confirmation' || status === 'pending-result-confirmation' || status === 'auth-required';
}

/** How many parts they are. */
export function partsIn(groups: readonly RowGroup<Row>[]): number {
  return groups.reduce((sum, group) => sum + sizeOf(group), 0);
}

export function rowsOf<R extends Row>(group: RowGroup<R>): readonly Row[] {
  return group.kind === 'run' ? group.rows : [group.row];
}

function sizeOf(group: RowGroup<Row>): number {
  return rowsOf(group).length;
}
