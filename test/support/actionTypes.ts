import type { ActionType } from '../../src/ahp/v1/actions.ts';
import { type ClientActionType, clientActions } from '../../src/ahp/v1/clientActions.ts';

// A record, because the compiler then says which type is missing.
const ofTheHost: Record<Exclude<ActionType, ClientActionType>, true> = {
  'root/agentsChanged': true,
  'root/activeSessionsChanged': true,
  'root/terminalsChanged': true,
  'session/ready': true,
  'session/creationFailed': true,
  'session/delta': true,
  'session/responsePart': true,
  'session/toolCallStart': true,
  'session/toolCallDelta': true,
  'session/toolCallReady': true,
  'session/turnComplete': true,
  'session/error': true,
  'session/usage': true,
  'session/reasoning': true,
  'session/serverToolsChanged': true,
  'session/inputRequested': true,
  'session/customizationsChanged': true,
  'session/activityChanged': true,
  'session/diffsChanged': true,
  'session/metaChanged': true,
  'terminal/data': true,
  'terminal/cwdChanged': true,
  'terminal/exited': true,
  'terminal/commandDetectionAvailable': true,
  'terminal/commandExecuted': true,
  'terminal/commandFinished': true,
};

/** The action types that only the host may use. */
export const hostActionTypes = Object.keys(ofTheHost) as Exclude<ActionType, ClientActionType>[];

/** Every action type of the protocol. */
export const actionTypes: readonly ActionType[] = [...(Object.keys(clientActions) as ClientActionType[]), ...hostActionTypes];
