/** Short texts of a host ("Ran `npm test`") as plain segments, without HTML and links. */
import type { StringOrMarkdown } from '../../ahp/common/shapes.ts';
import { type InlinePiece, readInline } from './inlineMarkdown.ts';

export type InlineSegment = InlinePiece;

/** Characters that are read as Markdown. A label needs no more. What comes after is shown as it is written. */
const MAX_MARKDOWN = 5_000;
const cache = new WeakMap<object, readonly InlineSegment[]>();

/** Reduces Markdown to text and code. Of emphasis, links and images the text stays. */
export function inlineText(value: StringOrMarkdown): readonly InlineSegment[] {
  if (typeof value === 'string') return [{ text: value }];
  const known = cache.get(value);
  if (known) return known;
  // Do not split a surrogate pair.
  const first = value.markdown.slice(0, MAX_MARKDOWN).replace(/[\ud800-\udbff]$/, '');
  const segments: InlineSegment[] = readInline(first);
  if (first.length < value.markdown.length) segments.push({ text: value.markdown.slice(first.length) });
  cache.set(value, segments);
  return segments;
}

export function plainText(value: StringOrMarkdown): string {
  return inlineText(value)
    .map((segment) => segment.text)
    .join('');
}

/** The first `limit` characters. Returns the same array when nothing is left out. */
export function shortened(segments: readonly InlineSegment[], limit: number): readonly InlineSegment[] {
  const first: InlineSegment[] = [];
  let left = limit;
  for (const segment of segments) {
    if (segment.text.length > left)
      return [...first, { ...segment, text: `${segment.text.slice(0, left).replace(/[\ud800-\udbff]$/, '')}…` }];
    first.push(segment);
    left -= segment.text.length;
  }
  return segments;
}
