/** Annotation channels: comments on files, as threads. */
import * as z from 'zod/mini';
import { isRecord } from '../../base/isRecord.ts';
import { createReducer, isAbsent, listOf, omitAbsent, replaceAt } from '../common/reducers/reducer.ts';
import { action, type AnyOf, anyObject, id, listOf as listSchema, uri } from '../common/schemas.ts';
import { stringOrMarkdown } from '../common/shapes.ts';
import { textRange } from './shapes/basic.ts';

const annotationOrigin = z.object({ session: uri, chat: z.optional(uri), turnId: z.optional(id) });
const annotationEntry = z.object({ id, text: stringOrMarkdown, _meta: z.optional(anyObject) });
export interface AnnotationEntry extends z.infer<typeof annotationEntry> {}

const annotation = z.object({
  /** Chosen by who makes it, as those of the entries. */
  id,
  origin: annotationOrigin,
  resource: uri,
  range: z.optional(textRange),
  resolved: z.boolean(),
  entries: listSchema(annotationEntry),
  _meta: z.optional(anyObject),
});
export interface Annotation extends z.infer<typeof annotation> {}

export interface AnnotationsState {
  annotations: Annotation[];
}

/** What clients may dispatch, by type: all. */
export const annotationsClientActions = {
  'annotations/set': action('annotations/set', { annotation }),
  'annotations/updated': action('annotations/updated', {
    annotationId: id,
    origin: z.optional(annotationOrigin),
    resource: z.optional(uri),
    range: z.optional(textRange),
    resolved: z.optional(z.boolean()),
  }),
  'annotations/removed': action('annotations/removed', { annotationId: id }),
  'annotations/entrySet': action('annotations/entrySet', { annotationId: id, entry: annotationEntry }),
  'annotations/entryRemoved': action('annotations/entryRemoved', { annotationId: id, entryId: id }),
};
export type AnnotationsAction = AnyOf<typeof annotationsClientActions>;

export const annotationsReducer = createReducer<AnnotationsState, AnnotationsAction>((draft, action) => {
  const annotations = listOf(draft.annotations);
  switch (action.type) {
    case 'annotations/set':
      draft.annotations = upserted(annotations, action.annotation);
      break;
    case 'annotations/updated': {
      const { origin, resource, range, resolved } = action;
      const changes: Partial<Annotation> = omitAbsent({ origin, resource, range, resolved });
      change(draft, action.annotationId, (annotation) => ({ ...annotation, ...changes }));
      break;
    }
    case 'annotations/removed': {
      const index = placeOf(annotations, action.annotationId);
      if (index >= 0) draft.annotations = annotations.toSpliced(index, 1);
      break;
    }
    case 'annotations/entrySet':
      change(draft, action.annotationId, (annotation) => ({ ...annotation, entries: upserted(listOf(annotation.entries), action.entry) }));
      break;
    case 'annotations/entryRemoved':
      change(draft, action.annotationId, (annotation) => {
        const entries = listOf(annotation.entries);
        const index = placeOf(entries, action.entryId);
        return index < 0 ? annotation : { ...annotation, entries: entries.toSpliced(index, 1) };
      });
      break;
    default:
  }
});

function change(draft: AnnotationsState, id: string, update: (annotation: Annotation) => Annotation): void {
  const annotations = listOf(draft.annotations);
  const index = placeOf(annotations, id);
  const annotation = annotations[index];
  if (annotation) draft.annotations = replaceAt(annotations, index, update(annotation));
}

function upserted<T extends { id: string }>(list: readonly T[], item: T): T[] {
  if (!isRecord(item) || typeof item.id !== 'string') return list as T[];
  const index = placeOf(list, item.id);
  return index < 0 ? [...list, item] : replaceAt(list, index, item);
}

function placeOf(list: readonly { id: string }[], id: string): number {
  return isAbsent(id) ? -1 : list.findIndex((item) => item?.id === id);
}
