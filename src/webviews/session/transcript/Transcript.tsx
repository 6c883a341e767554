/** The turns from old to new. It follows new content while the user is at the end, and does not move otherwise. */
import * as l10n from '../../../base/l10n.ts';
import { messageOf } from '../../../base/errors.ts';
import { whenIdle } from '../../late/whenIdle.ts';
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import { sectionsByTurn } from '../../../ahp/hookRequests.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import { agentOf } from '../../../views/hosts/agentModels.ts';
import type { OpenChat } from '../../../views/session/openChat.ts';
import type { PendingPairing } from '../../../views/pairing/pairingView.ts';
import { turnDeliveries } from '../../../views/session/composer/deliveries.ts';
import { type RowsByTurn, rowsByTurn, type TimelineRow } from '../../../views/session/transcript/timelineRows.ts';
import { firstTurns } from '../../../views/session/transcript/firstTurns.ts';
import { answerOf, lastTurnViews, turnViews } from '../../../views/session/transcript/transcript.ts';
import type { TurnFate } from '../../../views/session/transcript/turnOverAbsence.ts';
import { modelNameOf } from '../../../views/session/transcript/turnFacts.ts';
import { turnRemedies } from '../../../views/session/transcript/turnRemedies.ts';
import { LateNote } from '../../late/LateNote.tsx';
import { latePart, useLatePart } from '../../late/latePart.ts';
import { GUARD_MS } from '../answering/useSteady.ts';
import { ErrorBoundary } from '../parts/ErrorBoundary.tsx';
import type { PendingAction, RejectedMessage } from '../protocol.ts';
import { looseQuestions, questionKey } from '../../../views/session/waiting/waiting.ts';
import { QuestionCard } from '../waiting/questions/QuestionCard.tsx';
import { request } from '../page/pageRequests.ts';
import { useSession } from '../page/sessionContext.tsx';
import { copyText } from '../text/CodeText.tsx';
import type { FindHandle } from '../find/FindBar.tsx';
import { PairingRow, TimelineRows } from './TimelineRows.tsx';
import { rejectionOf } from './rejectionOf.ts';
import type { Following } from './PartsWindow.tsx';
import { TurnRow } from './TurnRow.tsx';

/** Of an editor, where the page is drawn before it has one. */
const USUAL_ROOM = { width: 1000, height: 1000 };
const roomOfPage = () => (typeof window === 'undefined' ? USUAL_ROOM : { width: window.innerWidth, height: window.innerHeight });

/** How many turns are rendered at first, and added by each "Show earlier". */
const PAGE = 50;
/** How many of the last turns the first picture has at most, and by how many it grows after that, while the page has nothing else to do. */
export const FIRST = 10;
const STEP = 15;
/** A smaller distance counts as being at the end. In pixels. */
const AT_END = 24;
/** The margin above a waiting card. In pixels. */
const CARD_MARGIN = 4;

const none: readonly never[] = [];

export const findBar = latePart(
  l10n.t('The search'),
  () => import('../find/FindBar.tsx'),
  (module) => module.FindBar,
);

export interface TranscriptHandle {
  jumpToLatest(): void;
  /** Gives something in it the focus, at the top, and stays there. */
  focusOn(element: HTMLElement): void;
  /** Copies the last answer. */
  copyAnswer(): void;
  /** Draws more turns, or requests them where all are drawn. */
  loadOlder(): void;
  /** Requests turns that the host has and has not sent. */
  fetchOlder(): void;
  /** Opens the bar that finds, or goes to it. */
  find(): void;
}

interface TranscriptProps {
  open: OpenChat;
  root: RootState | undefined;
  pending: readonly PendingAction[];
  rejections: readonly RejectedMessage[];
  fate: TurnFate | undefined;
  timeline: readonly TimelineRow[];
  pairings: readonly PendingPairing[];
  readOnly: boolean;
  /** Older turns can be asked for. */
  readsOn: boolean;
  handle: Ref<TranscriptHandle>;
}

export function Transcript({ open, root, pending, rejections, fate, timeline, pairings, readOnly, readsOn, handle }: TranscriptProps) {
  const { session, chat } = open;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [followed] = useState<Following>(() => ({ isOn: () => following.current, end: () => void (following.current = false) }));
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);
  const offersJump = useLingering(away);
  const [pages, setPages] = useState(1);

  const count = chat.turns.length + (chat.activeTurn ? 1 : 0);
  /** Turns of the first page, until all of it is. */
  const [drawn, setDrawn] = useState(() => {
    const first = firstTurns(chat, roomOfPage(), FIRST);
    return count > first ? first : Infinity;
  });
  const isDrawn = drawn === Infinity;
  const shown = useMemo(() => lastTurnViews(chat, Math.min(drawn, PAGE * pages)), [chat, pages, drawn]);
  const hidden = count - shown.length;
  const { away: hostAway, ownHost, chat: uri, post } = useSession();
  // Only our own host writes down there what it added.
  const sections = useMemo(() => (ownHost ? sectionsByTurn(session._meta) : undefined), [ownHost, session._meta]);
  const deliveries = useMemo(() => turnDeliveries(pending, hostAway), [pending, hostAway]);
  const inPlace = useMemo(() => rejections.filter(({ action }) => 'toolCallId' in action || 'requestId' in action), [rejections]);
  const requests = looseQuestions(session, uri, chat);
  const remedies = useMemo(() => (readOnly ? none : turnRemedies(open, root)), [readOnly, open, root]);
  const agent = agentOf(session, root);
  const activeId = chat.activeTurn?.id;
  const lastId = shown.at(-1)?.id;
  // Until the session continues.
  const goneAfter = useRef<{ fate: TurnFate; lastId: string | undefined }>(undefined);
  if (fate && goneAfter.current?.fate !== fate) goneAfter.current = { fate, lastId };
  const isGone = fate?.fate === 'gone' && goneAfter.current?.lastId === lastId;
  const lastPastId = chat.turns.at(-1)?.id;

  const places = useRef<RowsByTurn>(new Map());
  places.current = useMemo(() => rowsByTurn(timeline, places.current), [timeline]);
  const beforeTurns = places.current.get(undefined);

  useLayoutEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return undefined;
    const follow = () => {
      if (!following.current) return;
      const waiting = inner.querySelector('.waiting-card');
      // Scroll to the beginning of a waiting card, and stay there while the user reads it.
      const top = waiting
        ? box.scrollTop + waiting.getBoundingClientRect().top - box.getBoundingClientRect().top - CARD_MARGIN
        : box.scrollHeight;
      box.scrollTop = Math.max(box.scrollTop, top);
    };
    const observer = new ResizeObserver(() => {
      follow();
      // The end may come into view without any scrolling: the room grows, or something below is folded.
      setAway(!following.current && !isAtEnd(box));
    });
    observer.observe(inner);
    observer.observe(box);
    // So that the first picture is that of the end.
    follow();
    return () => observer.disconnect();
  }, []);

  // "Show earlier" and "Load older turns" add turns above. The turn that was first stays in its place.
  const anchor = useRef<{ element: Element; top: number }>(undefined);
  const holdFirst = useCallback(() => {
    const element = content.current?.querySelector('.turn');
    if (element) anchor.current = { element, top: element.getBoundingClientRect().top };
  }, []);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    // Only scrolling up leaves the end. Content may also grow between a scroll and its event.
    if (isAtEnd(box)) following.current = true;
    else if (box.scrollTop < lastTop.current) following.current = false;
    lastTop.current = box.scrollTop;
    setAway(!following.current);
    // Older turns may still be on their way, and what the user scrolled to stays in its place.
    if (anchor.current) holdFirst();
  }, []);

  const jumpToLatest = useCallback(() => {
    following.current = true;
    setAway(false);
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, []);

  const focusOn = useCallback((element: HTMLElement) => {
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: 'start' });
    const box = scroller.current;
    if (!box) return;
    // The event of the scrolling comes later, and until then what grows would be followed.
    following.current = isAtEnd(box);
    lastTop.current = box.scrollTop;
    setAway(!following.current);
  }, []);

  const focusLater = useRef(false);
  const drawMore = (turns: number) => {
    holdFirst();
    setDrawn(turns >= Math.min(count, PAGE) ? Infinity : turns);
  };
  useEffect(() => {
    if (isDrawn) return undefined;
    return whenIdle(() => drawMore(drawn + STEP));
  }, [drawn]);
  const keepPlace = () => {
    holdFirst();
    focusLater.current = content.current?.querySelector('.show-earlier')?.contains(document.activeElement) === true;
    following.current = false;
  };
  const showEarlier = () => {
    keepPlace();
    setPages(pages + 1);
  };
  const [asked, setAsked] = useState<AskedTurns>();
  const cursor = chat.turnsNextCursor;
  const older = asked?.cursor === cursor ? asked : undefined;
  const loadOlder = () => {
    if (!isDrawn) drawMore(Infinity);
    else if (hidden > 0) showEarlier();
    else fetchOlder();
  };
  const fetchOlder = () => {
    if (!readsOn || cursor === undefined || older?.problem === '') return;
    keepPlace();
    setAsked({ cursor, problem: '' });
    request(post, 'fetchTurns', { chat: uri }).catch((error: unknown) => setAsked({ cursor, problem: messageOf(error) }));
  };
  const copyAnswer = () => {
    const answer = turnViews(chat)
      .map(answerOf)
      .findLast((text) => text !== '');
    if (answer !== undefined) copyText(answer);
  };
  const [isFinding, setFinding] = useState(false);
  const FindBar = useLatePart(findBar, isFinding);
  const searched = useMemo(() => (isFinding ? turnViews(chat) : none), [isFinding, chat]);
  const finder = useRef<FindHandle>(null);
  const find = () => (isFinding ? finder.current?.focus() : setFinding(true));
  const wantedPages = useRef(1);
  const showTurn = (turn: number) => {
    following.current = false;
    if (!isDrawn) drawMore(Infinity);
    wantedPages.current = Math.max(pages, Math.ceil((count - turn) / PAGE));
    if (pages < wantedPages.current) setPages(pages + 1);
  };
  useEffect(() => {
    // One page a frame, however old the turn is.
    if (pages >= wantedPages.current) return undefined;
    const frame = requestAnimationFrame(() => setPages(pages + 1));
    return () => cancelAnimationFrame(frame);
  }, [pages]);
  useImperativeHandle(handle, () => ({ jumpToLatest, focusOn, copyAnswer, loadOlder, fetchOlder, find }));
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!anchor.current || !box) return;
    box.scrollTop += anchor.current.element.getBoundingClientRect().top - anchor.current.top;
    anchor.current = undefined;
  }, [pages, count, drawn]);
  const firstId = shown[0]?.id;
  useLayoutEffect(() => {
    const turn = content.current?.querySelector<HTMLElement>('.turn');
    // The button that had the focus may be gone. It stays where there is more to show.
    if (turn && focusLater.current && document.activeElement === document.body) {
      turn.tabIndex = -1;
      turn.focus({ preventScroll: true });
    }
    focusLater.current = false;
  }, [firstId]);

  return (
    <div class="transcript-frame">
      {isFinding && !FindBar && <LateNote part={findBar} loading={l10n.t('Opening the search…')} />}
      {isFinding && FindBar && (
        <FindBar
          turns={searched}
          scroller={scroller}
          content={content}
          unloaded={
            cursor === undefined || !readsOn
              ? undefined
              : { isLoading: older?.problem === '', problem: older?.problem || undefined, load: fetchOlder }
          }
          onShow={showTurn}
          onClose={() => setFinding(false)}
          handle={finder}
        />
      )}
      <div
        ref={scroller}
        class="transcript"
        role="region"
        aria-label={l10n.t('Transcript')}
        aria-busy={!isDrawn || undefined}
        tabIndex={0}
        onScroll={onScroll}
      >
        <div ref={content} class="transcript-content">
          {isDrawn && hidden > 0 && (
            <button type="button" class="link-button show-earlier" onClick={showEarlier}>
              {l10n.t`Show earlier (${l10n.countText(hidden)})`}
            </button>
          )}
          {hidden === 0 && cursor !== undefined && readsOn && <OlderTurns key={cursor} asked={older} onAsk={loadOlder} />}
          {hidden === 0 && beforeTurns && <TimelineRows rows={beforeTurns} />}
          {shown.map((turn) => (
            <ErrorBoundary key={turn.id} what="turn" of={turn}>
              <TurnRow
                turn={turn}
                sections={sections?.get(turn.id) ?? none}
                timeline={places.current.get(turn.id) ?? none}
                stoppedAway={fate?.fate === 'stopped' && fate.turnId === turn.id}
                deliveries={deliveries.get(turn.id)}
                remedies={turn.id === lastId ? remedies : none}
                modelName={modelNameOf(turn, agent)}
                following={followed}
                rejections={turn.id === activeId || turn.id === lastPastId ? inPlace : none}
              />
            </ErrorBoundary>
          ))}
          {requests.map((request) => (
            <QuestionCard key={questionKey(request)} request={request} rejection={rejectionOf(inPlace, uri, { requestId: request.id })} />
          ))}
          {pairings.map((pairing) => (
            <PairingRow key={pairing.id} pairing={pairing} />
          ))}
          {isGone && (
            <p class="turn-end">{l10n.t('The turn that was running when the connection was lost is no longer in the session.')}</p>
          )}
          {count === 0 && !isGone && requests.length === 0 && session.lifecycle !== 'failed' && (
            <p class="empty-transcript">
              {readOnly ? l10n.t('Nothing was said.') : l10n.t('Nothing was said yet. Write what you want done below.')}
            </p>
          )}
        </div>
      </div>
      {offersJump && (
        <div class="jump">
          <vscode-button secondary icon="arrow-down" onClick={jumpToLatest}>
            {l10n.t('Jump to latest')}
          </vscode-button>
        </div>
      )}
    </div>
  );
}

/** Older turns that were requested. */
interface AskedTurns {
  cursor: string;
  /** Why they do not come. Empty while they may. */
  problem: string;
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: Element): boolean {
  return scrollHeight - scrollTop - clientHeight < AT_END;
}

/** True for a while longer, so that a click that was meant for what goes does not reach the card below it. */
function useLingering(isWanted: boolean): boolean {
  const [lingers, setLingers] = useState(isWanted);
  useEffect(() => {
    if (isWanted) setLingers(true);
    const timer = isWanted ? undefined : setTimeout(() => setLingers(false), GUARD_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
  return isWanted || lingers;
}

/** Turns that the host has and has not sent. */
function OlderTurns({ asked, onAsk }: { asked: AskedTurns | undefined; onAsk(): void }) {
  const isLoading = asked?.problem === '';
  return (
    <p class="show-earlier">
      <button type="button" class="link-button" aria-disabled={isLoading} onClick={onAsk}>
        {isLoading ? l10n.t('Loading older turns…') : l10n.t('Load older turns')}
      </button>
      {asked && !isLoading && (
        <span class="problem" role="alert">
          {' '}
          {l10n.t`They could not be loaded: ${asked.problem}`}
        </span>
      )}
    </p>
  );
}
