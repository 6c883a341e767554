/** Text that a person has to judge (a command, an input, an address), with nothing in it that cannot be seen. */

export interface VisibleSegment {
  text: string;
  /** A character that shows as nothing or changes how others show, by its code: `U+202E`, or `U+200B ×3` for several. */
  unseen?: true;
  /** `text` is tabs, which look like spaces unless they are drawn. */
  tab?: true;
  /** `text` is written from right to left, and would take its neighbours along. */
  rightToLeft?: true;
}

/** Controls, format characters, halves of characters, those of no or of private meaning, separators, fillers, marks without width. */
const unseen = String.raw`(?![\t\n ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;
/** The blocks of the scripts that are written from right to left. */
const rightToLeft = String.raw`(?!${unseen})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
/** A run of one kind; spaces count at the end of a line only. */
const runs = new RegExp(String.raw`(?<unseen>${unseen})\k<unseen>*|(?<tabs>\t+)|(?<other>(?:${rightToLeft})+)|(?<spaces> +)`, 'gu');

/**
 * The segments together say exactly which text it is: no two texts have the same. Line feeds stay in the text. A space at the end of a
 * line is among what cannot be seen: after a backslash it makes two commands of one. `goesOn`: the end of the text is none of a line.
 */
export function visibleText(text: string, goesOn = false): readonly VisibleSegment[] {
  const segments: VisibleSegment[] = [];
  let end = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(runs)) {
    const next = index + found.length;
    if (groups.spaces !== undefined && (next < text.length ? text[next] !== '\n' : goesOn)) continue;
    if (index > end) segments.push({ text: text.slice(end, index) });
    if (groups.tabs !== undefined) segments.push({ text: found, tab: true });
    else if (groups.other !== undefined) segments.push({ text: found, rightToLeft: true });
    else segments.push({ text: codeOf(groups.unseen ?? ' ', found.length), unseen: true });
    end = next;
  }
  if (end < text.length || segments.length === 0) segments.push({ text: text.slice(end) });
  return segments;
}

/** `length`: of all of them, in UTF-16 units. */
function codeOf(character: string, length: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const times = length / character.length;
  return `U+${code}${times > 1 ? ` ×${times}` : ''}`;
}
