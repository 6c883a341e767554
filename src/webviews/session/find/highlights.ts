/** Where a text is on the page. It is marked by highlights of CSS, which leave the elements as they are. */
import type { Hit } from '../../../views/session/find/findInTurns.ts';
import { foldedQuery, foldedText, GAP } from '../../../views/session/find/foldedText.ts';

/** What is searched of a part. */
const ROOTS = '.user-text, .markdown, .row-text, .waiting-card, pre[aria-label="Command"], pre[aria-label="URL"]';
const LEFT_OUT = 'button, .code-head, .visually-hidden, [aria-hidden="true"], .fact, .runner-chip';
/** Text of different ones does not continue. */
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
  return turn ? { turn, part: turn.querySelector(`[data-part="${CSS.escape(key)}"]`) } : undefined;
}

/** In the order of the page. */
export function rangesIn(part: Element, query: string): Range[] {
  const wanted = foldedQuery(query);
  if (wanted === '') return [];
  const roots = part.matches(ROOTS) ? [part] : [...part.querySelectorAll(ROOTS)];
  return roots
    .filter((root) => !roots.some((other) => other !== root && other.contains(root)))
    .flatMap((root) => rangesInRoot(root, wanted));
}

function rangesInRoot(root: Element, wanted: string): Range[] {
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
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
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

/** False for what the one line of a closed fold has no room for. */
export function isInView(range: Range): boolean {
  const line = range.startContainer.parentElement?.closest('summary .row-text');
  return !line || range.getBoundingClientRect().right <= line.getBoundingClientRect().right + 1;
}

/** Those of the turn of the current one come first. */
export function mark(content: Element, hits: readonly Hit[], query: string, current: Hit | undefined): void {
  const ranges: Range[] = [];
  const own = hits.filter(({ turnId }) => turnId === current?.turnId);
  let last: Hit | undefined;
  for (const hit of [...own, ...hits]) {
    if (ranges.length >= MAX_MARKED) break;
    const isKnown = last?.turnId === hit.turnId && last.key === hit.key;
    last = hit;
    const part = isKnown ? undefined : partOf(content, hit)?.part;
    if (part) ranges.push(...rangesIn(part, query));
  }
  const at = current && partOf(content, current)?.part;
  const now = at ? rangesIn(at, query)[current.nth] : undefined;
  CSS.highlights.set(ALL, new Highlight(...ranges.slice(0, MAX_MARKED)));
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
