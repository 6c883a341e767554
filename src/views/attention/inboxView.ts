/** What the inbox shows, and in which order. */
import { isConnecting } from '../hosts/hostConnectionView.ts';
import type { HostInput } from '../sessionList/sessionTree.ts';
import { oneLine } from '../text/oneLine.ts';
import type { AttentionItem } from './attentionItems.ts';

/**
 * Those that were there keep their order, so that nothing moves under the pointer when something new appears. The others come after them,
 * those that have waited longest first. `before`: ids in the order that is shown.
 */
export function inShownOrder<I extends Pick<AttentionItem, 'id' | 'since'>>(items: readonly I[], before: readonly string[]): I[] {
  const places = new Map(before.map((id, index) => [id, index]));
  const placeOf = ({ id }: I) => places.get(id) ?? Number.POSITIVE_INFINITY;
  // Subtracting would give NaN for two new items.
  return [...items].sort((a, b) => (placeOf(a) === placeOf(b) ? a.since - b.since : placeOf(a) < placeOf(b) ? -1 : 1));
}

export interface UnknownHosts {
  /** What waits at a host is not known yet. */
  isLoading: boolean;
  /** Labels of the hosts of which it cannot be known now. */
  away: string[];
}

export function unknownHosts(hosts: readonly HostInput[]): UnknownHosts {
  const away = hosts.filter(isAway);
  return {
    isLoading: hosts.some((host) => !away.includes(host) && !host.needsSignIn && !(host.connection.connected && host.listed)),
    away: away.map(({ label }) => oneLine(label)),
  };
}

function isAway({ connection, listError, needsSignIn }: HostInput): boolean {
  if (connection.connected) return listError !== undefined && needsSignIn !== true;
  return !isConnecting(connection);
}
