import type { Turn } from '../../ahp/channels/chat/state.ts';
import type { AgentChatHost } from './agent.ts';

/** What a side chat is about. */
export interface SideSource {
  /** Of the other chat, up to the one that it was made from. Empty where that chat is gone. */
  readonly turns: readonly Turn[];
  /** What the user had selected there. */
  readonly selection: string | undefined;
}

/** Undefined for other chats. */
export function sideSource(host: Pick<AgentChatHost, 'chatState' | 'turnsOf'>): SideSource | undefined {
  const { origin } = host.chatState;
  if (origin?.kind !== 'sideChat' || !('turnId' in origin)) return undefined;
  const turns = host.turnsOf(origin.chat) ?? [];
  return { turns: turns.slice(0, turns.findIndex(({ id }) => id === origin.turnId) + 1), selection: origin.selection?.text };
}
