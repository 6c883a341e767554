/** What all cards that wait for the user have: what is asked at the top, and that nothing is agreed to that was not in view. */
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StringOrMarkdown } from '../../../ahp/v1/common.ts';
import { inlineText, shortened } from '../../../views/session/inlineText.ts';
import { Icon } from '../parts/Icon.tsx';
import { InlineText } from '../parts/InlineText.tsx';
import { Judged } from '../page/judged.ts';
import { SeenParts } from '../page/seenParts.ts';
import { useSession } from '../page/sessionContext.tsx';
import { useFocusReturn } from '../page/useFocusReturn.ts';

/** Characters of a title that stay at the top while one scrolls. */
const MAX_TITLE = 120;

interface WaitingCardProps {
  id: string;
  icon: 'warning' | 'question';
  title: StringOrMarkdown;
  /** What the answer keys and commands do; absent where there is no one-word answer. */
  answers?: { approve(): void; deny(): void };
  /** The user writes a denial: only its own buttons answer. */
  isDenying?: boolean;
  children: (agreement: Agreement) => ComponentChildren;
}

/** Whether the user may agree to what the card says. */
export interface Agreement {
  /** Attributes of a button that agrees. */
  button: { 'aria-disabled'?: 'true'; 'aria-describedby'?: string };
  /** Calls `act` when all of the card has been in view, and says why not otherwise. */
  to(act: () => void): void;
}

export function WaitingCard({ id, icon, title, answers, isDenying = false, children }: WaitingCardProps) {
  const { cards, readOnly } = useSession();
  const card = useRef<HTMLElement>(null);
  useFocusReturn(card);
  const { isSeen, look } = useSeen(card);
  const [refused, setRefused] = useState<'unseen' | 'denying'>();
  useLayoutEffect(() => setRefused(undefined), [isSeen, isDenying]);

  const to = (act: () => void) => {
    if (look()) act();
    else setRefused('unseen');
  };
  // Commands come late: they must find what is there then.
  const latest = useRef({ answers, isDenying, to });
  latest.current = { answers, isDenying, to };
  const canAnswer = answers !== undefined;
  useEffect(() => {
    const element = card.current;
    if (!element || readOnly) return undefined;
    if (!canAnswer) return cards.add({ element });
    const unlessDenying = (act: () => void) => (latest.current.isDenying ? setRefused('denying') : act());
    return cards.add({
      element,
      approve: () => unlessDenying(() => latest.current.to(() => latest.current.answers?.approve())),
      deny: () => unlessDenying(() => latest.current.answers?.deny()),
    });
  }, [cards, readOnly, canAnswer]);

  const segments = inlineText(title);
  const head = shortened(segments, MAX_TITLE);
  return (
    <section ref={card} class="card waiting-card" tabIndex={-1} aria-labelledby={id}>
      <div class="card-head">
        <h3 id={id} class="card-title">
          <Icon name={icon} />
          <span>
            <InlineText segments={head} />
          </span>
        </h3>
        {refused === 'unseen' && (
          <p class="problem" role="alert">
            Nothing was sent yet: not all of this has been in view. Press “Show all” where it is cut, open what is folded, and scroll to its
            end.
          </p>
        )}
        {refused === 'denying' && (
          <p class="problem" role="alert">
            Nothing was sent: you are writing why you deny this. Press “Deny” there, or “Back”.
          </p>
        )}
      </div>
      {head !== segments && (
        <p class="card-text" data-judged>
          <InlineText segments={segments} />
        </p>
      )}
      <Judged.Provider value={true}>
        {children({ button: isSeen ? {} : { 'aria-disabled': 'true', 'aria-describedby': `${id}-hint` }, to })}
      </Judged.Provider>
      {canAnswer && !isSeen && !readOnly && (
        <p id={`${id}-hint`} class="hint">
          You can agree once all of this has been in view.
        </p>
      )}
    </section>
  );
}

/** `look` finds out now; `isSeen` follows what scrolls, comes and goes. */
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
    document.addEventListener('scroll', look, { capture: true, passive: true });
    document.addEventListener('visibilitychange', look);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', look, { capture: true });
      document.removeEventListener('visibilitychange', look);
    };
  }, [card, look]);
  return { isSeen, look };
}
