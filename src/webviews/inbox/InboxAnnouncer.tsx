/** Tells screen readers once what is new, and what was answered elsewhere. A screen reader can also read the text later. */
import * as l10n from '../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { InboxItem } from './protocol.ts';

type AnnouncedItem = Pick<InboxItem, 'id' | 'title' | 'what' | 'isLoading'>;

interface InboxAnnouncerProps {
  items: readonly AnnouncedItem[] | undefined;
  /** Ids of the items that the user has answered here. */
  answered: ReadonlySet<string>;
}

export function InboxAnnouncer({ items, answered }: InboxAnnouncerProps) {
  const [text, setText] = useState('');
  const known = useRef<readonly AnnouncedItem[]>(undefined);
  useEffect(() => {
    if (!items) return;
    const before = known.current;
    known.current = items;
    // What waited before the page was there is on it, and the badge has its number.
    if (!before) return;
    const fresh = items.filter(({ id, isLoading }) => !isLoading && !before.some((item) => item.id === id && !item.isLoading));
    const gone = before.filter(({ id, isLoading }) => !isLoading && !answered.has(id) && !items.some((item) => item.id === id));
    if (fresh.length > 0) setText(spoken(fresh));
    else if (gone.length > 0) setText(goneText(gone.length));
    else if (items.length === 0) setText(l10n.t('Nothing needs you right now'));
  }, [items, answered]);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}

function spoken(fresh: readonly AnnouncedItem[]): string {
  const [first] = fresh;
  if (fresh.length === 1 && first) return l10n.t`Needs you: ${first.title}. ${first.what}`;
  return l10n.t`${l10n.countText(fresh.length)} new things need you`;
}

function goneText(count: number): string {
  return l10n.plural(
    count,
    l10n.t`${l10n.countText(count)} thing no longer needs you`,
    l10n.t`${l10n.countText(count)} things no longer need you`,
  );
}
