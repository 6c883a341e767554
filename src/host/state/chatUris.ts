/**
 * The URIs of chats that the host names itself. They are made of a URI below the session's (`ahp/subagentUri`), by which clients of AHP v1
 * know the same chat as a session: the session's own URI for its first chat.
 */
import type { URI } from '../../ahp/common/shapes.ts';
import { subagentUri, topSession } from '../../ahp/subagentUri.ts';

const PREFIX = 'ahp-chat://default/';

/** `name`: a session, for its first chat; a URI below it, for the chat of a subagent. */
export function chatUri(name: URI): URI {
  if (name !== last.name) last = { name, uri: PREFIX + base64(name) };
  return last.uri;
}
/** Each action of a session asks for it several times. */
let last = { name: '', uri: PREFIX };

/** What the URI was made of. Undefined for a chat that a client has named. */
export function nameOfChat(chat: URI): URI | undefined {
  if (!chat.startsWith(PREFIX)) return undefined;
  const name = Buffer.from(chat.slice(PREFIX.length), 'base64url').toString();
  return chatUri(name) === chat ? name : undefined;
}

/** The chat of the subagent that a call has started. */
export function subagentChatUri(parent: URI, toolCallId: string): URI {
  return chatUri(subagentUri(nameOfChat(parent) ?? parent, toolCallId));
}

const CHANGESET = 'ahp-changeset://';

/** A changeset by what it shows. `turnId`: of the kind `turn`. */
export interface ChangesetName {
  kind: string;
  session: URI;
  turnId?: string;
}

export function changesetUri({ kind, session, turnId }: ChangesetName): URI {
  return `${CHANGESET}${kind}/${base64(session)}${turnId === undefined ? '' : `/${encodeURIComponent(turnId)}`}`;
}

/** The files that a session has changed, as a changeset. */
export function changesUri(session: URI): URI {
  return changesetUri({ kind: 'session', session });
}

/** What {@link changesetUri} has made of a name. Undefined for other URIs. */
export function namedChangeset(channel: URI): ChangesetName | undefined {
  if (!channel.startsWith(CHANGESET)) return undefined;
  const [kind = '', session = '', turnId, ...more] = channel.slice(CHANGESET.length).split('/');
  if (more.length > 0) return undefined;
  try {
    const name = {
      kind,
      session: Buffer.from(session, 'base64url').toString(),
      ...(turnId !== undefined && { turnId: decodeURIComponent(turnId) }),
    };
    // One session has one name here. A turn id may be written in several ways: clients fill in the template themselves.
    return base64(name.session) === session ? name : undefined;
  } catch {
    return undefined;
  }
}

const ANNOTATIONS = 'ahp-annotations://session/';

/** The comments on files that belong to a session. */
export function annotationsUri(session: URI): URI {
  return ANNOTATIONS + Buffer.from(session).toString('base64url');
}

/** The session that a channel of the host's own naming belongs to, also while it is not loaded. Undefined for other channels. */
export function namedSession(channel: URI): URI | undefined {
  if (channel.startsWith(CHANGESET)) return namedChangeset(channel)?.session;
  if (channel.startsWith(ANNOTATIONS)) return Buffer.from(channel.slice(ANNOTATIONS.length), 'base64url').toString();
  const name = nameOfChat(channel);
  return name === undefined ? undefined : topSession(name);
}

function base64(uri: URI): string {
  return Buffer.from(uri).toString('base64url');
}
