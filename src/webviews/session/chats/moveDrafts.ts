/** Drafts of a session whose chats come and go. Those of the session itself are words that have no chat. */
import { sameSession } from '../../../views/session/sessionRef.ts';
import { giveBack, draftOf, moveDraft, saveDraft } from '../drafts/chatDrafts.ts';
import { resourceModel } from '../page/resourceViews.ts';
import { sessionOf, type StoreState } from '../page/sessionStore.ts';

/** What was typed before the chats were known is for the chat that is shown first. What was typed in a chat that is gone stays with the session. */
export function moveDrafts(before: StoreState, after: StoreState): void {
  const { shown, chat } = after;
  if (!shown || before === after) return;
  const { hostId, uri } = shown;
  const own = { hostId, uri };
  const isSame = sameSession(before.shown, shown);
  const chats = sessionOf(after)?.chats;
  const gone =
    isSame && chats ? (sessionOf(before)?.chats ?? []).filter(({ resource }) => !chats.some((one) => one.resource === resource)) : [];
  for (const { resource, origin } of gone) {
    moveDraft({ hostId, uri: resource }, own);
    // What waits in the chat of a subagent is not what the user has typed.
    const waiting = origin?.kind === 'tool' ? undefined : resourceModel('chat', after.resources.get(resource), 'confirmed');
    for (const one of [waiting?.steeringMessage, ...(waiting?.queuedMessages ?? [])].reverse())
      if (one?.message.origin.kind === 'user') saveDraft(own, giveBack(draftOf(own), one.message));
  }
  const isFirst = chat !== undefined && (!isSame || before.chat === undefined);
  if (isFirst && chat !== uri) moveDraft(own, { hostId, uri: chat });
}
