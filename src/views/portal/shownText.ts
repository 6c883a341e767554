import { visibleText } from '../text/visibleText.ts';

const MAX_TEXT = 4000;

/** A text of a model or an entry, cut, and with codes in place of characters that cannot be seen. */
export function shownText(text: string, limit = MAX_TEXT): string {
  const cut = text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')} …` : text;
  return visibleText(cut)
    .map((segment) => segment.text)
    .join('');
}
