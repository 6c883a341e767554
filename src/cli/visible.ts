/** Texts of others in a terminal: each character that cannot be seen, or that changes how others look, is named in brackets. */
import { visibleText } from '../views/text/visibleText.ts';

/** Different texts never look the same, because a bracket of the text itself is named too. */
export function visible(text: string): string {
  return visibleText(text)
    .map(({ text: part, unseen, tab, rightToLeft }) => {
      if (unseen) return bracketed(part);
      if (tab) return bracketed('tab').repeat(part.length);
      return rightToLeft ? codes(part) : part.replace(/[⟦⟧]/g, codes);
    })
    .join('');
}

/** Under a heading of ours. Each line begins with a bar, so that no text can look like one of ours. */
export function quoted(text: string): string {
  return visible(text)
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n');
}

export function onOneLine(text: string): string {
  return visible(text).replaceAll('\n', bracketed('line break'));
}

function bracketed(name: string): string {
  return `⟦${name}⟧`;
}

function codes(text: string): string {
  return [...text].map((one) => bracketed(`U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)).join('');
}
