/** What an edit changes in a text, as a unified diff. */
import type { Change } from '../../../base/text/changes.ts';
import { lineChanges } from '../../../base/text/lineChanges.ts';
import { excerpt } from '../../text/excerpt.ts';
import { type LinePart, partsUpTo, wordMarker } from './markedWords.ts';

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  /** Joined, they are the line without its line break. */
  parts: readonly LinePart[];
  /** The last line of a text that does not end with a line break. */
  unended?: true;
}
/** Changed lines with some context (a hunk), or unchanged lines before, between or after hunks. */
export interface DiffSection {
  isHunk: boolean;
  /** The number of its first line in each text. The first line of a text is 1. */
  beforeLine: number;
  afterLine: number;
  lines: readonly DiffLine[];
}
export interface EditDiff {
  /** In order. They hold both texts, and there are none if the texts are equal. */
  sections: readonly DiffSection[];
  /** Ends each line that is not `unended`. `\r\n` where all line breaks of both texts are; otherwise a `\r` is shown as part of its line. */
  lineBreak: '\n' | '\r\n';
}

/** Lines above and below a change. */
const CONTEXT = 3;
/** Fewer lines are shown, because what says that they are left out takes as much room. */
const LEAST_LEFT_OUT = 2;
/** What a card shows at first. Context takes more than half of it. */
const ROOM = { lines: 40, characters: 2000 };
/** Matches in a text with a line break that is not `\r\n`. */
const OTHER_BREAK = /(?:^|[^\r])\n|\r(?!\n)/;

/** Undefined when there is too much to compare. */
export function editDiff(before: string, after: string): EditDiff | undefined {
  const found = lineChanges(before, after);
  if (!found) return undefined;
  const isWindows = [before, after].some((text) => text.includes('\n')) && ![before, after].some((text) => OTHER_BREAK.test(text));
  const lineBreak = isWindows ? '\r\n' : '\n';
  const old = found.before.map((line) => shownLine(line, lineBreak));
  const fresh = found.after.map((line) => shownLine(line, lineBreak));
  const marker = wordMarker();

  const same = (from: number, to: number) => old.slice(from, to).map((line) => diffLine('same', line));
  const changed = ({ removed, added }: Change): DiffLine[] => {
    const [gone, come] = [old.slice(...removed), fresh.slice(...added)];
    const marked = marker(textsOf(gone), textsOf(come));
    return [
      ...gone.map((line, index) => diffLine('removed', line, marked?.before[index])),
      ...come.map((line, index) => diffLine('added', line, marked?.after[index])),
    ];
  };

  const sections: DiffSection[] = [];
  /** Up to where the sections hold the old text. */
  let end = 0;
  /** How many lines the new text is ahead there. */
  let ahead = 0;
  const add = (isHunk: boolean, to: number, lines: readonly DiffLine[]) => {
    if (lines.length > 0) sections.push({ isHunk, beforeLine: end + 1, afterLine: end + ahead + 1, lines });
    end = to;
  };
  for (const group of groupsOf(found.changes)) {
    const from = Math.max(end, (group[0]?.removed[0] ?? 0) - CONTEXT);
    if (from - end >= LEAST_LEFT_OUT) add(false, from, same(end, from));
    const lines: DiffLine[][] = [];
    let at = end;
    for (const change of group) {
      lines.push(same(at, change.removed[0]), changed(change));
      at = change.removed[1];
    }
    const to = old.length - at - CONTEXT < LEAST_LEFT_OUT ? old.length : at + CONTEXT;
    add(true, to, [...lines, same(at, to)].flat());
    ahead = (group.at(-1)?.added[1] ?? 0) - at;
  }
  if (sections.length > 0) add(false, old.length, same(end, old.length));
  return { sections, lineBreak };
}

/** Changes between which too little is left out stand in one hunk. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let last: Change | undefined;
  for (const change of changes) {
    if (last && change.removed[0] - last.removed[1] < 2 * CONTEXT + LEAST_LEFT_OUT) groups.at(-1)?.push(change);
    else groups.push([change]);
    last = change;
  }
  return groups;
}

interface ShownLine {
  text: string;
  unended?: true;
}

function shownLine(line: string, lineBreak: string): ShownLine {
  return line.endsWith(lineBreak) ? { text: line.slice(0, -lineBreak.length) } : { text: line, unended: true };
}

function textsOf(lines: readonly ShownLine[]): string[] {
  return lines.map(({ text }) => text);
}

function diffLine(kind: DiffLine['kind'], { text, ...rest }: ShownLine, parts: readonly LinePart[] = [{ text }]): DiffLine {
  return { kind, parts, ...rest };
}

/** The lines by which the user decides. */
export function textsOfHunks(sections: readonly DiffSection[]): readonly string[] {
  return sections.flatMap(({ isHunk, lines }) => (isHunk ? lines.map(({ parts }) => parts.map(({ text }) => text).join('')) : []));
}

/** The first lines of the hunks, with a long last line cut. Returns the same array when nothing is left out. */
export function diffExcerpt(sections: readonly DiffSection[]): readonly DiffSection[] {
  const texts = textsOfHunks(sections);
  const shown = excerpt(texts, ROOM);
  if (shown === texts) return sections;
  const first: DiffSection[] = [];
  let at = 0;
  for (const section of sections) {
    if (at === shown.length) break;
    const start = at;
    if (section.isHunk) at = Math.min(shown.length, start + section.lines.length);
    const lines = section.lines.slice(0, at - start).map((line, index): DiffLine => {
      const [text, whole] = [shown[start + index] ?? '', texts[start + index]];
      return text === whole ? line : { kind: line.kind, parts: partsUpTo(line.parts, text.length) };
    });
    first.push(section.isHunk ? { ...section, lines } : section);
  }
  return first;
}
