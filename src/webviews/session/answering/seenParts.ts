/** Records which parts of a waiting card have been in view, of those by which the user decides (`data-judged`). */

/** In pixels from the top of a part. */
type Span = readonly [from: number, to: number];
interface Part {
  width: number;
  height: number;
  seen: readonly Span[];
  whole: boolean;
}

/** Tolerance for rounding at an edge, in pixels. */
const SLACK = 2;

export class SeenParts {
  readonly #parts = new WeakMap<Element, Part>();

  constructor(private readonly card: HTMLElement) {}

  /** Records what is in view now. True when every part has been in view as a whole, and none is cut (`data-cut`). */
  look(): boolean {
    const isShown = document.visibilityState === 'visible';
    // The head is sticky and covers the parts that scroll under it.
    const covered = this.card.querySelector('.card-head')?.getBoundingClientRect().bottom ?? 0;
    let whole = this.card.querySelector('[data-cut]') === null;
    for (const element of this.card.querySelectorAll('[data-judged]')) {
      if (!this.#note(element, isShown ? covered : Number.POSITIVE_INFINITY)) whole = false;
    }
    return whole;
  }

  /** `covered`: everything above this position is hidden. */
  #note(element: Element, covered: number): boolean {
    const box = element.getBoundingClientRect();
    // Some elements scroll by themselves, such as a text field.
    const { scrollHeight: height, scrollTop } = element;
    let part = this.#parts.get(element);
    if (part?.whole) return true;
    // Another width changes the layout, so what was in view before does not count.
    if (!part || Math.abs(part.width - box.width) > 1 || Math.abs(part.height - height) > 1) {
      part = { width: box.width, height, seen: [], whole: false };
      this.#parts.set(element, part);
    }
    const view = visibleBox(element);
    if (box.height === 0 || box.left < view.left - SLACK || box.right > view.right + SLACK) return false;
    const from = Math.max(box.top, view.top, covered) - box.top + scrollTop;
    const to = Math.min(box.bottom, view.bottom) - box.top + scrollTop;
    if (to > from) part.seen = joined(part.seen, [from, to]);
    part.whole = part.seen.some(([first, last]) => first <= SLACK && last >= height - SLACK);
    return part.whole;
  }
}

/** The part of the window that the ancestors of the element do not clip. */
function visibleBox(element: Element): { top: number; bottom: number; left: number; right: number } {
  const view = { top: 0, bottom: window.innerHeight, left: 0, right: window.innerWidth };
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (getComputedStyle(around).overflow === 'visible') continue;
    const { top, bottom, left, right } = around.getBoundingClientRect();
    view.top = Math.max(view.top, top);
    view.bottom = Math.min(view.bottom, bottom);
    view.left = Math.max(view.left, left);
    view.right = Math.min(view.right, right);
  }
  return view;
}

/** Adds a span and merges spans that touch. */
function joined(spans: readonly Span[], [from, to]: Span): Span[] {
  const apart: Span[] = [];
  for (const [first, last] of spans) {
    if (last < from - SLACK || first > to + SLACK) apart.push([first, last]);
    else [from, to] = [Math.min(first, from), Math.max(last, to)];
  }
  return [...apart, [from, to]];
}
