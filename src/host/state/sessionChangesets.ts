/** The changesets of the files that a session and its turns have changed, as the session lists them. */
import type { Changeset } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import * as l10n from '../../base/l10n.ts';
import { changesetUri, changesUri } from './chatUris.ts';

export function sessionChanges(session: URI): Changeset {
  return {
    label: l10n.t('Changes of the Session'),
    uriTemplate: changesUri(session),
    changeKind: 'session',
    capabilities: { review: {} },
  };
}

export function turnChanges(session: URI): Changeset {
  return {
    label: l10n.t('Changes of the Last Turn'),
    uriTemplate: `${changesetUri({ kind: 'turn', session })}/{turnId}`,
    changeKind: 'turn',
  };
}
