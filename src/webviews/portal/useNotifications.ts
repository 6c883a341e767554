/** Notifications of the browser about what begins to wait and what becomes of runs while nobody sees the page. The browser asks the user once, after they have asked for it. */
import * as l10n from '../../base/l10n.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WaitingItem } from '../../views/portal/answers/attentionList.ts';
import type { JobSummary } from '../../views/portal/jobData.ts';
import type { PortalView } from '../../views/portal/page/portalAddress.ts';
import { type KnownRuns, lookAtRuns } from '../../views/portal/page/runNews.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { goTo } from './portalView.ts';

/** `default`: the user was not asked yet. Undefined: the browser has none. */
export type NotificationState = NotificationPermission | undefined;

interface Notice {
  title: string;
  body: string;
  /** A newer one takes the place of the one before with the same tag. */
  tag: string;
  /** What there is besides. */
  more: number;
  view: PortalView;
}

/** `items`, `runs`: undefined until they are known. What waits or is over already when the page is opened is no news. `now`: when the runs were so. */
export function useNotifications(
  items: readonly WaitingItem[] | undefined,
  runs: readonly JobSummary[] | undefined,
  now: number,
): { state: NotificationState; ask(): void } {
  const [state, setState] = useState<NotificationState>(() => ('Notification' in window ? Notification.permission : undefined));
  const knownItems = useRef<ReadonlySet<string>>(undefined);
  const knownRuns = useRef<KnownRuns>(undefined);
  const tell = (notice: Notice) => {
    if (state !== 'granted' || (!document.hidden && document.hasFocus())) return;
    // Browsers of phones have them for service workers alone, whatever the permission says.
    if (!show(notice)) setState(undefined);
  };
  useEffect(() => {
    if (!items) return;
    const before = knownItems.current;
    knownItems.current = new Set(items.map(({ id }) => id));
    // What exactly waits is known a moment later.
    const [first, ...others] = before ? items.filter(({ id, kind }) => !before.has(id) && kind !== 'unknown') : [];
    if (!first) return;
    const body = oneLine(first.what) || oneLine(first.title);
    tell({ title: l10n.t('Tapline needs you'), body, tag: 'tapline', more: others.length, view: { kind: 'needsYou', item: first.id } });
  }, [items, state]);
  useEffect(() => {
    if (!runs) return;
    const { known, news } = lookAtRuns(runs, knownRuns.current, now);
    knownRuns.current = known;
    const [first, ...others] = news;
    if (!first) return;
    const { kind, title, text, jobId } = first;
    // That a run is done hides neither that another one has failed nor what waits.
    tell({ title, body: text, tag: `tapline-${kind}`, more: others.length, view: { kind: 'run', jobId } });
  }, [runs, state]);
  return { state, ask: () => void Notification.requestPermission().then(setState, () => setState('denied')) };
}

/** False where the browser shows none. */
function show({ title, body, tag, more, view }: Notice): boolean {
  let shown: Notification;
  try {
    // `renotify` is not in the types: https://notifications.spec.whatwg.org
    const options = {
      body: more > 0 ? l10n.t`${body} and ${l10n.countText(more)} more` : body,
      tag,
      renotify: true,
    } as NotificationOptions;
    shown = new Notification(title, options);
  } catch {
    return false;
  }
  shown.onclick = () => {
    window.focus();
    goTo(view);
    shown.close();
  };
  return true;
}
