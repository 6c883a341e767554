/** Text on which the user decides (a command, an input, an address), with all invisible characters made visible. */

export interface VisibleSegment {
  text: string;
  /** `text` is the code of a character that is invisible or changes how others look: `U+202E`, or `U+200B ×3` for several. */
  unseen?: true;
  /** `text` consists of tabs, which look like spaces. */
  tab?: true;
  /** `text` is written from right to left, which would also reorder the characters beside it. */
  rightToLeft?: true;
}

/** Control and format characters, lone surrogates, unassigned and private characters, separators, fillers, combining marks without width. */
const unseen = String.raw`(?![\t\n ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;
/** The blocks of right-to-left scripts. */
const rightToLeft = String.raw`(?!${unseen})[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]`;
/** A run of one kind. Spaces match only at the end of a line. */
const runs = new RegExp(String.raw`(?<unseen>${unseen})\k<unseen>*|(?<tabs>\t+)|(?<other>(?:${rightToLeft})+)|(?<spaces> +)`, 'gu');

/**
 * Two different texts never have the same segments. Line feeds stay in the text. A space at the end of a line counts as invisible, because after
 * a backslash it turns one command into two. `goesOn`: the end of `text` is not the end of a line.
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

/** `length`: of the run, in UTF-16 code units. */
function codeOf(character: string, length: number): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const times = length / character.length;
  return `U+${code}${times > 1 ? ` ×${times}` : ''}`;
}

/**
 * For where nothing but text can be shown: each character that cannot be seen, or that changes how others look, is named in brackets.
 * Different texts never look the same, because a bracket of the text itself is named too. `isProse`: words that are written from right to left
 * stay as they are.
 */
export function visiblePlain(text: string, isProse = false): string {
  return visibleText(text)
    .map(({ text: part, unseen, tab, rightToLeft }) => {
      if (unseen) return bracketed(part);
      if (tab) return bracketed('tab').repeat(part.length);
      return rightToLeft && !isProse ? codes(part) : part.replace(/[⟦⟧]/g, codes);
    })
    .join('');
}

export function bracketed(name: string): string {
  return `⟦${name}⟧`;
}

function codes(text: string): string {
  return [...text].map((one) => bracketed(`U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)).join('');
}
