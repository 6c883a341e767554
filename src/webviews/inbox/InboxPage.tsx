/** The inbox: everything that waits for the user, each item with the card that answers it. */
import * as l10n from '../../base/l10n.ts';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { UnknownHosts } from '../../views/attention/inboxView.ts';
import type { WaitingCards } from '../session/answering/waitingCards.ts';
import { SessionContext } from '../session/page/sessionContext.tsx';
import { sessionPort } from '../session/page/pageShell.ts';
import { useLate } from '../session/page/useLate.ts';
import type { Watches } from '../session/page/watches.ts';
import { ErrorBoundary } from '../session/parts/ErrorBoundary.tsx';
import { RejectionNote } from '../session/parts/RejectionNote.tsx';
import type { RejectedMessage } from '../session/protocol.ts';
import { InboxAnnouncer } from './InboxAnnouncer.tsx';
import { InboxRow } from './InboxRow.tsx';
import { inboxChats, isRefusalOf, type ItemSession, type ItemSessions } from './itemSessions.ts';
import type { InboxExtensionMessage, InboxItem, ItemsMessage } from './protocol.ts';
import { useFocusReport } from '../session/page/useContextKeys.ts';
import { EMPTY_ID, useInboxFocus } from './useInboxFocus.ts';

/** How often the times are written again. The smallest unit is a minute. */
const TIMES_EVERY_MS = 10_000;
const none: readonly never[] = [];

interface InboxPageProps {
  /** Undefined until the extension has said what waits. */
  shown: ItemsMessage | undefined;
  /** Why what is shown may be out of date. */
  problem: string | undefined;
  cards: WaitingCards;
  watches: Watches;
  sessions: ItemSessions;
  /** Receives those messages. */
  gestures: { handler?: (message: Extract<InboxExtensionMessage, { type: 'focus' | 'answer' }>) => void };
}

export function InboxPage({ shown, problem, cards, watches, sessions, gestures }: InboxPageProps) {
  const items: readonly InboxItem[] = shown?.items ?? none;
  const page = useRef<HTMLElement>(null);
  const answered = useRef(new Set<string>());
  const now = useNow();
  const focus = useInboxFocus(page, items, answered.current);
  useFocusReport(cards);
  gestures.handler = (message) => {
    if (message.type === 'focus') focus.go(message.target);
    else if (!focus.hasJustMoved()) cards.answer(message.how, true);
  };
  return (
    <main ref={page} class="inbox">
      <h1 class="visually-hidden">{l10n.t('Needs you')}</h1>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {l10n.t`${problem} What is shown may be out of date.`}
        </p>
      )}
      {sessions.all.flatMap((session) =>
        session.store.state.rejections
          .filter((rejection) => !items.some((item) => item.hostId === session.hostId && isRefusalOf(item, rejection)))
          .map((rejection) => (
            <StrayRefusal
              key={`${session.hostId} ${rejection.clientSeq}`}
              session={session}
              rejection={rejection}
              cards={cards}
              watches={watches}
            />
          )),
      )}
      {items.map((item) => (
        <ErrorBoundary key={item.id} what="item" of={item}>
          <InboxRow
            item={item}
            session={item.uri === undefined ? undefined : sessions.of({ ...item, uri: item.uri })}
            hostLabel={shown?.severalHosts ? item.hostLabel : undefined}
            now={now}
            cards={cards}
            watches={watches}
            onAnswer={() => answered.current.add(item.id)}
          />
        </ErrorBoundary>
      ))}
      <Rest isEmpty={items.length === 0} onScreen={shown?.onScreen === true} hosts={shown?.hosts} />
      <InboxAnnouncer items={shown?.items} answered={answered.current} />
    </main>
  );
}

/** What is not shown above, and why. */
function Rest({ isEmpty, onScreen, hosts }: { isEmpty: boolean; onScreen: boolean; hosts: UnknownHosts | undefined }) {
  const isLoading = !hosts || hosts.isLoading;
  return (
    <div class="inbox-rest">
      {isEmpty && (
        <p id={EMPTY_ID} class="hint" tabIndex={-1}>
          {isLoading
            ? l10n.t('Looking for what needs you…')
            : onScreen
              ? l10n.t('What needs you is on screen, in its session.')
              : l10n.t('Nothing needs you right now.')}
        </p>
      )}
      {hosts?.away.map((label) => (
        <p key={label} class="hint">
          {l10n.t`${label} cannot be reached, so what waits there is not shown.`}
        </p>
      ))}
    </div>
  );
}

interface StrayRefusalProps {
  session: ItemSession;
  rejection: RejectedMessage;
  cards: WaitingCards;
  watches: Watches;
}

/** A refused answer to something that does not wait any more. */
function StrayRefusal({ session, rejection, cards, watches }: StrayRefusalProps) {
  const { hostId, uri, store, title } = session;
  const context = useMemo(
    () => ({
      ...sessionPort({ hostId, uri }),
      ...{ hostId, uri, chat: uri, store, cards, watches },
      ...inboxChats,
      ...{ decisions: none, readOnly: true, ownHost: false, away: false, knownCalls: { calls: new Map() } },
    }),
    [hostId, uri, store, cards, watches],
  );
  // The item may be about to come back, with the refusal on its card.
  if (!useLate(true)) return null;
  return (
    <SessionContext.Provider value={context}>
      <RejectionNote
        rejection={rejection}
        what={
          rejection.outcome === 'unknown'
            ? l10n.t`It is not known whether your answer in “${title}” arrived`
            : l10n.t`Your answer in “${title}” was not accepted`
        }
      />
    </SessionContext.Provider>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TIMES_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
