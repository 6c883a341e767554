import { type Check, flag, list, may, needs, object, or, place, text, textOrMarkdown, uniqueBy } from './parts/shapeChecks.ts';
import type { AnnotationsState } from '../channels/annotations.ts';

const position = object({ line: needs(place), character: needs(place) });
const byId = (item: Check) => uniqueBy('id', list(item));
const annotationsState = object({
  annotations: or(
    [],
    byId(
      object({
        id: needs(text),
        resource: needs(text),
        // Without one it is of the whole file.
        range: may(object({ start: needs(position), end: needs(position) })),
        resolved: or(false, flag),
        entries: or([], byId(object({ id: needs(text), text: needs(textOrMarkdown) }))),
      }),
    ),
  ),
});

const none: AnnotationsState = { annotations: [] };

export function wellFormedAnnotations(value: AnnotationsState): AnnotationsState {
  return (annotationsState(value) ?? none) as AnnotationsState;
}
