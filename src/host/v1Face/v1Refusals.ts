/** Why an action of a client is refused, as far as only AHP v1 has the rule. Those of the state of channels are in `checks`. */
import { isClientDispatchable, type StateAction } from '../../ahp/v1/actions.ts';
import { actionSchemas } from './v1ActionSchemas.ts';
import { problemOf } from '../checks/problem.ts';
import type { ClientAction, Reading } from './words/actionsIn.ts';
import type { Place } from './words/names.ts';
import { v1ActiveClient } from './words/states.ts';

/** What needs no state: the action is untrusted, `place` is that of its resource, which exists. Absent where it names none. */
export function shapeRefusal(action: StateAction, place: Place | undefined): string | undefined {
  const { type } = action as { type?: unknown };
  if (typeof type !== 'string') return 'type is missing or not a string';
  if (!isClientDispatchable(type)) return `clients may not dispatch ${JSON.stringify(type.slice(0, 100))}`;
  const problem = problemOf(actionSchemas[type], action);
  if (problem !== undefined) return problem;
  return place && type.startsWith(`${place.kind}/`) ? undefined : `${type} does not belong to this resource`;
}

const TAKES_NO_MESSAGES = 'the session belongs to a subagent, which accepts no messages';

/** What only makes sense where the user talks to the agent. */
const needsTurns: ReadonlySet<string> = new Set<ClientAction['type']>([
  'session/turnStarted',
  'session/modelChanged',
  'session/activeClientChanged',
  'session/configChanged',
  'session/truncated',
]);

export function v1Refusal(action: ClientAction, { place, session, clientId, isV1Client }: Reading): string | undefined {
  if (place.kind !== 'session' || !session) return undefined;
  if (place.isSubagent && needsTurns.has(action.type)) return TAKES_NO_MESSAGES;
  // What a session has besides its chat, a subagent has not.
  const known = place.isSubagent ? undefined : v1ActiveClient(session.activeClients, isV1Client);
  switch (action.type) {
    case 'session/activeClientChanged':
      if (action.activeClient === null) return undefined;
      if (action.activeClient.clientId !== clientId) return 'activeClient.clientId must be the own one';
      return known && known.clientId !== clientId ? 'another client is active; unset it first' : undefined;
    case 'session/activeClientToolsChanged':
      return known?.clientId === clientId ? undefined : 'only the active client may change its tools';
    case 'session/customizationToggled':
      return place.isSubagent ? `there is no customization ${action.uri}` : undefined;
    default:
      return undefined;
  }
}
