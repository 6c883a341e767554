/** The comments on files that belong to a session: their channel, and what the session says of them. */
import type { Annotation, AnnotationsAction, AnnotationsState } from '../../ahp/channels/annotations.ts';
import type { AnnotationsSummary } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { sameJson } from '../../base/sameJson.ts';
import { annotationsProblem } from '../checks/annotationChecks.ts';
import { annotationsUri } from '../state/chatUris.ts';
import type { StateStore, StoredChannel } from '../state/stateStore.ts';

export function annotationsSummary(session: URI, annotations: readonly Annotation[]): AnnotationsSummary {
  const entryCount = annotations.reduce((sum, { entries }) => sum + entries.length, 0);
  return { resource: annotationsUri(session), annotationCount: annotations.length, entryCount };
}

/** The channels of a session, which names its annotations with their numbers. */
export function withAnnotations(channels: readonly StoredChannel[], session: URI): StoredChannel[] {
  const stored = channels.find(({ kind, channel }) => kind === 'annotations' && channel === annotationsUri(session));
  const annotations = annotationsSummary(session, stored?.kind === 'annotations' ? stored.state.annotations : []);
  return channels.map((each) =>
    each.kind !== 'session' || sameJson(each.state.annotations, annotations) ? each : { ...each, state: { ...each.state, annotations } },
  );
}

/** They have a channel once somebody looks for them. */
export function openAnnotations(store: StateStore, session: URI): void {
  const channel = annotationsUri(session);
  if (store.session(session) && !store.annotations(channel))
    store.add({ channel, kind: 'annotations', state: { annotations: [] } }, session);
}

/** No action changes what the session says of its annotations. Those who read it see the annotations themselves, and its entry in the list. */
export function countAnnotations(store: StateStore, session: URI): void {
  const state = store.session(session);
  const annotations = store.annotations(annotationsUri(session))?.annotations;
  if (state && annotations) store.amend(session, { ...state, annotations: annotationsSummary(session, annotations) });
}

/** For an agent. Throws with what is wrong. */
export function annotate(store: StateStore, session: URI, action: AnnotationsAction): void {
  openAnnotations(store, session);
  const channel = annotationsUri(session);
  const state: AnnotationsState = store.annotations(channel) ?? { annotations: [] };
  const problem = annotationsProblem(action, state, session);
  if (problem !== undefined) throw new Error(problem);
  store.dispatch(channel, action);
}
