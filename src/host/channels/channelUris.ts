/** Channels that have another name in the store. Each chat is a session there: that of the user, or that of a subagent. */
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { ROOT_URI } from '../../ahp/common/root.ts';
import type { URI } from '../../ahp/v1/common.ts';
import { TERMINAL_SCHEME } from '../../ahp/v1/terminal.ts';

const PREFIX = 'ahp-chat://default/';
/** Clients of the channel protocol name terminals so. Those of version 1 know a terminal by its scheme, so the name stands behind that one. */
const SHOWN_TERMINAL = 'ahp-terminal:';
const STORED_TERMINAL = `${TERMINAL_SCHEME}/${SHOWN_TERMINAL}`;

export function chatUri(session: URI): URI {
  return PREFIX + Buffer.from(session).toString('base64url');
}

/** The session of the store. Undefined for what is no chat of this host. */
export function sessionOfChat(uri: URI): URI | undefined {
  if (!uri.startsWith(PREFIX)) return undefined;
  const session = Buffer.from(uri.slice(PREFIX.length), 'base64url').toString();
  return chatUri(session) === uri ? session : undefined;
}

export function storedTerminal(uri: URI): URI {
  return uri.startsWith(SHOWN_TERMINAL) ? `${TERMINAL_SCHEME}/${uri}` : uri;
}

/** The name that the client chose. */
export function shownTerminalUri(stored: URI): URI {
  return stored.startsWith(STORED_TERMINAL) ? stored.slice(STORED_TERMINAL.length - SHOWN_TERMINAL.length) : stored;
}

/** What a channel is called in the store. */
export function storedUri(channel: URI): URI {
  return channel === ROOT_CHANNEL ? ROOT_URI : (sessionOfChat(channel) ?? storedTerminal(channel));
}
