/** Comments on files, in words for a model. Texts, ids and paths are those of clients. */
import { fileURLToPath } from 'node:url';
import type { Annotation, AnnotationEntry } from '../../ahp/channels/annotations.ts';
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { linesOf } from './attachmentWords.ts';
import { code, markdownText } from './markdown.ts';

/** In `_meta` of an entry: the agent has written it. */
export const BY_AGENT = { 'tapline.by': 'agent' } as const;

/** Characters of all. */
const MAX_TEXT = 100_000;

/** One paragraph for each. `shownPath`: how a path is named. */
export function commentsText(annotations: readonly Annotation[], shownPath: (path: string) => string): string {
  const all = annotations.map((annotation) => commentText(annotation, shownPath)).join('\n\n');
  return all.length > MAX_TEXT ? `${all.slice(0, MAX_TEXT)}\n(The rest is left out, because there is too much.)` : all;
}

/** Undefined for what is not a file of this computer. */
export function pathOf(uri: URI): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** Whole lines, counted from 1. */
export function rangeOfLines(first: number, last: number): TextRange {
  return { start: { line: first - 1, character: 0 }, end: { line: last, character: 0 } };
}

function commentText({ id, resource, range, resolved, entries }: Annotation, shownPath: (path: string) => string): string {
  const path = pathOf(resource);
  const lines = range && linesOf({ range });
  const place = `${lines === undefined ? '' : `${lines} of `}${code(path === undefined ? resource : shownPath(path))}`;
  const head = `Comment ${code(id)} on ${place} (${resolved ? 'resolved' : 'open'}):`;
  return [head, ...entries.map(entryText)].join('\n');
}

function entryText({ text, _meta }: AnnotationEntry): string {
  const who = _meta?.['tapline.by'] === 'agent' ? 'you' : 'user';
  return `- ${who}: ${markdownText(text).replace(/\n/g, '\n  ')}`;
}
