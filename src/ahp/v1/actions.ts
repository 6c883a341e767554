/** All actions of protocol version 1, their envelope, and which of them a client may dispatch. */
import type { UnknownTag, URI } from './common.ts';
import { ROOT_URI, type RootAction } from './root.ts';
import type { SessionAction } from './session.ts';
import type { TerminalAction } from './terminal.ts';

/** An action of a later version; it changes nothing and is kept. */
export interface UnknownAction {
  type: UnknownTag;
}
/** How hosts of early 2026 (VS Code 1.117) archive a session; `session/isArchivedChanged` took its place. No reducer knows it. */
export interface SessionIsDoneChangedAction {
  type: 'session/isDoneChanged';
  session: URI;
  isDone: boolean;
}
export type KnownAction = RootAction | SessionAction | TerminalAction;
export type StateAction = KnownAction | SessionIsDoneChangedAction | UnknownAction;
export type ActionType = KnownAction['type'];

/** Who dispatched an action; absent for the host's own. */
export interface ActionOrigin {
  clientId: string;
  clientSeq: number;
}

/** The `params` of an `action` notification. */
export interface ActionEnvelope {
  action: StateAction;
  /** Grows over the whole host; gaps are normal. */
  serverSeq: number;
  origin?: ActionOrigin;
  /** Set when the host refused the action of `origin`; it then changes no state. */
  rejectionReason?: string;
}

/** Every action type of the protocol, and whether a client may dispatch it; the others belong to the host. */
export const actionTypes: Readonly<Record<ActionType, { clientDispatchable: boolean }>> = (() => {
  const host = { clientDispatchable: false };
  const client = { clientDispatchable: true };
  return {
    'root/agentsChanged': host,
    'root/activeSessionsChanged': host,
    'root/terminalsChanged': host,
    'root/configChanged': client,
    'session/ready': host,
    'session/creationFailed': host,
    'session/turnStarted': client,
    'session/delta': host,
    'session/responsePart': host,
    'session/toolCallStart': host,
    'session/toolCallDelta': host,
    'session/toolCallReady': host,
    'session/toolCallConfirmed': client,
    'session/toolCallComplete': client,
    'session/toolCallResultConfirmed': client,
    'session/toolCallContentChanged': client,
    'session/turnComplete': host,
    'session/turnCancelled': client,
    'session/error': host,
    'session/titleChanged': client,
    'session/usage': host,
    'session/reasoning': host,
    'session/modelChanged': client,
    'session/serverToolsChanged': host,
    'session/activeClientChanged': client,
    'session/activeClientToolsChanged': client,
    'session/pendingMessageSet': client,
    'session/pendingMessageRemoved': client,
    'session/queuedMessagesReordered': client,
    'session/inputRequested': host,
    'session/inputAnswerChanged': client,
    'session/inputCompleted': client,
    'session/customizationsChanged': host,
    'session/customizationToggled': client,
    'session/truncated': client,
    'session/isReadChanged': client,
    'session/isArchivedChanged': client,
    'session/activityChanged': host,
    'session/diffsChanged': host,
    'session/configChanged': client,
    'session/metaChanged': host,
    'terminal/data': host,
    'terminal/input': client,
    'terminal/resized': client,
    'terminal/claimed': client,
    'terminal/titleChanged': client,
    'terminal/cwdChanged': host,
    'terminal/exited': host,
    'terminal/cleared': client,
    'terminal/commandDetectionAvailable': host,
    'terminal/commandExecuted': host,
    'terminal/commandFinished': host,
  };
})();

/** True for the types that a client may dispatch; false for all else, whatever came over the wire. */
export function isClientDispatchable(type: unknown): boolean {
  return typeof type === 'string' && Object.hasOwn(actionTypes, type) && actionTypes[type as ActionType].clientDispatchable;
}

/** What a client may send: hosts of early 2026 take an action that the protocol has no more. */
export function isClientSendable(type: unknown): boolean {
  return isClientDispatchable(type) || type === 'session/isDoneChanged';
}

/** The resource that an action belongs to; undefined when it names none (an unknown or malformed action). */
export function resourceOf(action: StateAction): URI | undefined {
  const { type, session, terminal } = (action ?? {}) as { type?: unknown; session?: unknown; terminal?: unknown };
  if (typeof type !== 'string') return undefined;
  if (type.startsWith('root/')) return ROOT_URI;
  if (type.startsWith('session/')) return typeof session === 'string' ? session : undefined;
  if (type.startsWith('terminal/')) return typeof terminal === 'string' ? terminal : undefined;
  return undefined;
}
