/** The text that visible segments stand for: what a careful reader takes from the screen. */
import type { VisibleSegment } from '../../src/views/text/visibleText.ts';

export function textOf(segments: readonly Pick<VisibleSegment, 'text' | 'unseen'>[]): string {
  return segments.map(({ text, unseen }) => (unseen ? unseenText(text) : text)).join('');
}

function unseenText(code: string): string {
  const [, hex, times = '1'] = /^U\+([0-9A-F]{4,6})(?: ×(\d+))?$/.exec(code) ?? [];
  if (hex === undefined) throw new Error(`${JSON.stringify(code)} names no character`);
  return String.fromCodePoint(Number.parseInt(hex, 16)).repeat(Number(times));
}
