import { isThisComputer } from '../../base/connection/privateUrl.ts';

/** A browser opens no files for a page. */
const OPENED = /^(?:https?|mailto):/i;

/**
 * The address to open for a link of a stranger in the page of the portal, whose own address is `page`. Undefined where it leads to the
 * portal itself, under whatever name of this computer: it would be opened as one of its pages.
 */
export function outsideLink(href: string, page: string): string | undefined {
  // As the browser does: `http:/api` is a path of the page.
  if (!OPENED.test(href) || !URL.canParse(href, page)) return undefined;
  const url = new URL(href, page);
  const own = new URL(page);
  const isOwn = portOf(url) === portOf(own) && (isThisComputer(url) || url.hostname === own.hostname);
  return isOwn ? undefined : url.href;
}

function portOf({ protocol, port }: URL): string {
  return port || { 'http:': '80', 'https:': '443' }[protocol] || '';
}
