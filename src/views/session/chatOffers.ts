/** What can be done with the chats of the session that is shown, for the command palette. */
import type { RootState } from '../../ahp/channels/root.ts';
import { chatAbilities, chatTabs, deletableChats, isRenamable } from './chats.ts';
import type { OpenChat } from './openChat.ts';
import { canGoBack, isOwnMessage, lastMessage } from './wayBack/wayBack.ts';
import { turnRemedies } from './transcript/turnRemedies.ts';

/** Names of commands. */
export const chatOffers = [
  'newChat',
  'chooseChat',
  'renameChat',
  'deleteChat',
  'forkChat',
  'askAside',
  'resumeTurn',
  'goBack',
  'editMessage',
  'retryTurn',
  'loadOlderTurns',
] as const;
export type ChatOffer = (typeof chatOffers)[number];

/** `renames`: the host can give chats other names. `readOnly`: nothing can be done, only looked at. `away`: the host is not connected. */
export function chatOffersOf(
  open: OpenChat,
  root: RootState | undefined,
  { renames = false, readOnly = false, away = false }: { renames?: boolean; readOnly?: boolean; away?: boolean },
): ChatOffer[] {
  const { session, chat } = open;
  const last = away || !canGoBack(open) ? undefined : lastMessage(chat);
  const isOwn = last !== undefined && isOwnMessage(last.message);
  const { several, fork, sideChat } = chatAbilities(session, root);
  const can: Record<ChatOffer, boolean> = {
    newChat: several,
    chooseChat: chatTabs(session, chat.resource).length > 0,
    renameChat: renames && isRenamable(session, chat.resource),
    deleteChat: deletableChats(session).length > 0,
    forkChat: fork && chat.turns.length > 0,
    askAside: sideChat && chat.turns.length > 0,
    resumeTurn: turnRemedies(open, root).some(({ kind }) => kind === 'resume'),
    goBack: last !== undefined,
    editMessage: isOwn,
    retryTurn: isOwn,
    loadOlderTurns: chat.turnsNextCursor !== undefined,
  };
  return chatOffers.filter((offer) => can[offer] && (!readOnly || offer === 'chooseChat'));
}
