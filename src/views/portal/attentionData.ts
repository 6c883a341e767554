/** Where what waits for a person is. */
import type { SessionRef } from '../session/sessionRef.ts';
import type { WaitingItem } from './answers/attentionList.ts';
import { hostIdOf } from './wire/pageWire.ts';
import type { SessionSummary } from './sessionData.ts';

/** The session of the portal in which it waits, or in whose subagent. */
export function sessionOf(
  { session, topSession = session, host }: WaitingItem,
  sessions: readonly SessionSummary[],
): SessionSummary | undefined {
  return topSession === undefined ? undefined : sessions.find((one) => one.uri === topSession && one.host === host);
}

/** The session whose page shows it. */
export function refOf({ session, host }: WaitingItem): SessionRef | undefined {
  return session === undefined ? undefined : { hostId: hostIdOf(host), uri: session };
}
