/** The lists of changed files that a session names. Each is a resource of its own. */
import * as l10n from '../../base/l10n.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { oneLine } from '../text/oneLine.ts';

export interface ListedChangeset {
  readonly uri: URI;
  readonly label: string;
  readonly description?: string;
  /** Its files can be marked as reviewed. */
  readonly canReview: boolean;
}

/** A host may name any number. */
const MAX_LISTED = 20;
const TURN = '{turnId}';

/** True when one of them is of a turn, so that the chat has to be known. */
export function needsTurn({ changesets = [] }: Pick<SessionState, 'changesets'>): boolean {
  return changesets.some(({ uriTemplate }) => uriTemplate.includes(TURN));
}

/** That of one turn, where the host has them. */
export function turnChangeset({ changesets = [] }: Pick<SessionState, 'changesets'>, turnId: string): URI | undefined {
  const of = changesets.slice(0, MAX_LISTED).find(({ changeKind, uriTemplate }) => changeKind === 'turn' && uriTemplate.includes(TURN));
  const uri = of?.uriTemplate.replaceAll(TURN, encodeURIComponent(turnId));
  return uri === undefined || /[{}]/.test(uri) ? undefined : uri;
}

/** `turnId`: of the turn to show, the last one. Those with a variable that is not known are left out. */
export function listedChangesets({ changesets = [] }: Pick<SessionState, 'changesets'>, turnId: string | undefined): ListedChangeset[] {
  const listed = new Map<URI, ListedChangeset>();
  for (const { uriTemplate, label, description, capabilities } of changesets.slice(0, MAX_LISTED)) {
    const uri = turnId === undefined ? uriTemplate : uriTemplate.replaceAll(TURN, encodeURIComponent(turnId));
    if (/[{}]/.test(uri)) continue;
    const said = oneLine(description);
    listed.set(uri, {
      uri,
      label: oneLine(label) || l10n.t('Changes'),
      ...(said !== '' && { description: said }),
      canReview: capabilities?.review !== undefined,
    });
  }
  return [...listed.values()];
}
