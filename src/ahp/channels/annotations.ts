/** Annotation channels: comments on files, as threads. */
import * as z from 'zod/mini';
import { isRecord } from '../../base/isRecord.ts';
import { change, createReducer, isAbsent, listIn, listOf, omitAbsent, putAt, setField } from '../common/reducers/reducer.ts';
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
  switch (action.type) {
    case 'annotations/set':
      put(draft, 'annotations', action.annotation);
      break;
    case 'annotations/updated': {
      const { origin, resource, range, resolved } = action;
      const changes: Partial<Annotation> = omitAbsent({ origin, resource, range, resolved });
      changeAnnotation(draft, action.annotationId, (annotation) => {
        for (const key of Object.keys(changes) as (keyof Annotation)[]) setField(annotation, key, changes[key]);
      });
      break;
    }
    case 'annotations/removed':
      remove(draft.annotations, action.annotationId);
      break;
    case 'annotations/entrySet':
      changeAnnotation(draft, action.annotationId, (annotation) => put(annotation, 'entries', action.entry));
      break;
    case 'annotations/entryRemoved':
      changeAnnotation(draft, action.annotationId, (annotation) => remove(annotation.entries, action.entryId));
      break;
    default:
  }
});

function changeAnnotation(draft: AnnotationsState, id: string, recipe: (annotation: Annotation) => void): void {
  const index = placeOf(draft.annotations, id);
  if (index >= 0) change(draft.annotations, index, recipe);
}

/** Puts an item in the place of the one of its id, or last. */
function put<T extends { id: string }, K extends string>(draft: Partial<Record<K, T[]>>, key: K, item: T): void {
  if (isRecord(item) && typeof item.id === 'string') putAt(listIn(draft, key), placeOf(draft[key], item.id), item);
}

function remove(list: { id: string }[], id: string): void {
  const index = placeOf(list, id);
  if (index >= 0) list.splice(index, 1);
}

function placeOf(list: readonly { id: string }[] | undefined, id: string): number {
  return isAbsent(id) ? -1 : listOf(list).findIndex((item) => item?.id === id);
}
