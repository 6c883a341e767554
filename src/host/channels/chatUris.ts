/** URIs of chats. Each chat is a session of the store: that of the user, or that of a subagent. */
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { ROOT_URI } from '../../ahp/common/root.ts';
import type { URI } from '../../ahp/v1/common.ts';

const PREFIX = 'ahp-chat://default/';

export function chatUri(session: URI): URI {
  return PREFIX + Buffer.from(session).toString('base64url');
}

/** The session of the store. Undefined for what is no chat of this host. */
export function sessionOfChat(uri: URI): URI | undefined {
  if (!uri.startsWith(PREFIX)) return undefined;
  const session = Buffer.from(uri.slice(PREFIX.length), 'base64url').toString();
  return chatUri(session) === uri ? session : undefined;
}

/** What a channel is called in the store. */
export function storedUri(channel: URI): URI {
  return channel === ROOT_CHANNEL ? ROOT_URI : (sessionOfChat(channel) ?? channel);
}
