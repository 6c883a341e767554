/** What lists show of a session whose channels are at hand. */
import type { ChannelKind, ChannelStates } from '../../../ahp/channels/channelReducers.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { SessionStatus, statusBits } from '../../../ahp/common/status.ts';
import { annotationsUri, changesUri } from '../chatUris.ts';
import { listedSession, type ListedSession, type SessionFacts } from '../listedSession.ts';
import type { StoredChannel } from '../stateStore.ts';

/** The session must be among its channels. */
export function listedChannels(facts: SessionFacts, channels: readonly StoredChannel[]): ListedSession {
  const session = stateIn(channels, facts.uri, 'session');
  if (!session) throw new Error(`${facts.uri} is not among its channels`);
  const edits = stateIn(channels, changesUri(facts.uri), 'changeset')?.files.map(({ edit }) => edit);
  const annotations = stateIn(channels, annotationsUri(facts.uri), 'annotations')?.annotations;
  return listedSession(facts, session, { defaultChat: stateIn(channels, session.defaultChat, 'chat'), edits, annotations });
}

export function stateIn<K extends ChannelKind>(
  channels: readonly StoredChannel[],
  uri: URI | undefined,
  kind: K,
): ChannelStates[K] | undefined {
  return channels.find((stored) => stored.channel === uri && stored.kind === kind)?.state as ChannelStates[K] | undefined;
}

/** Some chat has a turn in progress, or the session is being created: the state on disk is not one to begin with. */
export function isInProgress(channels: readonly StoredChannel[]): boolean {
  return channels.some(
    ({ kind, state }) => (kind === 'chat' && state.activeTurn) || (kind === 'session' && state.lifecycle === 'creating'),
  );
}

/**
 * The summary in the form of format 1. An older Tapline that meets a newer format finds it in the first line of the log and in
 * `summary.json`, so that it can list the session by its title and say “Update Tapline”. Without it, that version would drop the session
 * from its list.
 */
export function olderSummary({ summary }: ListedSession): object {
  const { resource, provider, title, status, createdAt, modifiedAt } = summary;
  return { resource, provider, title, status, createdAt: Date.parse(createdAt), modifiedAt: Date.parse(modifiedAt) };
}

const FLAGS = SessionStatus.IsRead | SessionStatus.IsArchived;

/** The list entry of a session that cannot be read: what is known of it, with the reason as its activity. */
export function unreadableListed({ summary }: ListedSession, problem: string): ListedSession {
  const { resource, provider, title, status, createdAt, modifiedAt, workingDirectories } = summary;
  return {
    summary: {
      ...{ resource, provider, title, createdAt, modifiedAt },
      status: (statusBits(status) & FLAGS) | SessionStatus.Error,
      activity: problem,
      ...(Array.isArray(workingDirectories) && { workingDirectories }),
    },
    chats: [],
    edits: [],
  };
}
