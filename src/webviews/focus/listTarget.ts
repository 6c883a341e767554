/** The place in a list that a key leads to: `at` is where the focus is. Undefined for other keys. `isSideways`: the keys to the left and right count, too. */
export function listTarget(key: string, at: number, count: number, isSideways = false): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (key === 'ArrowDown' || (isSideways && key === 'ArrowRight')) return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp' || (isSideways && key === 'ArrowLeft')) return Math.max(at - 1, 0);
  return undefined;
}
