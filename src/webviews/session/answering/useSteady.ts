/** Whether what the user is about to click has been in its place for long enough that the click is meant for it. */
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** For so long after something has appeared or moved by itself, a click may have been meant for what was there before. */
export const GUARD_MS = 500;
/** A smaller move keeps the pointer over the same button. In pixels. */
const SLACK = 2;

export interface Steady {
  /** Follows the time. */
  isSteady: boolean;
  /** Looks where the element is now. */
  look(): boolean;
}

export function useSteady(element: RefObject<HTMLElement | null>): Steady {
  const [isSteady, setSteady] = useState(false);
  const last = useRef<{ place: Place; since: number }>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback((): boolean => {
    if (!element.current) return false;
    const place = placeOf(element.current);
    const now = performance.now();
    const before = last.current;
    const since = before && !hasMoved(before.place, place) ? before.since : now;
    last.current = { place, since };
    const left = since + GUARD_MS - now;
    clearTimeout(timer.current);
    if (left > 0) timer.current = setTimeout(look, left);
    setSteady(left <= 0);
    return left <= 0;
  }, [element]);

  useLayoutEffect(() => void look());
  useEffect(() => {
    const note = () => void look();
    const observer = new ResizeObserver(note);
    // What comes or goes above it changes the size of something around it.
    for (const around of upwards(element.current)) observer.observe(around);
    document.addEventListener('scroll', note, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', note, { capture: true });
      clearTimeout(timer.current);
    };
  }, [element, look]);
  return { isSteady, look };
}

interface Place {
  /** In the window. */
  box: DOMRect;
  /** How far everything around it is scrolled. */
  scrolled: { x: number; y: number };
}

function placeOf(element: Element): Place {
  const scrolled = { x: 0, y: 0 };
  for (const { scrollLeft, scrollTop } of upwards(element)) {
    scrolled.x += scrollLeft;
    scrolled.y += scrollTop;
  }
  return { box: element.getBoundingClientRect(), scrolled };
}

/** Both in the window and in what scrolls: the user follows a scroll with their eyes, and a scroll may keep in place what would have moved. */
function hasMoved(from: Place, to: Place): boolean {
  const movedBeside = (x: number, y: number) =>
    [
      to.box.left + x - from.box.left,
      to.box.right + x - from.box.right,
      to.box.top + y - from.box.top,
      to.box.bottom + y - from.box.bottom,
    ].some((by) => Math.abs(by) > SLACK);
  return movedBeside(0, 0) && movedBeside(to.scrolled.x - from.scrolled.x, to.scrolled.y - from.scrolled.y);
}

function* upwards(element: Element | null): Generator<Element> {
  for (let around = element; around; around = around.parentElement) yield around;
}
