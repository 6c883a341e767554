/** “Needs You”, and the keys that answer what waits. */
import { ANSWER_KEY, type Commands } from '../commandTable.ts';
import type { WindowServices } from '../windowServices.ts';
import { Inbox, type InboxServices } from './inbox.ts';

export function registerInbox({ context, keys, own, views }: WindowServices, services: InboxServices) {
  const inbox = own(new Inbox(context.extensionUri, services, views));
  keys.follow(inbox.onDidChange, () => ({ 'tapline.inboxNeeded': inbox.isNeeded }));
  const answer = (how: 'approve' | 'deny', byKey: boolean): unknown => {
    if (byKey) return services.focus.answer(how);
    // A session keeps the card that had the focus in it, and the user has been at another one since.
    return inbox.hadFocusLast && inbox.isNeeded ? inbox.showUnanswered() : views.answer(how);
  };
  const commands = {
    nextInInbox: () => inbox.focusNext(),
    approve: (argument) => answer('approve', argument === ANSWER_KEY),
    deny: (argument) => answer('deny', argument === ANSWER_KEY),
  } satisfies Partial<Commands>;
  return { commands, inbox };
}
