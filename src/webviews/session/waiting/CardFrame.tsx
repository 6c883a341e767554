/** The frame of all waiting cards, in any page: the title at the top, and the check that everything was in view before the user approves. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StringOrMarkdown, URI } from '../../../ahp/common/shapes.ts';
import { inlineText, shortened } from '../../../views/text/inlineText.ts';
import type { CardKind } from '../../../views/session/waiting/outOfSight.ts';
import { Icon } from '../parts/Icon.tsx';
import { InlineText } from '../text/InlineText.tsx';
import { isTyping } from '../answering/accidentalInput.ts';
import { Judged } from '../answering/judged.ts';
import { SeenParts } from '../answering/seenParts.ts';
import type { WaitingCards } from '../answering/waitingCards.ts';
import { useFocusReturn } from '../answering/useFocusReturn.ts';

/** How many characters of a title stay at the top while the user scrolls. */
const MAX_TITLE = 120;

export interface CardFrameProps {
  kind: CardKind;
  /** Of what waits, unique in its chat. */
  name: string;
  /** The chat in which it waits. Absent for what waits in none. */
  chat?: URI;
  icon: 'warning' | 'question' | 'key';
  title: StringOrMarkdown;
  /** What no host says. Above everything that the host says, except the title. */
  top?: ComponentChildren;
  /** What the answer keys and commands do. Absent for a form of questions. */
  answers?: { approve(): void; deny(): void };
  /** The user is writing a reason for denying, so only the buttons of that form answer. */
  isDenying?: boolean;
  /** Those of the page, for answer keys and commands. Absent where there are none. */
  cards?: WaitingCards;
  readOnly?: boolean;
  /** Ids of the elements that say where the card belongs, in a page with cards of several sessions. */
  whereIds?: string;
  /** What gets the focus that the card had, where it came from has gone too. Absent: the composer. */
  focusAfter?(): HTMLElement | null;
  children: (agreement: Agreement) => ComponentChildren;
}

/** Whether the user can approve what the card shows. */
export interface Agreement {
  /** Attributes of a button that approves. */
  button: { 'aria-disabled'?: 'true'; 'aria-describedby'?: string };
  /** Calls `act` if all of the card has been in view, and otherwise shows why not. */
  to(act: () => void): void;
}

export function CardFrame(props: CardFrameProps) {
  const { kind, name, chat, icon, title, top, answers, isDenying = false, cards, readOnly = false, whereIds, focusAfter, children } = props;
  // Those of the host may be used in several sessions of the page.
  const id = useId();
  const card = useRef<HTMLElement>(null);
  useFocusReturn(card, focusAfter);
  const { isSeen, look } = useSeen(card);
  const [refused, setRefused] = useState<'unseen' | 'denying' | 'approve' | 'deny'>();
  const noLonger = (reason: typeof refused) => setRefused((now) => (now === reason ? undefined : now));
  useLayoutEffect(() => noLonger('unseen'), [isSeen]);
  useLayoutEffect(() => noLonger('denying'), [isDenying]);

  const to = (act: () => void) => {
    const isWhole = look();
    setRefused(isWhole ? undefined : 'unseen');
    if (isWhole) act();
  };
  // A command may come later and must see the current values.
  const latest = useRef({ answers, isDenying, to });
  latest.current = { answers, isDenying, to };
  const canAnswer = answers !== undefined;
  // As soon as the card is in the page, for a message that comes with it and puts the focus there.
  useLayoutEffect(() => {
    const element = card.current;
    if (!element || readOnly || !cards) return undefined;
    if (!canAnswer) return cards.add({ element, kind, unanswered: setRefused });
    const unlessDenying = (act: () => void) => (latest.current.isDenying ? setRefused('denying') : act());
    return cards.add({
      element,
      kind,
      approve: () => unlessDenying(() => latest.current.to(() => latest.current.answers?.approve())),
      deny: () => unlessDenying(() => latest.current.answers?.deny()),
      unanswered: setRefused,
    });
  }, [cards, readOnly, canAnswer, kind]);

  const segments = inlineText(title);
  const head = shortened(segments, MAX_TITLE);
  return (
    <section
      ref={card}
      class="card waiting-card"
      data-card={name}
      data-chat={chat}
      tabIndex={-1}
      aria-labelledby={whereIds === undefined ? id : `${whereIds} ${id}`}
      onKeyDown={(event) => {
        // In the page it stops the turn, and with it goes what is typed here.
        if (event.key !== 'Escape' || !isTyping()) return;
        event.stopPropagation();
        if (!event.isComposing) card.current?.focus({ preventScroll: true });
      }}
    >
      <div class="card-head">
        <h3 id={id} class="card-title">
          <Icon name={icon} />
          <span>
            <InlineText segments={head} />
          </span>
        </h3>
        {refused === 'unseen' && (
          <p class="problem" role="alert">
            Nothing was sent, because not all of this has been in view. Press “Show all” where it is cut, open what is folded or too large
            to be shown here, and scroll to its end.
          </p>
        )}
        {(refused === 'approve' || refused === 'deny') && (
          <p class="problem" role="alert">
            Nothing was {refused === 'approve' ? 'approved' : 'denied'}.{' '}
            {canAnswer ? `See this first, then ${refused} it.` : 'This is what waits.'}
          </p>
        )}
        {refused === 'denying' && (
          <p class="problem" role="alert">
            Nothing was sent, because you are writing why you deny this. Press “Deny” there, or “Back”.
          </p>
        )}
      </div>
      {top}
      {head !== segments && (
        <p class="card-text" data-judged>
          <InlineText segments={segments} />
        </p>
      )}
      <Judged.Provider value={true}>
        {children({ button: isSeen ? {} : { 'aria-disabled': 'true', 'aria-describedby': `${id}-hint` }, to })}
      </Judged.Provider>
      {(kind === 'call' || kind === 'result') && !isSeen && !readOnly && (
        <p id={`${id}-hint`} class="hint">
          You can agree once all of this has been in view.
        </p>
      )}
    </section>
  );
}

/** `look` checks now. `isSeen` is updated when the page scrolls or changes. */
function useSeen(card: { current: HTMLElement | null }): { isSeen: boolean; look(): boolean } {
  const [isSeen, setSeen] = useState(false);
  const parts = useRef<SeenParts>(undefined);
  const look = useCallback(() => {
    if (!card.current) return false;
    parts.current ??= new SeenParts(card.current);
    const whole = parts.current.look();
    setSeen(whole);
    return whole;
  }, [card]);
  useLayoutEffect(() => void look());
  useEffect(() => {
    const element = card.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    observer.observe(document.documentElement);
    // Something is no longer cut, and no part has another size.
    const cuts = new MutationObserver(look);
    cuts.observe(element, { subtree: true, attributeFilter: ['data-cut'] });
    document.addEventListener('scroll', look, { capture: true, passive: true });
    document.addEventListener('visibilitychange', look);
    return () => {
      observer.disconnect();
      cuts.disconnect();
      document.removeEventListener('scroll', look, { capture: true });
      document.removeEventListener('visibilitychange', look);
    };
  }, [card, look]);
  return { isSeen, look };
}
