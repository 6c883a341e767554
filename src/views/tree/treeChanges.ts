/** Brings a tree that is shown up to date, and says which of its rows have to be drawn again. */
import type { DrawnRow } from './treeRow.ts';

/** What is compared. Rows of one list with the same id are the same thing. */
export interface TreeNode {
  readonly id: string;
  readonly checkbox?: DrawnRow['checkbox'];
  readonly children?: readonly TreeNode[];
}

/** Above it one redraw of everything takes less time. */
const MAX_CHANGED = 300;

/** What has to be drawn again: rows, each with all below it, or everything. */
export type TreeChanges<Node> = readonly Node[] | 'all';

/**
 * A view knows its rows as objects, so those that are still there stay the same ones, with the fields that they have in `now`. Rows that come
 * are copies: what is given is not changed later.
 */
export function updatedTree<Node extends TreeNode>(
  before: readonly Node[],
  now: readonly Node[],
): { rows: Node[]; changes: TreeChanges<Node> } {
  const [gone, come] = [new Set<string>(), new Set<string>()];
  let isAll = false;

  /** The children, and those of them that have to be drawn again. `isOther`: they are others, or in another order. */
  function updatedChildren(old: readonly TreeNode[], current: readonly TreeNode[]) {
    const isAligned = old.length === current.length && current.every((row, index) => row.id === old[index]?.id);
    if (isAligned) return { children: old, changed: current.flatMap((row, index) => updated(old[index] as TreeNode, row)), isOther: false };
    const known = new Map(old.map((row) => [row.id, row]));
    const changed: TreeNode[] = [];
    const children = current.map((row) => {
      const same = known.get(row.id);
      // Two rows with the same id are two rows.
      known.delete(row.id);
      if (same) changed.push(...updated(same, row));
      else come.add(row.id);
      return same ?? copyOf(row);
    });
    for (const id of known.keys()) gone.add(id);
    const isOther = children.length !== old.length || children.some((child, index) => child !== old[index]);
    return { children, changed, isOther };
  }

  function updated(row: TreeNode, current: TreeNode): readonly TreeNode[] {
    const [old, next] = [row.children ?? NONE, current.children ?? NONE];
    const likeness = compare(row, current);
    if (likeness === 'same' && old.length === 0 && next.length === 0) return NONE;
    const { children, changed, isOther } = updatedChildren(old, next);
    // It becomes a row that can be opened, or stops being one.
    if ((old.length === 0) !== (next.length === 0)) isAll = true;
    for (const key of Object.keys(row)) if (!(key in current)) Reflect.deleteProperty(row, key);
    Object.assign(row, current, current.children && { children });
    if (likeness === 'other' || isOther) return [row];
    // VS Code takes the tick of a row that is drawn again alone for that of the row above it, too.
    return row.checkbox && changed.some(({ checkbox }) => checkbox) ? [row] : changed;
  }

  const { children: rows, changed, isOther } = updatedChildren(before, now);
  // A view that is told of the new place of a row before the old one would lose it.
  const hasMoved = [...come].some((id) => gone.has(id));
  // The fields of a row are those of the same row in `now`.
  return { rows: [...rows] as Node[], changes: isAll || isOther || hasMoved || changed.length > MAX_CHANGED ? 'all' : (changed as Node[]) };
}

const NONE: readonly TreeNode[] = [];

function copyOf<Node extends TreeNode>(row: Node): Node {
  return row.children ? { ...row, children: row.children.map(copyOf) } : { ...row };
}

/** Their children aside. `same`: field by field; what is large and has not changed is most often the same object. */
function compare(before: TreeNode, now: TreeNode): 'same' | 'alike' | 'other' {
  if (haveSameFields(before, now)) return 'same';
  const wordsOf = (row: TreeNode) => JSON.stringify({ ...row, children: undefined });
  return wordsOf(before) === wordsOf(now) ? 'alike' : 'other';
}

function haveSameFields(before: TreeNode, now: TreeNode): boolean {
  const keys = Object.keys(now) as (keyof TreeNode)[];
  return keys.length === Object.keys(before).length && keys.every((key) => key === 'children' || before[key] === now[key]);
}
