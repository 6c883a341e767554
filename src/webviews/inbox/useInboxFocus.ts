/**
 * Where the focus goes: to the next item on request, and after an answer. When the focused item was settled elsewhere, the focus goes to no other card,
 * because the next key would then be for something that the user has not chosen.
 */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { GUARD_MS } from '../session/answering/useSteady.ts';
import type { InboxItem } from './protocol.ts';

export const EMPTY_ID = 'inbox-empty';

export interface InboxFocus {
  go(target: 'next' | 'first'): void;
  /** The focus has moved to another card by itself, too recently for a key to be meant for it. */
  hasJustMoved(): boolean;
}

/** `answered`: ids of the items that the user has answered here. One that comes back was refused. */
export function useInboxFocus(page: RefObject<HTMLElement | null>, items: readonly InboxItem[], answered: Set<string>): InboxFocus {
  const before = useRef(items);
  const focused = useRef<string>(undefined);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const hasJustMoved = () => performance.now() - movedAt.current < GUARD_MS;

  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      focused.current = target instanceof Element ? (target.closest<HTMLElement>('[data-item]')?.dataset['item'] ?? undefined) : undefined;
    };
    document.addEventListener('focusin', follow);
    return () => document.removeEventListener('focusin', follow);
  }, []);

  useLayoutEffect(() => {
    const earlier = before.current;
    before.current = items;
    // It is back because the host refused the answer.
    for (const { id } of items) if (!earlier.some((item) => item.id === id)) answered.delete(id);
    const id = focused.current;
    if (id === undefined || items.some((item) => item.id === id)) return;
    focused.current = undefined;
    const next = following(earlier, id, items);
    if (!next) {
      focusEmpty();
    } else if (answered.has(id)) {
      movedAt.current = performance.now();
      focusCard(page.current, next);
    } else {
      rowOf(page.current, next)?.focus();
    }
  }, [items, answered, page]);

  return {
    hasJustMoved,
    go(target) {
      const at = target === 'next' ? items.findIndex(({ id }) => id === focused.current) : -1;
      // The focus is on the row and not on its card after the one before it was settled elsewhere.
      const isOnRow = document.activeElement?.matches('[data-item]') === true;
      const item = items[(isOnRow ? Math.max(0, at) : at + 1) % items.length];
      if (item) focusCard(page.current, item);
      else focusEmpty();
    },
  };
}

/** The first that stood after the one that went, or else the first of all. */
function following(earlier: readonly InboxItem[], gone: string, items: readonly InboxItem[]): InboxItem | undefined {
  const after = earlier.slice(earlier.findIndex(({ id }) => id === gone) + 1);
  return after.find(({ id }) => items.some((item) => item.id === id)) ?? items[0];
}

function rowOf(page: HTMLElement | null, { id }: InboxItem): HTMLElement | null | undefined {
  return page?.querySelector<HTMLElement>(`[data-item="${CSS.escape(id)}"]`);
}

function focusCard(page: HTMLElement | null, item: InboxItem): void {
  const row = rowOf(page, item);
  const { top = 0, bottom = 0 } = row?.getBoundingClientRect() ?? {};
  // What is in view stays where it is. Of a long item the beginning is shown, which says where it waits.
  if (top < 0 || bottom > window.innerHeight) row?.scrollIntoView({ block: 'start' });
  row?.querySelector<HTMLElement>('section')?.focus({ preventScroll: true });
}

function focusEmpty(): void {
  document.getElementById(EMPTY_ID)?.focus();
}
