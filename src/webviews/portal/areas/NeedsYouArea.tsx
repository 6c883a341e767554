/** What waits for the user: all of it, and beside it the card of one. After an answer the next one is shown. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { WaitingItem } from '../../../views/portal/answers/attentionList.ts';
import { refOf } from '../../../views/portal/attentionData.ts';
import { pagePaths } from '../../../views/portal/wire/pageWire.ts';
import type { PortalView } from '../../../views/portal/page/portalAddress.ts';
import { viewHref } from '../../../views/portal/page/portalAddress.ts';
import { hasPage, nextWaiting, type WaitingRow, waitingRows } from '../../../views/portal/page/waitingRows.ts';
import { sessionKey } from '../../../views/session/sessionRef.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { Unbroken } from '../../session/text/VisibleText.tsx';
import { DetailHead } from '../frame/DetailHead.tsx';
import { ListAndDetail } from '../frame/ListAndDetail.tsx';
import { PageFrame } from '../frame/PageFrame.tsx';
import { Rows } from '../frame/Rows.tsx';
import { showInstead } from '../portalView.ts';
import type { useNotifications } from '../useNotifications.ts';
import type { PortalData } from './portalData.ts';
import { sessionPage } from './sessionPageAddress.ts';

interface NeedsYouAreaProps {
  view: Extract<PortalView, { kind: 'needsYou' }>;
  data: PortalData;
  /** Undefined until the portal has said what waits. */
  isComplete: boolean | undefined;
  notifications: ReturnType<typeof useNotifications>;
}

const ALL: PortalView = { kind: 'needsYou', all: true };
const back = { view: { kind: 'needsYou' }, name: l10n.t('Needs You') } as const;

export function NeedsYouArea({ view, data, isComplete, notifications }: NeedsYouAreaProps) {
  const { items, sessions, waitingJobs, now } = data;
  const rows = waitingRows(items, { sessions, jobs: waitingJobs, now });
  const shown = useShown(view.item, items);
  return (
    <ListAndDetail
      title={l10n.t('Needs you')}
      count={items.length > 0 ? `${items.length}${isComplete ? '' : '+'}` : ''}
      isChosen={view.item !== undefined || view.all === true}
      list={
        <>
          {rows.length === 0 && (
            <p class="hint">{isComplete ? l10n.t('Nothing needs you right now.') : l10n.t('Looking for what needs you…')}</p>
          )}
          <Rows
            label={l10n.t('What needs you')}
            rows={rows.map((row) => ({
              id: row.id,
              view: row.hasPage ? { kind: 'needsYou', item: row.id } : ALL,
              content: <WaitingRowContent {...row} />,
            }))}
            {...(view.item !== undefined && { current: view.item })}
          />
          {items.length > 1 && (
            <p class="list-foot">
              <a href={viewHref(ALL)}>{l10n.t('Show all of them with their cards')}</a>
            </p>
          )}
          <NotificationRow {...notifications} />
        </>
      }
      detail={
        view.item === undefined ? (
          <AllCards focus={view.all === true} />
        ) : (
          // Of a session several things may wait, one after another: its page stays.
          <OneCard key={(shown && sessionIdOf(shown)) ?? view.item} {...{ shown, items, rows }} id={view.item} />
        )
      }
    />
  );
}

function NotificationRow({ state, ask }: ReturnType<typeof useNotifications>) {
  if (state === undefined) return null;
  return (
    <p class="list-foot hint">
      {state === 'granted' && l10n.t('The browser notifies you while this page is in the background.')}
      {state === 'denied' && l10n.t('Notifications are switched off for this page in the settings of the browser.')}
      {state === 'default' && (
        <button type="button" onClick={ask}>
          {l10n.t('Notify me')}
        </button>
      )}
    </p>
  );
}

function WaitingRowContent({ title, what, partOf, place }: WaitingRow) {
  return (
    <>
      <span class="row-line">
        <span class="name">
          <Unbroken text={what || title} />
        </span>
      </span>
      {partOf.length > 0 && <span class="row-line">{partOf.join(' · ')}</span>}
      <span class="row-line hint">
        <Unbroken text={[...(what ? [title] : []), ...place].join(' · ')} />
      </span>
    </>
  );
}

function AllCards({ focus }: { focus: boolean }) {
  return (
    <>
      <DetailHead title={l10n.t('All that needs you')} back={back} {...(focus && { focusKey: 'all' })} />
      <PageFrame title={l10n.t('Needs you')} src={pagePaths.inbox} />
    </>
  );
}

interface OneCardProps {
  id: string;
  /** What waits or has waited under the id. */
  shown: WaitingItem | undefined;
  items: readonly WaitingItem[];
  rows: readonly WaitingRow[];
}

function OneCard({ id, shown, items, rows }: OneCardProps) {
  const row = rows.find((one) => one.id === id);
  const session = shown && hasPage(shown) ? refOf(shown) : undefined;
  const next = items.find((item) => item.id !== id);
  return (
    <>
      <DetailHead
        title={shown ? oneLine(shown.what) || oneLine(shown.title) || l10n.t('Session') : l10n.t('Needs you')}
        back={back}
        focusKey={(shown && sessionIdOf(shown)) ?? id}
        pageHasTitle={session !== undefined && row !== undefined}
      >
        {row && row.partOf.length > 0 && <span class="hint">{row.partOf.join(' · ')}</span>}
        {!row && <span class="hint">{l10n.t('This does not wait any more.')}</span>}
        {!row && next && <a href={viewHref(hasPage(next) ? { kind: 'needsYou', item: next.id } : ALL)}>{l10n.t('Show the next')}</a>}
        {session && <a href={viewHref({ kind: 'session', session })}>{l10n.t('Open the session')}</a>}
      </DetailHead>
      {session && <PageFrame title={oneLine(shown?.title) || l10n.t('Session')} src={sessionPage(session, true)} />}
    </>
  );
}

/** Undefined where it has no page. */
function sessionIdOf(item: WaitingItem): string | undefined {
  const session = hasPage(item) ? refOf(item) : undefined;
  return session && sessionKey(session);
}

/**
 * What waits under the id, or did when it was last there. Once the user has answered it the next one is shown, and nothing else when somebody else has:
 * the next key would then be for something that the user has not chosen.
 */
function useShown(id: string | undefined, items: readonly WaitingItem[]): WaitingItem | undefined {
  const before = useRef(items);
  const last = useRef<WaitingItem>(undefined);
  const current = items.find((item) => item.id === id);
  if (current) last.current = current;
  const shown = current ?? (last.current?.id === id ? last.current : undefined);
  useLayoutEffect(() => {
    const earlier = before.current;
    before.current = items;
    if (current || !shown || !earlier.some((item) => item.id === id)) return;
    const next = itemAfter(shown, earlier, items);
    if (next) showInstead(hasPage(next) ? { kind: 'needsYou', item: next.id } : ALL);
  }, [items, id]);
  return shown;
}

function itemAfter(gone: WaitingItem, earlier: readonly WaitingItem[], items: readonly WaitingItem[]): WaitingItem | undefined {
  // What exactly waited in its session was not known, and is now.
  if (gone.kind === 'unknown') {
    const known = items.find((item) => sessionIdOf(item) === sessionIdOf(gone));
    if (known) return known;
  }
  if (!isUsersDoing()) return undefined;
  const ids = (of: readonly WaitingItem[]) => of.map((item) => item.id);
  const next = nextWaiting(ids(earlier), gone.id, ids(items));
  return items.find((item) => item.id === next);
}

/** The user has just done something in the page that is framed. */
function isUsersDoing(): boolean {
  return document.activeElement instanceof HTMLIFrameElement && navigator.userActivation.isActive;
}
