/** The turns from old to new. It follows the end while the user is there, and never moves under their eyes elsewhere. */
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import type { SessionInputRequest } from '../../ahp/v1/inputRequest.ts';
import type { RootState } from '../../ahp/v1/root.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import { turnViews } from '../../views/session/transcript.ts';
import { turnRemedies } from '../../views/session/turnRemedies.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import type { PendingAction, RejectedMessage } from './protocol.ts';
import { QuestionCard } from './QuestionCard.tsx';
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
  readOnly: boolean;
  handle: Ref<TranscriptHandle>;
}

export function Transcript({ session, root, pending, rejections, readOnly, handle }: TranscriptProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const lastTop = useRef(0);
  const [away, setAway] = useState(false);
  const [pages, setPages] = useState(1);

  const turns = turnViews(session);
  const shown = turns.slice(-PAGE * pages);
  const hidden = turns.length - shown.length;
  const starting = useMemo(() => startingTurns(pending), [pending]);
  const inPlace = useMemo(() => rejections.filter(({ action }) => 'toolCallId' in action || 'requestId' in action), [rejections]);
  const requests: readonly SessionInputRequest[] = session.inputRequests ?? none;
  const remedies = useMemo(() => (readOnly ? none : turnRemedies(session, root)), [readOnly, session, root]);
  const activeId = session.activeTurn?.id;
  const lastId = turns.at(-1)?.id;

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
                delivery={starting.has(turn.id) ? 'sending' : 'sent'}
                requests={turn.id === activeId ? requests : none}
                remedies={turn.id === lastId ? remedies : none}
                rejections={turn.id === activeId ? inPlace : none}
              />
            </ErrorBoundary>
          ))}
          {activeId === undefined && requests.map((request) => <QuestionCard key={request.id} request={request} />)}
          {turns.length === 0 && requests.length === 0 && session.lifecycle !== 'creationFailed' && (
            <p class="empty-transcript">Nothing was said yet. Write what you want done below.</p>
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

/** Turns whose start the host has not settled. */
function startingTurns(pending: readonly PendingAction[]): Set<string> {
  const ids = pending.flatMap(({ action, outcome }) =>
    action.type === 'session/turnStarted' && outcome === undefined ? [action.turnId] : [],
  );
  return new Set(ids);
}
