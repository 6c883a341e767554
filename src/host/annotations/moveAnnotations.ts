/** Keeps annotations at the text that they are about while the session's own edits change it. */
import type { Annotation, AnnotationsAction } from '../../ahp/channels/annotations.ts';
import type { TextRange } from '../../ahp/channels/shapes/basic.ts';
import { omitAbsent } from '../../ahp/common/reducers/reducer.ts';
import type { FileEditSide, URI } from '../../ahp/common/shapes.ts';
import { textOf } from '../changes/edits/composition.ts';
import type { Contents } from '../files/contentStore.ts';
import { annotationsUri } from '../state/chatUris.ts';
import type { StateStore } from '../state/stateStore.ts';
import { rangeMover } from './movedRange.ts';

/** A file as it was, and as it is now. */
export interface FileStep {
  before?: FileEditSide | undefined;
  after?: FileEditSide | undefined;
}

/** Whole files keep their annotations, as do files that are gone. Where a side is not kept as text, the ranges stay. */
export function moveAnnotations(store: StateStore, contents: Pick<Contents, 'read'>, session: URI, { before, after }: FileStep): void {
  const channel = annotationsUri(session);
  const found = store.annotations(channel)?.annotations.filter(({ resource }) => resource === before?.uri) ?? [];
  if (found.length === 0 || !before || !after) return;
  const kept = { read: (uri: URI) => contents.read(uri)?.data };
  const [old, fresh] = found.some(({ range }) => range) ? [textOf(before, kept), textOf(after, kept)] : [];
  const move = old !== undefined && fresh !== undefined ? rangeMover(old, fresh) : () => undefined;
  for (const annotation of found) {
    const action = updated(annotation, after.uri, move);
    if (action) store.dispatch(channel, action);
  }
}

function updated(
  { id: annotationId, resource: old, range: oldRange }: Annotation,
  now: URI,
  move: (range: TextRange) => TextRange | undefined,
): AnnotationsAction | undefined {
  const range = oldRange && move(oldRange);
  const resource = now === old ? undefined : now;
  if (!range && resource === undefined) return undefined;
  return omitAbsent<Extract<AnnotationsAction, { type: 'annotations/updated' }>>({
    type: 'annotations/updated',
    annotationId,
    resource,
    range,
  });
}
