/** Links of strangers in the page of the portal. */
import { outsideLink } from '../../views/portal/outsideLink.ts';

export function isLink(href: string): boolean {
  return outsideLink(href, location.href) !== undefined;
}

export function openLink(href: string): void {
  const address = outsideLink(href, location.href);
  if (address !== undefined) window.open(address, '_blank', 'noopener,noreferrer');
}
