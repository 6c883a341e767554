/** All actions of AHP v1, and their envelope. */
import { clientActions, type ClientActionType } from './clientActions.ts';
import type { UnknownTag, URI } from './common.ts';
import { ROOT_URI, type RootAction } from './root.ts';
import type { SessionAction } from './session.ts';
import type { TerminalAction } from './terminal.ts';

/** An action of a later version. It changes no state. */
export interface UnknownAction {
  type: UnknownTag;
}
/** How hosts of early 2026 (VS Code 1.117) archive a session, in place of `session/isArchivedChanged`. No reducer knows it. */
export interface SessionIsDoneChangedAction {
  type: 'session/isDoneChanged';
  session: URI;
  isDone: boolean;
}
export type KnownAction = RootAction | SessionAction | TerminalAction;
export type StateAction = KnownAction | SessionIsDoneChangedAction | UnknownAction;
export type ActionType = KnownAction['type'];

/** Who dispatched an action. Absent for actions of the host. */
export interface ActionOrigin {
  clientId: string;
  clientSeq: number;
}

/** The `params` of an `action` notification. */
export interface ActionEnvelope {
  action: StateAction;
  /** Grows over the whole host. Gaps are normal. */
  serverSeq: number;
  origin?: ActionOrigin;
  /** Set when the host refused the action of `origin`, which then changes no state. */
  rejectionReason?: string;
}

/** True for the types that a client may dispatch, false for any other value. */
export function isClientDispatchable(type: unknown): type is ClientActionType {
  return typeof type === 'string' && Object.hasOwn(clientActions, type);
}

/** True for what a client may send, which includes an action that only hosts of early 2026 know. */
export function isClientSendable(type: unknown): boolean {
  return isClientDispatchable(type) || type === 'session/isDoneChanged';
}

/** The resource that an action belongs to. Undefined when it names none, because it is unknown or malformed. */
export function resourceOf(action: StateAction): URI | undefined {
  const { type, session, terminal } = (action ?? {}) as { type?: unknown; session?: unknown; terminal?: unknown };
  if (typeof type !== 'string') return undefined;
  if (type.startsWith('root/')) return ROOT_URI;
  if (type.startsWith('session/')) return typeof session === 'string' ? session : undefined;
  if (type.startsWith('terminal/')) return typeof terminal === 'string' ? terminal : undefined;
  return undefined;
}
