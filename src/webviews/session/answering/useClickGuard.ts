import { useEffect } from 'preact/hooks';

/** For so long after the cards have moved by themselves, clicks on their buttons and answer keys do nothing. */
export const GUARD_MS = 500;

/** What TypeScript's DOM does not have yet. */
interface LayoutShift extends PerformanceEntry {
  readonly sources: readonly { readonly node: Node | null }[];
}

/**
 * A card that moves under the pointer takes no click that was meant for another one. Cards stand in items (`data-item`). What only opens
 * something is no answer (`data-opens`).
 */
export function useClickGuard(): void {
  useEffect(() => {
    let shiftedAt = Number.NEGATIVE_INFINITY;
    const note = (entries: readonly PerformanceEntry[]) => {
      for (const { startTime, sources } of entries as readonly LayoutShift[])
        if (sources.some(({ node }) => isOfItem(node))) shiftedAt = Math.max(shiftedAt, startTime);
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift' });
    const guard = (event: MouseEvent) => {
      note(observer.takeRecords());
      // A click by a key is for the element that has the focus, wherever that has moved.
      if (event.detail === 0 || performance.now() - shiftedAt >= GUARD_MS) return;
      if (!(event.target instanceof Element) || !event.target.closest('.card-buttons vscode-button:not([data-opens])')) return;
      event.stopPropagation();
      event.preventDefault();
    };
    document.addEventListener('click', guard, true);
    return () => {
      observer.disconnect();
      document.removeEventListener('click', guard, true);
    };
  }, []);
}

/** Removed nodes have none. */
function isOfItem(node: Node | null): boolean {
  const element = node instanceof Element ? node : node?.parentElement;
  return element != null && (element.closest('[data-item]') ?? element.querySelector('[data-item]')) !== null;
}
