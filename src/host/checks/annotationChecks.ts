/**
 * What the host accepts of a client, or an agent, about the annotations of a session. Any file may be annotated, also outside the session's
 * folder: agents read such files too, and the host opens none because of an annotation.
 */
import { phrase, type Words } from '../../base/text/phrase.ts';
import type { Annotation, AnnotationEntry, AnnotationsAction, AnnotationsState } from '../../ahp/channels/annotations.ts';
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';

const MAX_ANNOTATIONS = 1_000;
/** Of one annotation. */
const MAX_ENTRIES = 200;
/** Characters of one text, and of all that a session keeps. What is not text counts too, so that many empty comments are no way around. */
const MAX_TEXT = 64 * 1024;
const MAX_SIZE = 4 * 1024 * 1024;
const SIZE_OF_NONE = 200;
const MAX_ID = 200;
const MAX_URI = 4_096;
const MAX_META = 4 * 1024;

/** Why an action of the right shape is refused, or undefined. */
export function annotationsProblem(action: AnnotationsAction, { annotations }: AnnotationsState, session: URI): Words | undefined {
  if (action.type === 'annotations/set') {
    const others = annotations.filter(({ id }) => id !== action.annotation.id);
    if (others.length >= MAX_ANNOTATIONS) return phrase`a session has at most ${MAX_ANNOTATIONS} annotations`;
    return annotationProblem(action.annotation, session) ?? sizeProblem([...others, action.annotation]);
  }
  const known = annotations.find(({ id }) => id === action.annotationId);
  if (!known) return `there is no annotation ${action.annotationId.slice(0, MAX_ID)}`;
  switch (action.type) {
    case 'annotations/updated': {
      const { origin, resource, range } = action;
      return placeProblem({ origin: origin ?? known.origin, resource: resource ?? known.resource, ...(range && { range }) }, session);
    }
    case 'annotations/entrySet': {
      const entries = [...known.entries.filter(({ id }) => id !== action.entry.id), action.entry];
      if (entries.length > MAX_ENTRIES) return phrase`an annotation has at most ${MAX_ENTRIES} entries`;
      return entryProblem(action.entry) ?? sizeProblem(annotations.map((each) => (each === known ? { ...known, entries } : each)));
    }
    default:
      return undefined;
  }
}

function annotationProblem(annotation: Annotation, session: URI): Words | undefined {
  const { id, entries, _meta } = annotation;
  if (entries.length > MAX_ENTRIES) return phrase`an annotation has at most ${MAX_ENTRIES} entries`;
  if (new Set(entries.map((entry) => entry.id)).size < entries.length) return 'annotation.entries: two have the same id';
  const problem = namedProblem(id, _meta) ?? placeProblem(annotation, session);
  return problem ?? entries.map(entryProblem).find((each) => each !== undefined);
}

function placeProblem({ origin, resource, range }: Pick<Annotation, 'origin' | 'resource' | 'range'>, session: URI): string | undefined {
  if (origin.session !== session) return 'origin.session must be the session of the annotations';
  if ((origin.chat?.length ?? 0) > MAX_URI || (origin.turnId?.length ?? 0) > MAX_ID) return 'origin is too long';
  if (!resource.startsWith('file:///') || resource.length > MAX_URI) return `resource must be a file: URI of at most ${MAX_URI} characters`;
  return range && rangeProblem(range);
}

function rangeProblem({ start, end }: TextRange): string | undefined {
  const numbers = [start.line, start.character, end.line, end.character];
  if (!numbers.every((each) => Number.isSafeInteger(each) && each >= 0)) return 'range must have whole numbers from 0';
  const isBackward = end.line < start.line || (end.line === start.line && end.character < start.character);
  return isBackward ? 'range must not end before it begins' : undefined;
}

function entryProblem({ id, text, _meta }: AnnotationEntry): Words | undefined {
  return namedProblem(id, _meta) ?? (textOf(text).length > MAX_TEXT ? phrase`a text has at most ${MAX_TEXT} characters` : undefined);
}

function namedProblem(id: string, meta: object | undefined): string | undefined {
  if (id.length > MAX_ID) return `an id has at most ${MAX_ID} characters`;
  return metaSize(meta) > MAX_META ? `_meta has at most ${MAX_META} characters` : undefined;
}

function sizeProblem(annotations: readonly Annotation[]): Words | undefined {
  let size = 0;
  for (const { resource, entries, _meta } of annotations) {
    size += SIZE_OF_NONE + resource.length + metaSize(_meta);
    for (const { text, _meta: meta } of entries) size += SIZE_OF_NONE + textOf(text).length + metaSize(meta);
  }
  return size > MAX_SIZE ? phrase`the annotations of a session have at most ${MAX_SIZE} characters together` : undefined;
}

function textOf(text: AnnotationEntry['text']): string {
  return typeof text === 'string' ? text : text.markdown;
}

function metaSize(meta: object | undefined): number {
  return meta ? JSON.stringify(meta).length : 0;
}
