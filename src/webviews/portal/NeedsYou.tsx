/** What waits for the user: a list of all, and the cards that answer it, in the list or where its session is shown. */
import { Fragment } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SessionSummary } from '../../views/portal/sessionData.ts';
import { sessionOf, type WaitingItem } from '../../views/portal/attentionData.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { relativeTime } from '../../views/text/relativeTime.ts';
import { InboxAnnouncer } from '../inbox/InboxAnnouncer.tsx';
import { VisibleText } from '../session/text/VisibleText.tsx';
import { CardButtons } from '../session/waiting/CardButtons.tsx';
import { ItemCard, Path } from './ItemCard.tsx';
import type { Answers } from './useAnswers.ts';
import type { Attention } from './useAttention.ts';

const HEADING_ID = 'needs-you';

interface PlaceProps {
  sessions: readonly SessionSummary[];
  answers: Answers;
  /** Id of the item whose card is in the list. All others have theirs where their session is shown. */
  open: string | undefined;
}

interface NeedsYouProps extends PlaceProps {
  attention: Attention;
  now: number;
  onOpen(id: string | undefined): void;
}

export function NeedsYou({ attention: { list, problem }, now, sessions, answers, open, onOpen }: NeedsYouProps) {
  const items = list?.items ?? [];
  const wanted = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (open !== undefined && open === wanted.current) focusCard(open);
    wanted.current = undefined;
  }, [open]);
  const choose = (id: string) => {
    if (id === open) return onOpen(undefined);
    if (focusCard(id)) return undefined;
    wanted.current = id;
    return onOpen(id);
  };
  const strays = [...answers.refusals].filter(([id]) => !items.some((item) => item.id === id));
  return (
    <section aria-labelledby={HEADING_ID} class="needs-you">
      <h2 id={HEADING_ID} tabIndex={-1}>
        Needs you{items.length > 0 && ` (${items.length}${list?.isComplete ? '' : '+'})`}
      </h2>
      <div role="alert">
        {problem !== undefined && <p class="problem">{problem} What waits may be out of date.</p>}
        {strays.map(([id, { title, text }]) => (
          <Note key={id} text={`Your answer in “${oneLine(title)}”: ${text}`} onDismiss={() => answers.dismiss(id)} />
        ))}
      </div>
      {items.length === 0 && <p class="hint">{list?.isComplete ? 'Nothing needs you right now.' : 'Looking for what needs you…'}</p>}
      <ul class="runs">
        {items.map((item) => (
          <li key={item.id}>
            {item.kind === 'unknown' ? (
              // When it is known what waits, that is another item.
              <p class="step-head">
                <Summary {...{ item, now }} /> <span class="hint">It is not known yet what it is. Tapline may know it.</span>
              </p>
            ) : (
              <button type="button" class="step-head" data-row={item.id} aria-expanded={item.id === open} onClick={() => choose(item.id)}>
                <Summary {...{ item, now }} />
              </button>
            )}
            {item.id === open && <AnswerCard {...{ item, sessions, answers }} />}
          </li>
        ))}
      </ul>
      <InboxAnnouncer
        items={list && items.map(({ id, title, what, kind }) => ({ id, title, what, isLoading: kind === 'unknown' || undefined }))}
        answered={answers.answered}
      />
    </section>
  );
}

function Summary({ item: { title, what, since }, now }: { item: WaitingItem; now: number }) {
  return (
    <>
      <span class="name">{oneLine(title) || 'Session without a title'}</span> <span>{oneLine(what)}</span>{' '}
      <span class="hint">· {relativeTime(since, now)}</span>
    </>
  );
}

/** The cards of what waits in a session, in its place. */
export function WaitingHere({ items, open, ...place }: PlaceProps & { items: readonly WaitingItem[] }) {
  return (
    <>
      {items.map((item) =>
        item.id === open ? (
          <p key={item.id} class="row">
            <span>“{oneLine(item.what)}” waits for you.</span>
            <button type="button" onClick={() => focusCard(item.id)}>
              Go to it
            </button>
          </p>
        ) : (
          <AnswerCard key={item.id} item={item} {...place} />
        ),
      )}
    </>
  );
}

function AnswerCard({ item, sessions, answers }: { item: WaitingItem } & Omit<PlaceProps, 'open'>) {
  const place = useRef<HTMLDivElement>(null);
  const whereId = useId();
  // The user judges one revision. Another one is shown only on request, so that no click that was meant for the first answers it.
  const [shown, show] = useState(item.revision);
  const isShown = item.revision === shown;
  // The focus stays in this place when one is drawn for the other.
  const drawn = `${isShown} ${item.revision}`;
  const before = useRef({ drawn, hadFocus: false });
  if (before.current.drawn !== drawn) before.current = { drawn, hadFocus: place.current?.contains(document.activeElement) === true };
  useLayoutEffect(() => {
    if (before.current.hadFocus) focusIn(place.current);
  }, [drawn]);
  const refusal = answers.refusals.get(item.id);
  return (
    <div ref={place} class="item" data-item={item.id}>
      {refusal && <Note text={refusal.text} onDismiss={() => answers.dismiss(item.id)} />}
      {isShown ? (
        <ItemCard
          key={item.revision}
          {...{ item, answers }}
          top={<Where id={whereId} item={item} session={sessionOf(item, sessions)} />}
          whereIds={whereId}
          focusAfter={() => place.current?.querySelector<HTMLElement>('section') ?? nextPlace()}
        />
      ) : (
        <section class="card" tabIndex={-1} aria-label={oneLine(item.what)}>
          <p role="alert">This has changed since it was shown to you, and has not been answered.</p>
          <CardButtons>
            <vscode-button onClick={() => show(item.revision)}>Show it as it is now</vscode-button>
          </CardButtons>
        </section>
      )}
    </div>
  );
}

/** Of what it is a part, and where it happens. */
function Where({ id, item: { title, host, folder }, session }: { id: string; item: WaitingItem; session: SessionSummary | undefined }) {
  const { jobName, taskName } = session?.use ?? {};
  const facts = [
    ['Session', title],
    ['Job', jobName],
    ['Task', taskName],
    ['Agent host', host],
  ] as const;
  return (
    <dl id={id} class="job-facts">
      {facts.map(
        ([name, text]) =>
          text !== undefined && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd data-judged>
                <VisibleText text={text} prose />
              </dd>
            </Fragment>
          ),
      )}
      {folder !== undefined && (
        <>
          <dt>Folder</dt>
          <dd data-judged>
            <Path uri={folder} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Note({ text, onDismiss }: { text: string; onDismiss(): void }) {
  return (
    <p class="problem row" role="alert">
      <span>{text}</span>
      <button type="button" onClick={onDismiss}>
        Dismiss
      </button>
    </p>
  );
}

/** False when it has no card on the page. */
function focusCard(id: string): boolean {
  return focusIn(document.querySelector(`[data-item="${CSS.escape(id)}"]`));
}

function focusIn(place: Element | null): boolean {
  const card = place?.querySelector<HTMLElement>('section');
  const { top = 0, bottom = 0 } = card?.getBoundingClientRect() ?? {};
  if (top < 0 || bottom > window.innerHeight) card?.scrollIntoView({ block: 'start' });
  card?.focus({ preventScroll: true });
  return card != null;
}

/** Where the focus goes when its card has gone: to what waits next, which one more key opens. */
function nextPlace(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-row]') ?? document.getElementById(HEADING_ID);
}
