/** Records which parts of a waiting card have been in view, of those by which the user decides (`data-judged`). */

/** In pixels from the top of a part. */
type Span = readonly [from: number, to: number];
interface Part {
  width: number;
  height: number;
  seen: readonly Span[];
  whole: boolean;
}

/** The rest of the window is hidden. */
interface Uncovered {
  top: number;
  bottom: number;
}

/** Tolerance for rounding at an edge, in pixels. */
const SLACK = 2;

export class SeenParts {
  readonly #parts = new WeakMap<Element, Part>();

  constructor(private readonly card: HTMLElement) {}

  /** Records what is in view now. True when every part has been in view as a whole, and none is cut (`data-cut`). */
  look(): boolean {
    const isShown = document.visibilityState === 'visible';
    const uncovered = isShown ? this.#uncovered() : { top: Number.POSITIVE_INFINITY, bottom: 0 };
    let whole = this.card.querySelector('[data-cut]') === null;
    for (const element of this.card.querySelectorAll('[data-judged]')) if (!this.#note(element, uncovered)) whole = false;
    return whole;
  }

  /** Brings what has not been in view into view: all that can be unfolded, or else the next of it below the head. */
  show(): void {
    const folded = this.card.querySelectorAll<HTMLElement>('.show-all[data-cut], [data-cut] > summary');
    if (folded.length > 0) return folded.forEach((one) => one.click());
    for (const element of this.card.querySelectorAll('[data-judged]')) {
      const part = this.#parts.get(element);
      if (part?.whole) continue;
      const seen = part?.seen.find(([from]) => from <= SLACK)?.[1] ?? 0;
      // In a low view the head scrolls away.
      const top = Math.max(visibleBox(element).top, this.#uncovered().top);
      const by = element.getBoundingClientRect().top + seen - element.scrollTop - top;
      return scrollerOf(element).scrollBy({ top: by, behavior: 'instant' });
    }
  }

  /** The head and the buttons are sticky and cover the parts that scroll under them. */
  #uncovered(): Uncovered {
    return {
      top: this.card.querySelector('.card-head')?.getBoundingClientRect().bottom ?? 0,
      bottom: this.card.querySelector('.card-foot')?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY,
    };
  }

  #note(element: Element, uncovered: Uncovered): boolean {
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
    const from = Math.max(box.top, view.top, uncovered.top) - box.top + scrollTop;
    const to = Math.min(box.bottom, view.bottom, uncovered.bottom) - box.top + scrollTop;
    if (to > from) part.seen = joined(part.seen, [from, to]);
    part.whole = part.seen.some(([first, last]) => first <= SLACK && last >= height - SLACK);
    return part.whole;
  }
}

/** What scrolls the element: something around it, or the page. */
function scrollerOf(element: Element): Element {
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return document.documentElement;
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
