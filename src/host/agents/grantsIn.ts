import type { GrantKeeper } from '../../ahp/grants.ts';
import type { AgentChatHost } from './agent.ts';

/** What the user has allowed in the session of a chat. */
export function grantsIn(host: Pick<AgentChatHost, 'sessionState' | 'setMeta'>): GrantKeeper {
  return { state: host.sessionState, setMeta: (key, value) => host.setMeta(key, value) };
}
