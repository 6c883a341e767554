/** The turns from old to new. It follows the end while the user is there, and never moves under their eyes elsewhere. */
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import type { SessionInputRequest } from '../../../ahp/v1/inputRequest.ts';
import type { RootState } from '../../../ahp/v1/root.ts';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { turnDeliveries } from '../../../views/session/deliveries.ts';
import { turnViews } from '../../../views/session/transcript.ts';
import type { TurnFate } from '../../../views/session/turnOverAbsence.ts';
import { turnRemedies } from '../../../views/session/turnRemedies.ts';
import { ErrorBoundary } from '../parts/ErrorBoundary.tsx';
import type { PendingAction, RejectedMessage } from '../protocol.ts';
import { questionKey } from '../../../views/session/waiting.ts';
import { QuestionCard } from '../waiting/QuestionCard.tsx';
import { useSession } from '../page/sessionContext.tsx';
import { TurnRow } from './TurnRow.tsx';

/** Turns that are drawn at first, and more at each "Show earlier". */
const PAGE = 50;
/** Nearer to the end than this counts as at the end. Pixels. */
const AT_END = 24;
/** Above a card that waits. Pixels. */
const CARD_MARGIN = 4;

const none: readonly never[] = [];

export interface TranscriptHandle {
  jumpToLatest(): void;
}

interface TranscriptProps {
  session: SessionState;
  root: RootState | undefined;
  pending: readonly PendingAction[];
  rejections: readonly RejectedMessage[];
  fate: TurnFate | undefined;
  readOnly: boolean;
  handle: Ref<TranscriptHandle>;
}

export function Transcript({ session, root, pending, rejections, fate, readOnly, handle }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);
  const [pages, setPages] = useState(1);

  const turns = turnViews(session);
  const shown = turns.slice(-PAGE * pages);
  const hidden = turns.length - shown.length;
  const { away: hostAway } = useSession();
  const deliveries = useMemo(() => turnDeliveries(pending, hostAway), [pending, hostAway]);
  const inPlace = useMemo(() => rejections.filter(({ action }) => 'toolCallId' in action || 'requestId' in action), [rejections]);
  const requests: readonly SessionInputRequest[] = session.inputRequests ?? none;
  const remedies = useMemo(() => (readOnly ? none : turnRemedies(session, root)), [readOnly, session, root]);
  const activeId = session.activeTurn?.id;
  const lastId = turns.at(-1)?.id;
  // Until the session goes on.
  const goneAfter = useRef<{ fate: TurnFate; lastId: string | undefined }>(undefined);
  if (fate && goneAfter.current?.fate !== fate) goneAfter.current = { fate, lastId };
  const isGone = fate?.fate === 'gone' && goneAfter.current?.lastId === lastId;
  const lastPastId = session.turns.at(-1)?.id;

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return undefined;
    const follow = () => {
      if (!following.current) return;
      const waiting = inner.querySelector('.waiting-card');
      // A card that waits is read from its beginning, and stays where the user reads it.
      const top = waiting
        ? box.scrollTop + waiting.getBoundingClientRect().top - box.getBoundingClientRect().top - CARD_MARGIN
        : box.scrollHeight;
      box.scrollTop = Math.max(box.scrollTop, top);
    };
    const observer = new ResizeObserver(follow);
    observer.observe(inner);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);

  const onScroll = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END;
    // Only going up is leaving: content that grows between a scroll and its event is not.
    if (atEnd) following.current = true;
    else if (box.scrollTop < lastTop.current) following.current = false;
    lastTop.current = box.scrollTop;
    setAway(!following.current);
  }, []);

  const jumpToLatest = useCallback(() => {
    following.current = true;
    setAway(false);
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, []);
  useImperativeHandle(handle, () => ({ jumpToLatest }), [jumpToLatest]);

  // "Show earlier" puts turns above: what was the first stays where it was.
  const anchor = useRef<{ element: Element; top: number }>(undefined);
  const showEarlier = () => {
    const element = content.current?.querySelector('.turn');
    if (element) anchor.current = { element, top: element.getBoundingClientRect().top };
    following.current = false;
    setPages(pages + 1);
  };
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!anchor.current || !box) return;
    box.scrollTop += anchor.current.element.getBoundingClientRect().top - anchor.current.top;
    anchor.current = undefined;
  }, [pages]);

  return (
    <div class="transcript-frame">
      <div ref={scroller} class="transcript" role="region" aria-label="Transcript" tabIndex={0} onScroll={onScroll}>
        <div ref={content} class="transcript-content">
          {hidden > 0 && (
            <button type="button" class="link-button show-earlier" onClick={showEarlier}>
              Show earlier ({hidden})
            </button>
          )}
          {shown.map((turn) => (
            <ErrorBoundary key={turn.id} what="turn" of={turn}>
              <TurnRow
                turn={turn}
                stoppedAway={fate?.fate === 'stopped' && fate.turnId === turn.id}
                deliveries={deliveries.get(turn.id)}
                requests={turn.id === activeId ? requests : none}
                remedies={turn.id === lastId ? remedies : none}
                rejections={turn.id === activeId || turn.id === lastPastId ? inPlace : none}
              />
            </ErrorBoundary>
          ))}
          {activeId === undefined && requests.map((request) => <QuestionCard key={questionKey(request)} request={request} />)}
          {isGone && <p class="turn-end">The turn that was running when the connection was lost is not in the session any more.</p>}
          {turns.length === 0 && !isGone && requests.length === 0 && session.lifecycle !== 'creationFailed' && (
            <p class="empty-transcript">{readOnly ? 'Nothing was said.' : 'Nothing was said yet. Write what you want done below.'}</p>
          )}
        </div>
      </div>
      {away && (
        <div class="jump">
          <vscode-button secondary icon="arrow-down" onClick={jumpToLatest}>
            Jump to latest
          </vscode-button>
        </div>
      )}
    </div>
  );
}
