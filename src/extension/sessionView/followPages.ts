/** The context keys that say what page is shown, and where in it the user is. */
import type { ChatOffer } from '../../views/session/chatOffers.ts';
import type { Focus } from '../focus.ts';
import type { WindowBase } from '../windowServices.ts';
import type { SessionViews } from './sessionViews.ts';

const offerKeys: Readonly<Record<string, ChatOffer>> = {
  'tapline.newChatOffered': 'newChat',
  'tapline.chooseChatOffered': 'chooseChat',
  'tapline.renameChatOffered': 'renameChat',
  'tapline.deleteChatOffered': 'deleteChat',
  'tapline.forkChatOffered': 'forkChat',
  'tapline.askAsideOffered': 'askAside',
  'tapline.resumeTurnOffered': 'resumeTurn',
  'tapline.goBackOffered': 'goBack',
  'tapline.editMessageOffered': 'editMessage',
  'tapline.retryTurnOffered': 'retryTurn',
  'tapline.loadOlderTurnsOffered': 'loadOlderTurns',
};

export function followPages(keys: WindowBase['keys'], views: SessionViews, focus: Focus): void {
  keys.follow(views.onDidChange, () => {
    const { ref, context } = views.active ?? {};
    const offers = Object.entries(offerKeys).map(([key, offer]) => [key, context?.offers?.includes(offer) ?? false]);
    return {
      'tapline.sessionShown': Boolean(ref),
      'tapline.sessionNeedsYou': (context?.needsYou ?? 0) > 0,
      'tapline.sessionRunning': context?.running ?? false,
      ...(Object.fromEntries(offers) as Record<string, boolean>),
    };
  });
  const whereFocusIs = () => ({
    'tapline.callFocused': focus.place === 'card',
    'tapline.sessionFocused': focus.page !== undefined && focus.page === views.active,
    'tapline.composerFocused': focus.place === 'composer',
  });
  keys.follow(focus.onDidChange, whereFocusIs);
  keys.follow(views.onDidChange, whereFocusIs);
}
