/**
 * What AHP v1 calls the channels of the store. A session and its first chat are one session there, and the chat of a subagent is a session
 * too. A chat that a client has named is not seen.
 */
import { ROOT_CHANNEL } from '../../../ahp/channels/root.ts';
import { ROOT_URI } from '../../../ahp/common/root.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { isSubagentOf, topSession } from '../../../ahp/subagentUri.ts';
import { TERMINAL_SCHEME } from '../../../ahp/v1/terminal.ts';
import { changesUri, chatUri, nameOfChat } from '../../state/chatUris.ts';

/** Clients of channels name terminals so. Those of AHP v1 know a terminal by its scheme, so the name stands behind that one. */
const CHANNEL_TERMINAL = 'ahp-terminal:';
const BEHIND_SCHEME = `${TERMINAL_SCHEME}/${CHANNEL_TERMINAL}`;

export function v1Terminal(channel: URI): URI {
  return channel.startsWith(CHANNEL_TERMINAL) ? `${TERMINAL_SCHEME}/${channel}` : channel;
}
export function terminalChannel(name: URI): URI {
  return name.startsWith(BEHIND_SCHEME) ? name.slice(TERMINAL_SCHEME.length + 1) : name;
}

/** The session of AHP v1 that is this chat, or the URI itself where there is none. */
export function v1Session(chat: URI): URI {
  return nameOfChat(chat) ?? chat;
}
/** Undefined for a chat that AHP v1 does not see. */
export function visibleName(chat: URI, session: URI): URI | undefined {
  const name = nameOfChat(chat);
  return name !== undefined && (name === session || isSubagentOf(name, session)) ? name : undefined;
}

/** Where a resource of AHP v1 is in the store, if it is there. */
export type Place =
  | { kind: 'root'; channel: URI }
  | { kind: 'terminal'; channel: URI }
  /** `name`: the resource itself. `channel`: of the chat. */
  | { kind: 'session'; channel: URI; session: URI; name: URI; isSubagent: boolean };

export function placeOf(resource: URI): Place {
  if (resource === ROOT_URI) return { kind: 'root', channel: ROOT_CHANNEL };
  if (resource.startsWith(TERMINAL_SCHEME)) return { kind: 'terminal', channel: terminalChannel(resource) };
  const session = topSession(resource);
  return { kind: 'session', channel: chatUri(resource), session, name: resource, isSubagent: session !== resource };
}

/** The channels that whoever reads the resource reads. */
export function channelsOf(resource: URI): URI[] {
  const place = placeOf(resource);
  if (place.kind !== 'session') return [place.channel];
  const { session, channel, isSubagent } = place;
  return isSubagent ? [session, channel] : [session, channel, changesUri(session)];
}
