/** The changeset of the files that a session has changed, as the session lists it once there are some. */
import type { Changeset } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { changesUri } from './chatUris.ts';

export function sessionChanges(session: URI): Changeset {
  return { label: 'Changes of the Session', uriTemplate: changesUri(session), changeKind: 'session' };
}
