/** The messages between the page “Control Tower” and its shell. The shell posts lists of messages, the page one at a time. */
import * as z from 'zod/mini';
import { uri } from '../../ahp/common/schemas.ts';
import { emitterRequest, type EmitterStatus } from '../../views/emitters/emitterRequest.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';

export interface TowerSession extends SessionRef {
  title: string;
  /** The name of its host. */
  host: string;
  /** Why nothing of it can be seen or done now. */
  problem?: string;
}

/** What other programs of this user watch at the same gateway. It can be seen only. */
export interface WatchedElsewhere {
  id: string;
  title: string;
  emitters: readonly EmitterStatus[];
}

/** All that is shown, without what is asked for. Replaces what was sent before. */
export interface TowerMessage {
  type: 'sessions';
  sessions: readonly TowerSession[];
  elsewhere: readonly WatchedElsewhere[];
  /** Why the gateway knows nothing. */
  problem?: string;
}

/** To the request with this number. An error is a text for the user. */
export type TowerAnswer = { type: 'answer'; id: number; result: unknown } | { type: 'answer'; id: number; error: string };
export type TowerShellMessage = TowerMessage | TowerAnswer;

const session = z.object({ hostId: z.string(), uri });
const towerPageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('request'), id: z.int().check(z.minimum(1)), session, request: emitterRequest }),
  z.object({ type: z.literal('openSession'), session }),
  /** Asks what is to be watched, and starts it. */
  z.object({ type: z.literal('watch'), session: z.optional(session) }),
]);
export type TowerPageMessage = z.infer<typeof towerPageMessage>;

/** Undefined for anything malformed. */
export function parseTowerMessage(value: unknown): TowerPageMessage | undefined {
  return towerPageMessage.safeParse(value).data;
}
