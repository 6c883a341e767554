import type { StringOrMarkdown } from '../../../ahp/v1/common.ts';

/** The text as it was written, whichever form it has. */
export function markdownText(text: StringOrMarkdown): string {
  return typeof text === 'string' ? text : text.markdown;
}
