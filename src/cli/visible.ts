/** Texts of others in a terminal. */
import { bracketed, visiblePlain } from '../views/text/visibleText.ts';

/** Under a heading of ours. Each line begins with a bar, so that no text can look like one of ours. */
export function quoted(text: string): string {
  return visiblePlain(text)
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n');
}

export function onOneLine(text: string): string {
  return visiblePlain(text).replaceAll('\n', bracketed('line break'));
}
