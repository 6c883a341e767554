/** Limits the number of connections, so that one kind of peer cannot keep out the others. */
import { Limit } from '../../tap/wire/limits.ts';
import type { Connection } from '../gateway.ts';
import { largestGroup } from '../limits/largestGroup.ts';
import { siteOf } from '../trust/site.ts';

/**
 * Why no other peer may authenticate, in words for a close frame; undefined when one may. Internal providers, which owners vouch for, take nobody's
 * place. Web pages have a share of the places, and each origin has a share of that.
 */
export function whyFull(connections: Iterable<Connection>, origin: string | undefined): string | undefined {
  const known = [...connections].filter(({ grant }) => grant && grant.trust !== 'internal');
  if (known.length >= Limit.connections) return `fifty are connected, ${MOST}`;
  if (origin === undefined) return undefined;
  const pages = known.filter((peer) => peer.origin !== undefined);
  if (pages.filter((peer) => peer.origin === origin).length >= Limit.originConnections)
    return `ten pages of this address are connected, ${MOST}`;
  return pages.length >= Limit.pageConnections ? `twenty pages are connected, ${MOST}` : undefined;
}

const MOST = 'which is the most; end one of them, or try again later';

/**
 * Called before a new peer that has not authenticated is accepted. Where too many such peers wait, one of them is closed, so that a peer
 * that authenticates at once always gets in. Pages and programs are counted apart. Among pages, the oldest of the site with the most
 * connections is closed.
 */
export function makeRoom(connections: Iterable<Connection>, origin: string | undefined): void {
  const isPage = origin !== undefined;
  const silent = [...connections].filter((peer) => peer.state === 'AwaitAuth' && (peer.origin !== undefined) === isPage);
  if (silent.length < (isPage ? Limit.pageConnections : Limit.connections)) return;
  const [oldest] = largestGroup(silent, (peer) => (peer.origin === undefined ? '' : siteOf(peer.origin)));
  oldest?.giveWay();
}
