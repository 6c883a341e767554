/** Text that a person has to judge (a command, an input, an address), with nothing in it that cannot be seen. */

export interface VisibleSegment {
  text: string;
  /** A character that shows as nothing or changes how others show, by its code: `U+202E`, or `U+200B ×3` for several. */
  unseen?: true;
}

/** Controls but tab and line ends, marks without width, marks of direction, fillers, tags, and spaces that are none. */
const UNSEEN =
  /([\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\r(?!\n))\1*/gu;

export function visibleText(text: string): readonly VisibleSegment[] {
  const segments: VisibleSegment[] = [];
  let end = 0;
  for (const { 0: found, 1: character = '', index } of text.matchAll(UNSEEN)) {
    if (index > end) segments.push({ text: text.slice(end, index) });
    const times = found.length / character.length;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    segments.push({ text: `U+${code}${times > 1 ? ` ×${times}` : ''}`, unseen: true });
    end = index + found.length;
  }
  if (end < text.length || segments.length === 0) segments.push({ text: text.slice(end) });
  return segments;
}
