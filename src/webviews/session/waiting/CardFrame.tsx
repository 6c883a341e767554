/** The frame of all waiting cards, in any page: the title at the top, and the check that everything was in view before the user approves. */
import * as l10n from '../../../base/l10n.ts';
import { type ComponentChildren, createContext } from 'preact';
import { useCallback, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StringOrMarkdown, URI } from '../../../ahp/common/shapes.ts';
import { inlineText, shortened } from '../../../views/text/inlineText.ts';
import type { CardKind } from '../../../views/session/waiting/outOfSight.ts';
import { Icon } from '../parts/Icon.tsx';
import { CardButtons } from './CardButtons.tsx';
import { InlineText } from '../text/InlineText.tsx';
import { isTyping } from '../answering/accidentalInput.ts';
import { Judged } from '../answering/judged.ts';
import { SeenParts } from '../answering/seenParts.ts';
import { GUARD_MS } from '../answering/useSteady.ts';
import type { WaitingCards } from '../answering/waitingCards.ts';
import { useFocusReturn } from '../answering/useFocusReturn.ts';

/** How many characters of a title stay at the top while the user scrolls. */
const MAX_TITLE = 120;

/** What a command has not done. */
const notAnswered = {
  approve: l10n.t('Nothing was approved. See this first, then approve it.'),
  deny: l10n.t('Nothing was denied. See this first, then deny it.'),
};
/** In a form of questions. */
const onlyShown = {
  approve: l10n.t('Nothing was approved. This is what waits.'),
  deny: l10n.t('Nothing was denied. This is what waits.'),
};

export interface CardFrameProps {
  kind: CardKind;
  /** Of what waits, unique in its chat. */
  name: string;
  /** The turn of a call. */
  turn?: string;
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
  /** What the user decides by. */
  children: (agreement: Agreement) => ComponentChildren;
  /** What answers it, where that is not a form among the children. */
  foot?(agreement: Agreement): ComponentChildren;
}

/** In a list of things that wait, of each card only the beginning is shown, until the user asks for all of it or has to see it. */
export const CompactCards = createContext(false);

/** Whether the user can approve what the card shows. */
export interface Agreement {
  /** Attributes of a button that approves. */
  button: { 'aria-disabled'?: 'true'; 'aria-describedby'?: string };
  /** Calls `act` if all of the card has been in view, and otherwise shows why not. */
  to(act: () => void): void;
}

export function CardFrame(props: CardFrameProps) {
  const {
    kind,
    name,
    chat,
    turn,
    icon,
    title,
    top,
    answers,
    isDenying = false,
    cards,
    readOnly = false,
    whereIds,
    focusAfter,
    children,
    foot,
  } = props;
  // Those of the host may be used in several sessions of the page.
  const id = useId();
  const card = useRef<HTMLElement>(null);
  useFocusReturn(card, cards, focusAfter);
  const compact = useContext(CompactCards);
  const [isUnfolded, setUnfolded] = useState(false);
  const isFolded = compact && !isUnfolded;
  const { isSeen, isCut, look, showUnseen } = useSeen(card);
  const [refused, setRefused] = useState<'unseen' | 'early' | 'denying' | 'approve' | 'deny'>();
  const noLonger = (reason: typeof refused) => setRefused((now) => (now === reason ? undefined : now));
  useLayoutEffect(() => noLonger('unseen'), [isSeen]);
  // Its cause is over before the text would be read, and would move the card. Only a screen reader is told.
  useEffect(() => {
    if (refused !== 'early') return undefined;
    const timer = setTimeout(() => noLonger('early'), GUARD_MS);
    return () => clearTimeout(timer);
  }, [refused]);
  useLayoutEffect(() => noLonger('denying'), [isDenying]);

  const to = (act: () => void, forMoment = false) => {
    const seen = look(forMoment);
    setRefused(seen === 'whole' ? undefined : seen);
    if (seen === 'whole') act();
    else if (seen === 'early') return;
    else if (isFolded) setUnfolded(true);
    // The refusal is in the card with the next rendering, and takes room of its own.
    else requestAnimationFrame(showUnseen);
  };
  const unfold = () => {
    setUnfolded(true);
    // Its first field is there with the next rendering.
    requestAnimationFrame(() => card.current?.querySelector<HTMLElement>('.card-body :is(input, textarea, vscode-button)')?.focus());
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
      approve: (forMoment) => unlessDenying(() => latest.current.to(() => latest.current.answers?.approve(), forMoment)),
      deny: () => unlessDenying(() => latest.current.answers?.deny()),
      unanswered: setRefused,
    });
  }, [cards, readOnly, canAnswer, kind]);

  const segments = inlineText(title);
  const head = shortened(segments, MAX_TITLE);
  const agreement: Agreement = { button: isSeen ? {} : { 'aria-disabled': 'true', 'aria-describedby': `${id}-hint` }, to };
  return (
    <section
      ref={card}
      class={`card waiting-card${isFolded ? ' card-folded' : ''}`}
      data-kind={kind}
      data-card={name}
      data-chat={chat}
      data-turn={turn}
      tabIndex={-1}
      aria-labelledby={whereIds === undefined ? id : `${whereIds} ${id}`}
      onKeyDown={(event) => {
        // What is typed stays, and the answer keys are for the card again.
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
          {compact && (isCut || isUnfolded) && (
            <button
              type="button"
              class="icon-button"
              aria-expanded={isUnfolded}
              aria-label={isUnfolded ? l10n.t('Show less') : l10n.t('Show all')}
              title={isUnfolded ? l10n.t('Show less') : l10n.t('Show all')}
              onClick={() => setUnfolded(!isUnfolded)}
            >
              <span class={`codicon codicon-${isUnfolded ? 'chevron-up' : 'chevron-down'}`} aria-hidden="true" />
            </button>
          )}
        </h3>
        {refused === 'early' && (
          <p class="visually-hidden" role="alert">
            {l10n.t('Nothing was sent yet, because this has only just come into view. Answer again.')}
          </p>
        )}
        {refused === 'unseen' && (
          <p class="problem" role="alert">
            {l10n.t(
              'Nothing was sent, because not all of this has been in view. Look at the rest, and open what is too large to be shown here. Then answer again.',
            )}
          </p>
        )}
        {(refused === 'approve' || refused === 'deny') && (
          <p class="problem" role="alert">
            {(canAnswer ? notAnswered : onlyShown)[refused]}
          </p>
        )}
        {refused === 'denying' && (
          <p class="problem" role="alert">
            {l10n.t('Nothing was sent, because you are writing why you deny this. Press “Deny” there, or “Back”.')}
          </p>
        )}
      </div>
      {/* The buttons stick to its end, and so never cover the title. */}
      <div class="card-main">
        <div class="card-body">
          {top}
          {head !== segments && (
            <p class="card-text" data-judged>
              <InlineText segments={segments} />
            </p>
          )}
          <Judged.Provider value={true}>{children(agreement)}</Judged.Provider>
        </div>
        {foot?.(agreement)}
        {isFolded && kind === 'question' && (
          <CardButtons>
            <vscode-button data-opens onClick={unfold}>
              {l10n.t('Answer')}
            </vscode-button>
          </CardButtons>
        )}
      </div>
      {(kind === 'call' || kind === 'result') && !isSeen && !readOnly && (
        <p id={`${id}-hint`} class="visually-hidden">
          {l10n.t('You can agree once all of this has been in view.')}
        </p>
      )}
    </section>
  );
}

interface Seen {
  /** All of it has been in view. Follows the page as it scrolls and changes. */
  isSeen: boolean;
  /** The body is folded and has more than is shown of it. */
  isCut: boolean;
  /** Checks now. `forMoment`: all of it must have been in view for a moment, and is `early` before that. */
  look(forMoment?: boolean): 'whole' | 'early' | 'unseen';
  /** Brings some of what has not been in view into view. */
  showUnseen(): void;
}

function useSeen(card: { current: HTMLElement | null }): Seen {
  const [isSeen, setSeen] = useState(false);
  const [isCut, setCut] = useState(false);
  const parts = useRef<SeenParts>(undefined);
  /** `since`: when all of it had been in view. `isLate`: that was not so from the start, and the rest has to be there for as long as a click has. */
  const whole = useRef<{ since: number | undefined; isLate: boolean }>({ since: undefined, isLate: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const look = useCallback(
    (forMoment: boolean = false) => {
      if (!card.current) return 'unseen';
      parts.current ??= new SeenParts(card.current);
      const now = performance.now();
      const { since = now, isLate } = whole.current;
      const isWhole = parts.current.look();
      const body = card.current.querySelector<HTMLElement>('.card-body');
      // Until a form is opened there is nothing to look at.
      if (body?.offsetParent) whole.current = isWhole ? { since, isLate } : { since: undefined, isLate: true };
      const left = since + GUARD_MS - now;
      const isReady = isWhole && (!isLate || left <= 0);
      clearTimeout(timer.current);
      if (isWhole && !isReady) timer.current = setTimeout(look, left);
      setSeen(isReady);
      setCut(body !== null && body.scrollHeight > body.clientHeight + 1);
      if (!isWhole) return 'unseen';
      return isReady && (!forMoment || left <= 0) ? 'whole' : 'early';
    },
    [card],
  );
  const showUnseen = useCallback(() => parts.current?.show(), []);
  useLayoutEffect(() => void look());
  useEffect(() => {
    const element = card.current;
    if (!element) return undefined;
    const note = () => void look();
    const observer = new ResizeObserver(note);
    observer.observe(element);
    observer.observe(document.documentElement);
    // Something is no longer cut, and no part has another size.
    const cuts = new MutationObserver(note);
    cuts.observe(element, { subtree: true, attributeFilter: ['data-cut'] });
    document.addEventListener('scroll', note, { capture: true, passive: true });
    document.addEventListener('visibilitychange', note);
    return () => {
      clearTimeout(timer.current);
      observer.disconnect();
      cuts.disconnect();
      document.removeEventListener('scroll', note, { capture: true });
      document.removeEventListener('visibilitychange', note);
    };
  }, [card, look]);
  return { isSeen, isCut, look, showUnseen };
}
