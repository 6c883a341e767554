/** An item: where it waits and since when, and below it the card that answers it. */
import * as l10n from '../../base/l10n.ts';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { URI } from '../../ahp/common/shapes.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { relativeTime } from '../../views/text/time/relativeTime.ts';
import { waitingCallKey, questionKey, type Waiting } from '../../views/session/waiting/waiting.ts';
import type { WaitingCards } from '../session/answering/waitingCards.ts';
import { useKnownCalls } from '../session/page/knownCalls.ts';
import { SessionContext } from '../session/page/sessionContext.tsx';
import { dispatchMessage } from '../session/page/sessionPort.ts';
import { sessionPort } from '../session/page/pageShell.ts';
import type { Watches } from '../session/page/watches.ts';
import { Icon } from '../session/parts/Icon.tsx';
import { RejectionNote } from '../session/parts/RejectionNote.tsx';
import type { RejectedMessage, SessionGesture, SessionMessage } from '../session/protocol.ts';
import { Unbroken } from '../session/text/VisibleText.tsx';
import { CardButtons } from '../session/waiting/CardButtons.tsx';
import { CompactCards } from '../session/waiting/CardFrame.tsx';
import { QuestionCard } from '../session/waiting/questions/QuestionCard.tsx';
import { SignInCard } from '../session/waiting/SignInCard.tsx';
import { WaitingCallCard } from '../session/waiting/WaitingCallCard.tsx';
import { WaitingResultCard } from '../session/waiting/WaitingResultCard.tsx';
import { inboxChats, isRefusalOf, type ItemSession } from './itemSessions.ts';
import type { InboxItem } from './protocol.ts';
import { postInbox } from './postInbox.ts';

const none: readonly never[] = [];

interface InboxRowProps {
  item: InboxItem;
  /** Absent for an item of a host. */
  session: ItemSession | undefined;
  /** Absent when there is one host only. */
  hostLabel: string | undefined;
  now: number;
  cards: WaitingCards;
  watches: Watches;
  /** The user has answered here. */
  onAnswer(): void;
}

export function InboxRow(props: InboxRowProps) {
  const { item, session, hostLabel, now } = props;
  const id = useId();
  return (
    <article class="inbox-item" data-item={item.id} tabIndex={-1} aria-label={`${item.title}. ${item.what}`}>
      <div class="inbox-where">
        <h2 id={`${id}-title`} class="inbox-title">
          <Unbroken text={item.title} />
        </h2>
        <p id={`${id}-facts`} class="inbox-facts">
          {item.uri !== undefined && hostLabel !== undefined && <span class="fact">{oneLine(hostLabel)}</span>}{' '}
          {item.folder !== undefined && (
            <span class="fact" title={displayPath(item.folder)}>
              {oneLine(lastPart(displayPath(item.folder)))}
            </span>
          )}{' '}
          <time class="fact" dateTime={timeOf(item.since)}>
            {relativeTime(item.since, now)}
          </time>
        </p>
        {item.waiting && (
          <button
            type="button"
            class="link-button"
            aria-label={l10n.t`Open ${item.title}`}
            onClick={() => postInbox({ type: 'open', id: item.id })}
          >
            {l10n.t('Open')}
          </button>
        )}
      </div>
      {session && item.waiting ? (
        <AnswerCard {...props} session={session} waiting={item.waiting} folder={item.folder} whereIds={`${id}-title ${id}-facts`} />
      ) : (
        <PlainCard item={item} cards={props.cards} onAnswer={props.onAnswer} />
      )}
    </article>
  );
}

type AnswerCardProps = InboxRowProps & { session: ItemSession; waiting: Waiting; folder: URI | undefined; whereIds: string };

function AnswerCard({ item, session, waiting, folder, whereIds, cards, watches, onAnswer }: AnswerCardProps) {
  const { hostId, uri, store } = session;
  const chat = item.chat ?? uri;
  const knownCalls = useKnownCalls(item.bridge && { ...item.bridge, rows: [], pairings: [] }, item.chat);
  const answer = useRef(onAnswer);
  answer.current = onAnswer;
  const port = useMemo(() => {
    const { post } = sessionPort({ hostId, uri });
    const postAnswer = (message: SessionMessage) => {
      if (message.type === 'dispatch' && message.action.type !== 'chat/inputAnswerChanged') answer.current();
      post(message);
    };
    return {
      post: postAnswer,
      dispatch: (target: URI, action: SessionGesture, asked?: string) => postAnswer(dispatchMessage(target, action, asked)),
    };
  }, [hostId, uri]);
  const context = useMemo(
    () => ({
      ...port,
      ...{ hostId, uri, chat, store, cards, watches, knownCalls, whereIds },
      ...inboxChats,
      ...{ decisions: none, readOnly: false, ownHost: item.ownHost === true, away: false },
      ...(folder === undefined ? {} : { workingDirectory: folder }),
    }),
    [port, hostId, uri, chat, store, cards, watches, knownCalls, whereIds, item.ownHost, folder],
  );
  const rejection = store.state.rejections.findLast((one) => isRefusalOf(item, one));
  const isUnknown = rejection?.outcome === 'unknown';
  return (
    <SessionContext.Provider value={context}>
      {isUnknown && <RejectionNote rejection={rejection} what={l10n.t('It is not known whether your answer arrived')} />}
      <CompactCards.Provider value={true}>
        <CardOf key={contentKey(waiting)} waiting={waiting} rejection={isUnknown ? undefined : rejection} />
      </CompactCards.Provider>
    </SessionContext.Provider>
  );
}

function CardOf({ waiting, rejection }: { waiting: Waiting; rejection: RejectedMessage | undefined }) {
  switch (waiting.kind) {
    case 'call':
      return <WaitingCallCard turnId={waiting.turnId} call={waiting.call} rejection={rejection} />;
    case 'result':
      return <WaitingResultCard turnId={waiting.turnId} call={waiting.call} rejection={rejection} />;
    case 'signIn':
      return <SignInCard turnId={waiting.turnId} call={waiting.call} />;
    case 'question':
      return <QuestionCard request={waiting.request} rejection={rejection} />;
  }
}

/** Changes with what the user decides by. What was seen and typed before does not count then. */
function contentKey(waiting: Waiting): string {
  return waiting.kind === 'question' ? questionKey(waiting.request) : waitingCallKey(waiting.call);
}

/** For what cannot be answered here. */
function PlainCard({ item, cards, onAnswer }: Pick<InboxRowProps, 'item' | 'cards' | 'onAnswer'>) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => (card.current ? cards.add({ element: card.current, kind: 'thing' }) : undefined), [cards]);
  const { id, kind, isLoading } = item;
  const button = (label: string, type: 'open' | 'markRead' | 'signIn' | 'notNow', secondary = false) => (
    <vscode-button
      secondary={secondary}
      onClick={() => {
        if (type !== 'open') onAnswer();
        postInbox({ type, id });
      }}
    >
      {label}
    </vscode-button>
  );
  return (
    <section ref={card} class={`card plain-card plain-${kind}`} tabIndex={-1} aria-label={item.what}>
      <h3 class="card-title">
        <Icon
          name={isLoading ? 'loading' : kind === 'failed' ? 'error' : kind === 'signIn' ? 'key' : kind === 'review' ? 'eye' : 'warning'}
        />
        <span>{isLoading ? l10n.t('Loading what waits…') : item.what}</span>
      </h3>
      <CardButtons>
        {kind === 'signIn' ? button(l10n.t('Sign in'), 'signIn') : button(kind === 'review' ? l10n.t('Review…') : l10n.t('Open'), 'open')}
        {kind === 'review' && button(l10n.t('Not now'), 'notNow', true)}
        {kind === 'failed' && button(l10n.t('Mark as read'), 'markRead', true)}
      </CardButtons>
    </section>
  );
}

/** A host may send any number. */
function timeOf(since: number): string | undefined {
  const date = new Date(since);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Of a path. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}
