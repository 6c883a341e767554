/** Origins that can be opened at will. */
export const OPAQUE = 'null';

/**
 * Whose an origin is. Who has a domain has all names below it, and so as many origins as they like: of a name the last two labels count. An
 * address, and a page of this machine, stand for themselves.
 */
export function siteOf(origin: string): string {
  const host = /^https?:\/\/([^/:[\]]+)(?::\d+)?$/i.exec(origin)?.[1]?.toLowerCase();
  if (host === undefined) return /^(?:null|file:\/\/)?$/.test(origin) ? OPAQUE : origin;
  const isLocal = host === 'localhost' || host.endsWith('.localhost') || /^[\d.]+$/.test(host);
  return isLocal ? origin : host.replace(/\.$/, '').split('.').slice(-2).join('.');
}
