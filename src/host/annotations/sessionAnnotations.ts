/** The comments on files that belong to a session: their channel, and what the session says of them. */
import { WordedError } from '../../base/errors.ts';
import type { AnnotationsAction, AnnotationsState } from '../../ahp/channels/annotations.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { annotationsProblem } from '../checks/annotationChecks.ts';
import { annotationsUri } from '../state/chatUris.ts';
import { annotationsSummary } from '../state/listedSession.ts';
import type { StateStore, StoredChannel } from '../state/stateStore.ts';

/** The channels of a session, which names its annotations. In earlier versions it did not. */
export function withAnnotations(channels: readonly StoredChannel[], session: URI): StoredChannel[] {
  const stored = channels.find(({ kind, channel }) => kind === 'annotations' && channel === annotationsUri(session));
  const annotations = annotationsSummary(session, stored?.kind === 'annotations' ? stored.state.annotations : []);
  return channels.map((each) =>
    each.kind !== 'session' || each.state.annotations ? each : { ...each, state: { ...each.state, annotations } },
  );
}

/** They have a channel once somebody looks for them. */
export function openAnnotations(store: StateStore, session: URI): void {
  const channel = annotationsUri(session);
  if (store.session(session) && !store.annotations(channel))
    store.add({ channel, kind: 'annotations', state: { annotations: [] } }, session);
}

/** For an agent. Throws with what is wrong. */
export function annotate(store: StateStore, session: URI, action: AnnotationsAction): void {
  openAnnotations(store, session);
  const channel = annotationsUri(session);
  const state: AnnotationsState = store.annotations(channel) ?? { annotations: [] };
  const problem = annotationsProblem(action, state, session);
  if (problem !== undefined) throw new WordedError(problem);
  store.dispatch(channel, action);
}
