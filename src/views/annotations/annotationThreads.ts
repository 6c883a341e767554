/** The annotations of a session as threads of comments on files. They are bounded: a host may send any number of them. */
import type { AnnotationEntry, AnnotationsState } from '../../ahp/channels/annotations.ts';
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';

const MAX_THREADS = 1_000;
const MAX_COMMENTS = 200;
/** Of a comment, in UTF-16 code units. */
export const MAX_TEXT = 50_000;

export interface AnnotationComment {
  readonly id: string;
  readonly text: string;
  readonly isMarkdown: boolean;
  /** There is more of the text. */
  readonly isCut: boolean;
  /** False: the host does not have it so yet. */
  readonly isConfirmed: boolean;
}

export interface AnnotationThread {
  readonly id: string;
  readonly file: URI;
  /** Absent: of the whole file. */
  readonly range?: TextRange;
  readonly isResolved: boolean;
  /** Never empty. */
  readonly comments: readonly AnnotationComment[];
  /** How many comments stand before those. */
  readonly earlier: number;
  /** False: the host does not have it so yet. Of its comments each says so by itself. */
  readonly isConfirmed: boolean;
}

export interface AnnotationThreads {
  readonly threads: readonly AnnotationThread[];
  /** How many there are beside those. */
  readonly omitted: number;
}

/** Of well-formed states. `confirmed`: as the host has it. */
export function annotationThreads(state: AnnotationsState, confirmed: AnnotationsState | undefined): AnnotationThreads {
  const known = new Map((confirmed?.annotations ?? []).map((annotation) => [annotation.id, annotation]));
  // VS Code takes a thread without comments for one that the user begins.
  const all = state.annotations.filter(({ entries }) => entries.length > 0);
  const threads = all.slice(0, MAX_THREADS).map(({ id, resource, range, resolved, entries }): AnnotationThread => {
    const before = known.get(id);
    const settled = new Map((before?.entries ?? []).map((entry) => [entry.id, textOf(entry)]));
    const comments = entries.slice(-MAX_COMMENTS).map((entry) => commentOf(entry, settled.get(entry.id) === textOf(entry)));
    return {
      ...{ id, file: resource, ...(range && { range }), isResolved: resolved, comments },
      ...{ earlier: entries.length - comments.length, isConfirmed: before?.resolved === resolved },
    };
  });
  return { threads, omitted: all.length - threads.length };
}

function textOf({ text }: AnnotationEntry): string {
  return typeof text === 'string' ? text : text.markdown;
}

function commentOf(entry: AnnotationEntry, isConfirmed: boolean): AnnotationComment {
  const text = textOf(entry);
  const isMarkdown = typeof entry.text !== 'string';
  return { id: entry.id, text: text.slice(0, MAX_TEXT), isMarkdown, isCut: text.length > MAX_TEXT, isConfirmed };
}
