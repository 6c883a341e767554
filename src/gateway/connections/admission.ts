/** Places at the gateway: whom a flood of connections cannot keep out. */
import { Limit } from '../../tap/wire/limits.ts';
import { largestGroup } from '../limits/largestGroup.ts';
import type { ProviderConnection } from './providerConnection.ts';
import { siteOf } from './site.ts';

/** Whether one more peer that shows its token may stay. Web pages have a share of the places, and each of them a share of that. */
export function hasRoom(connections: Iterable<ProviderConnection>, origin: string | undefined): boolean {
  const known = [...connections].filter(({ grant }) => grant && grant.kind !== 'local');
  if (known.length >= Limit.connections) return false;
  if (origin === undefined) return true;
  const pages = known.filter((peer) => peer.origin !== undefined);
  return pages.length < Limit.pageConnections && pages.filter((peer) => peer.origin === origin).length < Limit.originConnections;
}

/**
 * Before one more comes that has not said who it is: who says so at once always gets in, so where too many are silent it is one of them that
 * goes. Pages and programs are counted apart. Of pages it is the oldest of the site that has the most.
 */
export function makeRoom(connections: Iterable<ProviderConnection>, origin: string | undefined): void {
  const isPage = origin !== undefined;
  const silent = [...connections].filter((peer) => peer.state === 'AwaitAuth' && (peer.origin !== undefined) === isPage);
  if (silent.length < (isPage ? Limit.pageConnections : Limit.connections)) return;
  const [oldest] = largestGroup(silent, (peer) => (peer.origin === undefined ? '' : siteOf(peer.origin)));
  oldest?.giveWay();
}
