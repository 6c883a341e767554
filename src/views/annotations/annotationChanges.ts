/** What a client does to annotations, as actions. Clients choose the ids of what they make. */
import type { AnnotationEntry, AnnotationsAction, AnnotationsState } from '../../ahp/channels/annotations.ts';
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';

/** VS Code's field for comments takes Markdown. */
export function entryOf(id: string, markdown: string): AnnotationEntry {
  return { id, text: { markdown } };
}

/** `range`: absent for the whole file. */
export function newThread(
  id: string,
  session: URI,
  resource: URI,
  range: TextRange | undefined,
  entry: AnnotationEntry,
): AnnotationsAction {
  const annotation = { id, origin: { session }, resource, ...(range && { range }), resolved: false, entries: [entry] };
  return { type: 'annotations/set', annotation };
}

export function reply(annotationId: string, entry: AnnotationEntry): AnnotationsAction {
  return { type: 'annotations/entrySet', annotationId, entry };
}

/** Undefined where the comment is not there any more. What else the entry holds stays. */
export function edit(state: AnnotationsState, annotationId: string, entry: AnnotationEntry): AnnotationsAction | undefined {
  const before = entryIn(state, annotationId, entry.id);
  return before && { type: 'annotations/entrySet', annotationId, entry: { ...before, ...entry } };
}

export function setResolved(annotationId: string, resolved: boolean): AnnotationsAction {
  return { type: 'annotations/updated', annotationId, resolved };
}

export function removeThread(annotationId: string): AnnotationsAction {
  return { type: 'annotations/removed', annotationId };
}

/** The last comment takes its thread with it, which nobody would see any more. */
export function removeComment(state: AnnotationsState, annotationId: string, entryId: string): AnnotationsAction {
  const others = annotationIn(state, annotationId)?.entries.filter(({ id }) => id !== entryId) ?? [];
  return others.length > 0 ? { type: 'annotations/entryRemoved', annotationId, entryId } : removeThread(annotationId);
}

export function annotationIn(state: AnnotationsState | undefined, id: string) {
  return state?.annotations.find((annotation) => annotation.id === id);
}

export function entryIn(state: AnnotationsState | undefined, annotationId: string, id: string): AnnotationEntry | undefined {
  return annotationIn(state, annotationId)?.entries.find((entry) => entry.id === id);
}
