/** What the palette offers to do with sessions, and what to take back. */

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

/** `sessions`: that which the user sees, of which it is one of a pair, or else all that they can choose from. */
export function sessionDeeds(sessions: readonly DeedState[]): ReadonlySet<SessionDeed> {
  return new Set(
    pairs.flatMap(({ does, undoes, isDone }) => [
      ...(sessions.some((session) => !isDone(session)) ? [does] : []),
      ...(sessions.some(isDone) ? [undoes] : []),
    ]),
  );
}
