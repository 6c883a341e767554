/** URIs of subagents' sessions: they lie below the URI of the session that started them. */
import type { URI } from './common/shapes.ts';

const SUBAGENT_PATH = '/subagent/';

export function subagentUri(parent: URI, toolCallId: string): URI {
  return parent + SUBAGENT_PATH + encodeURIComponent(toolCallId);
}

/** True for the session of any subagent. */
export function isSubagent(uri: URI): boolean {
  return uri.includes(SUBAGENT_PATH);
}

/** The session that the user started: `uri` itself, or the one above all subagents. */
export function topSession(uri: URI): URI {
  return uri.split(SUBAGENT_PATH, 1)[0] ?? uri;
}

/** True for the sessions of all subagents below `session`. */
export function isSubagentOf(uri: URI, session: URI): boolean {
  return uri.startsWith(session + SUBAGENT_PATH);
}

/** The session that started a subagent, and the call by which it did. Undefined for other sessions. */
export function subagentOrigin(uri: URI): { parent: URI; toolCallId: string } | undefined {
  const end = uri.lastIndexOf(SUBAGENT_PATH);
  if (end < 0) return undefined;
  const id = uri.slice(end + SUBAGENT_PATH.length);
  return { parent: uri.slice(0, end), toolCallId: decoded(id) };
}

/** Hosts of early 2026 do not encode the id. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
