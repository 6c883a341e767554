/** What a client of AHP v1 does, as a gesture at a model of our client, for tests whose cases are in April's words. */
import type { ClientAction } from '../../src/ahp/client/model/resourceModel.ts';
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import type { UserMessage } from '../../src/ahp/v1/common.ts';

/** Of a session, and not of its chat. */
const OF_SESSION = /^session\/(titleChanged|isReadChanged|isArchivedChanged|configChanged|customizationToggled)$/;

const messageOf = (userMessage: UserMessage) => ({ ...userMessage, origin: { kind: 'user' } });

/** `clientId`: of the client whose gesture it is. */
export function gestureOf(action: StateAction, clientId = 'me'): ClientAction {
  const { session: _session, terminal: _terminal, ...rest } = action as StateAction & { session?: string; terminal?: string };
  return worded(rest as StateAction, clientId) as ClientAction;
}

function worded(action: StateAction, clientId: string): object {
  const ofChat = { ...action, type: action.type.replace(/^session\//, 'chat/') };
  switch (action.type) {
    case 'session/turnStarted': {
      const { userMessage, ...turn } = action;
      return { ...turn, type: ofChat.type, startedAt: '2026-01-01T00:00:00Z', message: messageOf(userMessage) };
    }
    case 'session/pendingMessageSet': {
      const { userMessage, ...pending } = action;
      return { ...pending, type: ofChat.type, message: messageOf(userMessage) };
    }
    case 'session/turnCancelled':
      return { ...ofChat, duration: 0 };
    case 'session/activeClientChanged':
      return action.activeClient
        ? { type: 'session/activeClientSet', activeClient: action.activeClient }
        : { type: 'session/activeClientRemoved', clientId };
    case 'session/activeClientToolsChanged':
      return { type: 'session/activeClientSet', activeClient: { clientId, tools: action.tools } };
    default:
      return OF_SESSION.test(action.type) ? action : ofChat;
  }
}
