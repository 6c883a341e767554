/** Which of two opposite deeds the palette offers for sessions. */

export interface DeedState {
  readonly isArchived: boolean;
  readonly isRead: boolean;
  readonly isPinned: boolean;
}

export type SessionDeed = 'archive' | 'unarchive' | 'markRead' | 'markUnread' | 'pin' | 'unpin';

const pairs: readonly { readonly does: SessionDeed; readonly undoes: SessionDeed; isDone(state: DeedState): boolean }[] = [
  { does: 'archive', undoes: 'unarchive', isDone: ({ isArchived }) => isArchived },
  { does: 'markRead', undoes: 'markUnread', isDone: ({ isRead }) => isRead },
  { does: 'pin', undoes: 'unpin', isDone: ({ isPinned }) => isPinned },
];

/** `sessions`: that which the user sees, or else all that they can choose from. Never both of a pair. */
export function sessionDeeds(sessions: readonly DeedState[]): ReadonlySet<SessionDeed> {
  if (sessions.length === 0) return new Set();
  return new Set(pairs.map(({ does, undoes, isDone }) => (sessions.every(isDone) ? undoes : does)));
}
