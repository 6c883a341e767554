/** Brings a tree that is shown up to date, and says which of its rows have to be drawn again. */
import type { GroupNode } from './sessionGroups.ts';
import type { OfferNode } from './offerNodes.ts';
import type { SessionTreeNode } from './sessionTree.ts';

export type TreeNode = SessionTreeNode | GroupNode | OfferNode;

/** Above it one redraw of everything takes less time. */
const MAX_CHANGED = 300;

/** What has to be drawn again: rows, each with all below it, or everything. */
export type TreeChanges = readonly TreeNode[] | 'all';

/** A view knows its rows as objects, so those that are still there stay the same ones, with the fields that they have in `now`. */
export function updatedTree(before: readonly TreeNode[], now: readonly TreeNode[]): { rows: TreeNode[]; changes: TreeChanges } {
  const [gone, come] = [new Set<string>(), new Set<string>()];
  let isAll = false;

  /** The children, and those of them that have to be drawn again. `isOther`: they are others, or in another order. */
  function updatedChildren(old: readonly TreeNode[], current: readonly TreeNode[]) {
    const isAligned = old.length === current.length && current.every((row, index) => row.id === old[index]?.id);
    if (isAligned)
      return { children: [...old], changed: current.flatMap((row, index) => updated(old[index] as TreeNode, row)), isOther: false };
    const known = new Map(old.map((row) => [row.id, row]));
    const changed: TreeNode[] = [];
    const children = current.map((row) => {
      const same = known.get(row.id);
      // Two rows with the same id are two rows.
      known.delete(row.id);
      if (same) changed.push(...updated(same, row));
      else come.add(row.id);
      return same ?? row;
    });
    for (const id of known.keys()) gone.add(id);
    const isOther = children.length !== old.length || children.some((child, index) => child !== old[index]);
    return { children, changed, isOther };
  }

  function updated(row: TreeNode, current: TreeNode): readonly TreeNode[] {
    if (isSameSession(row, current)) return NONE;
    const isSame = areDrawnAlike(row, current);
    const [old, next] = [childrenOf(row), childrenOf(current)];
    const { children, changed, isOther } = updatedChildren(old, next);
    // It becomes a row that can be opened, or stops being one.
    if ((old.length === 0) !== (next.length === 0)) isAll = true;
    for (const key of Object.keys(row)) if (!(key in current)) Reflect.deleteProperty(row, key);
    Object.assign(row, current, 'children' in current && { children });
    // All below a row is drawn again with it.
    return isSame && !isOther ? changed : [row];
  }

  const { children: rows, changed, isOther } = updatedChildren(before, now);
  // A view that is told of the new place of a row before the old one would lose it.
  const hasMoved = [...come].some((id) => gone.has(id));
  return { rows, changes: isAll || isOther || hasMoved || changed.length > MAX_CHANGED ? 'all' : changed };
}

function childrenOf(row: TreeNode): readonly TreeNode[] {
  return 'children' in row ? row.children : [];
}

const NONE: readonly TreeNode[] = [];

function isSameSession(before: TreeNode, now: TreeNode): boolean {
  if (before.kind !== 'session' || now.kind !== 'session' || before.item !== now.item) return false;
  return before.stale === now.stale && before.pinned === now.pinned && before.hostLabel === now.hostLabel;
}

/** Their children aside. */
function areDrawnAlike(before: TreeNode, now: TreeNode): boolean {
  const wordsOf = (row: TreeNode) => JSON.stringify({ ...row, children: undefined });
  return wordsOf(before) === wordsOf(now);
}
