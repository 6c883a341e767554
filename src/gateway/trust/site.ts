/** The site of opaque origins, of which anybody can open any number. */
export const OPAQUE = 'null';

/**
 * The site that an origin belongs to. The owner of a domain has all names below it and so any number of origins, therefore the last two
 * labels of a name count. An address, and a page of this machine, is a site of its own.
 */
export function siteOf(origin: string): string {
  const host = /^https?:\/\/([^/:[\]]+)(?::\d+)?$/i.exec(origin)?.[1]?.toLowerCase();
  if (host === undefined) return /^(?:null|file:\/\/)?$/.test(origin) ? OPAQUE : origin;
  const isLocal = host === 'localhost' || host.endsWith('.localhost') || /^[\d.]+$/.test(host);
  return isLocal ? origin : host.replace(/\.$/, '').split('.').slice(-2).join('.');
}
