/** What waits for a person, as the portal lists it (docs/portal-api.md). */
import * as z from 'zod';
import { listedItem } from '../attention/listedItem.ts';
import type { SessionRef } from '../session/sessionRef.ts';
import { hostIdOf } from './pageWire.ts';
import type { SessionSummary } from './sessionData.ts';

/** Of `attention`, and of each event of `attention/events`. */
export const attentionList = z.object({
  items: z.array(z.object({ id: z.string(), revision: z.string(), ...listedItem.shape })),
  isComplete: z.boolean(),
});
export type AttentionList = z.infer<typeof attentionList>;
export type WaitingItem = AttentionList['items'][number];

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
