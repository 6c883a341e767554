/** The site of opaque origins, of which anybody can open any number. */
export const OPAQUE = 'null';

/**
 * The site that an origin belongs to. The owner of a domain has all names below it and so any number of origins, therefore the last two
 * labels of a name count. Whoever has an address has all its ports, and in version 6 all addresses of its network. A page of this machine
 * is a site of its own.
 */
export function siteOf(origin: string): string {
  const host = /^https?:\/\/(\[[\da-f:]+\]|[^/:[\]]+)(?::\d+)?$/i.exec(origin)?.[1]?.toLowerCase();
  if (host === undefined) return /^(?:null|file:\/\/)?$/.test(origin) ? OPAQUE : origin;
  if (/^(?:(?:.*\.)?localhost|127\.[\d.]+|\[::1\])$/.test(host)) return origin;
  if (host.startsWith('[')) return networkOf(host.slice(1, -1));
  return /^[\d.]+$/.test(host) ? host : host.replace(/\.$/, '').split('.').slice(-2).join('.');
}

/** The first four groups of an address of version 6. */
function networkOf(address: string): string {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
