/** Notifications of the browser about what begins to wait while nobody sees the page. The browser asks the user once, after they have asked for it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WaitingItem } from '../../views/portal/answers/attentionList.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { goTo } from './portalView.ts';

/** `default`: the user was not asked yet. Undefined: the browser has none. */
export type NotificationState = NotificationPermission | undefined;

/** `items`: undefined until it is known what waits. What waits already when the page is opened is no news. */
export function useNotifications(items: readonly WaitingItem[] | undefined): { state: NotificationState; ask(): void } {
  const [state, setState] = useState<NotificationState>(() => ('Notification' in window ? Notification.permission : undefined));
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!items) return;
    const before = known.current;
    known.current = new Set(items.map(({ id }) => id));
    // What exactly waits is known a moment later.
    const news = before ? items.filter(({ id, kind }) => !before.has(id) && kind !== 'unknown') : [];
    const [first] = news;
    if (!first || state !== 'granted' || (!document.hidden && document.hasFocus())) return;
    const more = news.length > 1 ? ` and ${news.length - 1} more` : '';
    // One at a time: a newer one takes the place of the one before.
    const body = `${oneLine(first.what) || oneLine(first.title)}${more}`;
    let shown: Notification;
    try {
      // `renotify` is not in the types: https://notifications.spec.whatwg.org
      shown = new Notification('Tapline needs you', { body, tag: 'tapline', renotify: true } as NotificationOptions);
    } catch {
      // Browsers of phones have them for service workers alone, whatever the permission says.
      setState(undefined);
      return;
    }
    shown.onclick = () => {
      window.focus();
      goTo({ kind: 'needsYou', item: first.id });
      shown.close();
    };
  }, [items, state]);
  return { state, ask: () => void Notification.requestPermission().then(setState, () => setState('denied')) };
}
