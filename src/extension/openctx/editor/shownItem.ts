/** An item of a provider as the editor shows it: bounded, and with links that are safe to offer. */
import * as l10n from '../../../base/l10n.ts';
import type { ResourceAnnotation } from '../../../openctx/client.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutImages, withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { Place } from './textPlaces.ts';

/** In characters. */
const MAX_TITLE = 120;
const MAX_HOVER = 50_000;

export interface ShownItem {
  /** Of this window, and of this answer. */
  readonly id: string;
  readonly provider: string;
  /** Without icons and links. */
  readonly title: string;
  /** Of `http:` or `https:`. */
  readonly url?: string;
  readonly hover?: { readonly markdown: string } | { readonly text: string };
  /** Undefined: of the whole file. */
  readonly place?: Place;
  /** Shown above the first line, wherever its place is. */
  readonly isAtTop: boolean;
}

let lastId = 0;

export function shownItem({ provider, item, presentationHints }: ResourceAnnotation & { provider: string }, place?: Place): ShownItem {
  const url = webUrl(item.url);
  const { markdown, text } = item.ui?.hover ?? {};
  const hover = markdown
    ? { markdown: withoutImages(markdown.slice(0, MAX_HOVER)) }
    : text
      ? { text: text.slice(0, MAX_HOVER) }
      : undefined;
  return {
    id: String(++lastId),
    provider,
    title: withoutMarkup(oneLine(item.title, MAX_TITLE)) || l10n.t('(no title)'),
    ...(url !== undefined && { url }),
    ...(hover && { hover }),
    ...(place && { place }),
    isAtTop: !place || (presentationHints?.includes('show-at-top-of-file') ?? false),
  };
}

function webUrl(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
