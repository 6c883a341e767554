/** The context keys that say what can be done with the session that a command of the palette would act on. */
import { sessionNodeId } from '../../views/sessionList/listedSessions.ts';
import { type DeedState, sessionDeeds, type SessionDeed } from '../../views/sessionList/sessionDeeds.ts';
import { isArchived, isRead } from '../../views/sessionList/sessionItem.ts';
import type { SessionSet } from '../sessions/sessionSet.ts';
import type { WindowServices } from '../windowServices.ts';

const offeredKeys: Readonly<Record<string, SessionDeed>> = {
  'tapline.archiveOffered': 'archive',
  'tapline.unarchiveOffered': 'unarchive',
  'tapline.markReadOffered': 'markRead',
  'tapline.markUnreadOffered': 'markUnread',
  'tapline.pinOffered': 'pin',
  'tapline.unpinOffered': 'unpin',
};

export function followDeeds({ hosts, keys, views }: Pick<WindowServices, 'hosts' | 'keys' | 'views'>, pinned: SessionSet): void {
  const states = (): DeedState[] => {
    const { activeRef } = views;
    const pins = pinned.nodeIds;
    const listed = hosts.all.flatMap(({ id, client }) => client.sessions.summaries.map((summary) => ({ id, summary })));
    const shown = activeRef && listed.filter(({ id, summary }) => id === activeRef.hostId && summary.resource === activeRef.uri);
    return (shown ?? listed).map(({ id, summary }) => ({
      isArchived: isArchived(summary),
      isRead: isRead(summary),
      isPinned: pins.has(sessionNodeId(id, summary.resource)),
    }));
  };
  const read = () => {
    const offered = sessionDeeds(states());
    return Object.fromEntries(Object.entries(offeredKeys).map(([key, deed]) => [key, offered.has(deed)]));
  };
  for (const event of [hosts.onDidChange, views.onDidChange, pinned.onDidChange]) keys.follow(event, read);
}
