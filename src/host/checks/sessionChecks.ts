/** What the host accepts of a client about a session, as a pure function of the action and the state. */
import type { SessionAction } from '../../ahp/channels/session/actions.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import { configChangeProblem } from './configValues.ts';

export const OWN_TOOLS = 'a client lends and takes back only its own tools';

/** Why an action of the right shape is refused, or undefined. `mayTakeBack`: from which clients the sender may take the tools back. */
export function sessionProblem(
  action: SessionAction,
  state: SessionState,
  sender: { clientId: string; mayTakeBack(clientId: string): boolean },
): string | undefined {
  switch (action.type) {
    case 'session/activeClientSet':
      return action.activeClient.clientId === sender.clientId ? undefined : OWN_TOOLS;
    case 'session/activeClientRemoved':
      return action.clientId === sender.clientId || sender.mayTakeBack(action.clientId) ? undefined : OWN_TOOLS;
    case 'session/customizationToggled':
      return state.customizations?.some(({ id }) => id === action.id) ? undefined : `there is no customization ${action.id}`;
    case 'session/configChanged':
      if (!state.config) return 'the session has no configuration';
      return configChangeProblem(
        state.config.schema,
        state.config.values,
        action.config,
        action.replace === true,
        (property) => property.sessionMutable === true && !property.readOnly,
      );
    default:
      return undefined;
  }
}
