/** What a key does in a tree of rows, as WAI-ARIA's pattern for tree grids has it. */

/** Undefined: nothing. A row: it gets the focus. */
export function treeKey(key: string, rows: readonly HTMLElement[], row: HTMLElement): HTMLElement | 'act' | 'toggle' | undefined {
  const at = rows.indexOf(row);
  const expanded = row.getAttribute('aria-expanded');
  const level = levelOf(row);
  switch (key) {
    case 'ArrowDown':
      return rows[at + 1];
    case 'ArrowUp':
      return rows[at - 1];
    case 'Home':
      return rows[0];
    case 'End':
      return rows.at(-1);
    case 'ArrowRight': {
      const next = rows[at + 1];
      if (expanded === 'false') return 'toggle';
      return next && levelOf(next) > level ? next : undefined;
    }
    case 'ArrowLeft':
      return expanded === 'true' ? 'toggle' : rows.slice(0, at).findLast((one) => levelOf(one) < level);
    case 'Enter':
      return 'act';
    case ' ':
      return expanded === null ? undefined : 'toggle';
    default:
      return undefined;
  }
}

function levelOf(row: HTMLElement): number {
  return Number(row.getAttribute('aria-level'));
}
