import { pagePaths, sessionQuery } from '../../../views/portal/wire/pageWire.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';

/** The address of a session's page. `atCard`: at the first thing that waits in it. */
export function sessionPage(session: SessionRef, atCard: boolean | undefined): string {
  return `${pagePaths.session}?${sessionQuery(session)}${atCard ? '&card=1' : ''}`;
}
