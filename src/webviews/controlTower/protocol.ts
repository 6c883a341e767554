/** The messages between the page “Control Tower” and its shell. The shell posts lists of messages, the page one at a time. */
import * as z from 'zod/mini';
import { uri } from '../../ahp/common/schemas.ts';
import { emitterRequest, type EmitterStatus } from '../../views/emitters/emitterRequest.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { towerQuestion } from '../../views/traces/towerQuestion.ts';

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
  /** These are the runs of portals, and no session. */
  isOfRuns?: true;
}

/** Whether traces are made. */
export interface TowerTraces {
  isOn: boolean;
  /** Why there are none, although they are wanted, or why they do not get to where they should. */
  problem?: string;
}

/** All that is shown, without what is asked for. Replaces what was sent before. */
export interface TowerMessage {
  type: 'sessions';
  sessions: readonly TowerSession[];
  elsewhere: readonly WatchedElsewhere[];
  traces: TowerTraces;
  /** The page can change and open nothing. */
  isSeenOnly?: boolean;
  /** Why the gateway knows nothing. */
  problem?: string;
}

/** To the request with this number. An error is a text for the user. */
export type TowerAnswer = { type: 'answer'; id: number; result: unknown } | { type: 'answer'; id: number; error: string };
export type TowerShellMessage = TowerMessage | TowerAnswer;

const session = z.object({ hostId: z.string(), uri });
const requestId = z.int().check(z.minimum(1));
const hostsId = z.string().check(z.minLength(1), z.maxLength(1_000));
/** What others watch, by its id at the gateway. */
const elsewhere = z.object({ atGateway: hostsId });
const towerPageMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('request'), id: requestId, session, request: emitterRequest }),
  z.object({ type: z.literal('ask'), id: requestId, session: z.union([session, elsewhere]), question: towerQuestion }),
  z.object({ type: z.literal('openSession'), session }),
  /** Without a call: the turn. */
  z.object({ type: z.literal('openPlace'), session, place: z.object({ turn: hostsId, call: z.optional(hostsId) }) }),
  z.object({ type: z.literal('openTraceSettings') }),
  /** Asks what is to be watched, and starts it. */
  z.object({ type: z.literal('watch'), session: z.optional(session) }),
]);
export type AskedSession = z.infer<typeof elsewhere> | z.infer<typeof session>;
export type TowerPageMessage = z.infer<typeof towerPageMessage>;

/** Undefined for anything malformed. */
export function parseTowerMessage(value: unknown): TowerPageMessage | undefined {
  return towerPageMessage.safeParse(value).data;
}
