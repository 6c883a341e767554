/** Puts text from outside into Markdown without changing its meaning, and gets text out of it. */
import type { StringOrMarkdown } from '../../ahp/common/shapes.ts';

/** Inline code on one line. Line breaks are shown, because another command may follow after one. */
export function code(text: string): string {
  const line = text.trim().replace(/\s+/g, (blank) => (/[\r\n]/.test(blank) ? ' ⏎ ' : blank));
  const fence = '`'.repeat(longestRun(line) + 1);
  const padding = line.startsWith('`') || line.endsWith('`') || line === '' ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}

export function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}

/** Plain text in a list or a sentence. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+\-.!|~&]/g, '\\$&').replace(/\s+/g, ' ');
}

/** The text as it was written, in either form. */
export function markdownText(text: StringOrMarkdown): string {
  return typeof text === 'string' ? text : text.markdown;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
