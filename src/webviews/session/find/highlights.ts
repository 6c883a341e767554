/** Where a text is on the page. It is marked by highlights of CSS, which leave the elements as they are. */
import type { Hit } from '../../../views/session/find/findInTurns.ts';
import { foldedQuery, foldedText, GAP } from '../../../views/session/find/foldedText.ts';

/** What is searched of a part. */
const ROOTS = '.user-text, .markdown, .row-text, .waiting-card, pre[data-searched]';
const LEFT_OUT = 'button, .code-head, .visually-hidden, [aria-hidden="true"], .fact, .runner-chip';
/** Text of different ones does not continue. */
// eslint-disable-next-line texts/translated -- a selector
const BLOCKS = `p, li, th, td, h1, h2, h3, h4, h5, h6, pre, div, ${ROOTS}`;

/** Of all that is found. */
const MAX_MARKED = 1_000;

const ALL = 'tapline-find';
const CURRENT = 'tapline-find-current';

export function partOf(
  content: Element,
  { turnId, key }: Pick<Hit, 'turnId' | 'key'>,
): { turn: Element; part: Element | null } | undefined {
  const turn = content.querySelector(`.turn[data-turn="${CSS.escape(turnId)}"]`);
  return turn ? { turn, part: partIn(turn, key) } : undefined;
}

function partIn(turn: Element | undefined, key: string): Element | null {
  return turn?.querySelector(`[data-part="${CSS.escape(key)}"]`) ?? null;
}

/** The first ones, in the order of the page. The browser keeps each range up to date, which costs time with every change of the page. */
export function rangesIn(part: Element, query: string, limit: number): Range[] {
  const wanted = foldedQuery(query);
  if (wanted === '') return [];
  const roots = part.matches(ROOTS) ? [part] : [...part.querySelectorAll(ROOTS)];
  const ranges: Range[] = [];
  // An outer one comes before those in it.
  let outer: Element | undefined;
  for (const root of roots) {
    if (ranges.length >= limit) break;
    if (outer?.contains(root)) continue;
    outer = root;
    ranges.push(...rangesInRoot(root, wanted, limit - ranges.length));
  }
  return ranges;
}

function rangesInRoot(root: Element, wanted: string, limit: number): Range[] {
  const places: { node: Node; start: number }[] = [];
  let text = '';
  let before: Element | null = null;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    const left = parent?.closest(LEFT_OUT);
    if (left && root.contains(left)) continue;
    const block = parent?.closest(BLOCKS) ?? null;
    if (before !== null && block !== before) text += GAP;
    before = block;
    places.push({ node, start: text.length });
    text += foldedText(node.nodeValue ?? '');
  }
  const ranges: Range[] = [];
  let first = 0;
  for (let at = text.indexOf(wanted); at >= 0 && ranges.length < limit; at = text.indexOf(wanted, at + wanted.length)) {
    const placeOf = (offset: number) => {
      while ((places[first + 1]?.start ?? Infinity) <= offset) first++;
      return places[first];
    };
    const from = placeOf(at);
    const to = placeOf(at + wanted.length - 1);
    if (!from || !to) break;
    const range = new Range();
    range.setStart(from.node, at - from.start);
    range.setEnd(to.node, at + wanted.length - to.start);
    ranges.push(range);
  }
  return ranges;
}

/** False for what the one line of a closed fold has no room for, or the folders of a path in it. */
export function isInView(range: Range): boolean {
  const line = range.startContainer.parentElement?.closest('summary .row-text');
  if (!line) return true;
  const folders = [...line.querySelectorAll('.path-folders')].filter((one) => range.intersectsNode(one));
  // At the end of the line, folders are drawn whole or not at all.
  return [range, ...folders].every((one) => isDrawn(one, line)) && folders.every((one) => isDrawn(within(range, one), one));
}

/** Whether it ends before the end of a line, or before its ellipsis. */
function isDrawn(place: Range | Element, line: Element): boolean {
  const isCut = line.scrollWidth > line.clientWidth;
  const room = isCut ? -parseFloat(getComputedStyle(line).fontSize) : 1;
  return place.getBoundingClientRect().right <= line.getBoundingClientRect().right + room;
}

function within(range: Range, element: Element): Range {
  const part = new Range();
  part.selectNodeContents(element);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0) part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset);
  return part;
}

/** Those of the turn of the current one come first. */
export function mark(content: Element, hits: readonly Hit[], query: string, current: Hit | undefined): void {
  // Most turns of a long conversation are not rendered.
  const rendered = new Map<string | undefined, HTMLElement>();
  for (const turn of content.querySelectorAll<HTMLElement>('.turn')) rendered.set(turn.dataset.turn, turn);
  const found = hits.filter(({ turnId }) => rendered.has(turnId));
  const own = found.filter(({ turnId }) => turnId === current?.turnId);
  const others = found.filter(({ turnId }) => turnId !== current?.turnId);
  const ranges: Range[] = [];
  let last: Hit | undefined;
  for (const hit of [...own, ...others]) {
    if (ranges.length >= MAX_MARKED) break;
    const isKnown = last?.turnId === hit.turnId && last.key === hit.key;
    last = hit;
    const part = isKnown ? null : partIn(rendered.get(hit.turnId), hit.key);
    if (part) ranges.push(...rangesIn(part, query, MAX_MARKED - ranges.length));
  }
  const at = current && partIn(rendered.get(current.turnId), current.key);
  const now = at ? rangesIn(at, query, current.nth + 1)[current.nth] : undefined;
  CSS.highlights.set(ALL, new Highlight(...ranges));
  const front = new Highlight(...(now ? [now] : []));
  front.priority = 1;
  CSS.highlights.set(CURRENT, front);
}

export function unmark(): void {
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

/** Moves everything around it that scrolls, up to `box`. */
export function scrollIntoView(place: Range | Element, box: Element): void {
  const start = place instanceof Range ? place.startContainer.parentElement : place.parentElement;
  for (let around = start; around && around !== box; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflow)) bring(place, around);
  }
  bring(place, box);
}

function bring(place: Range | Element, box: Element): void {
  const at = place.getBoundingClientRect();
  const room = box.getBoundingClientRect();
  if (at.top < room.top || at.bottom > room.bottom) box.scrollTop += at.top - room.top - room.height / 3;
  if (at.left < room.left || at.right > room.right) box.scrollLeft += at.left - room.left - room.width / 3;
}
