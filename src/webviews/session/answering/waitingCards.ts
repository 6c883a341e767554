/** The waiting cards of the page. Commands and keys answer the focused card only. A command without one brings the first card into view. */
import type { CardKind } from '../../../views/session/waiting/outOfSight.ts';
import type { CardPlace } from '../../../views/session/waiting/waiting.ts';
import { isTyping, keyIsHeld } from './accidentalInput.ts';
import { GUARD_MS } from './useSteady.ts';

export interface WaitingCard {
  element: HTMLElement;
  kind: CardKind;
  /** Absent for a form of questions. `forMoment`: all of it must have been in view for a moment, because a key may be meant for what was there before. */
  approve?: (forMoment: boolean) => void;
  deny?: () => void;
  /** Says that the command has answered nothing. `early`: the key may have been meant for what had the focus before. */
  unanswered?: (how: 'approve' | 'deny' | 'early') => void;
}

const MODIFIERS: readonly string[] = ['Control', 'Meta', 'Alt', 'Shift'];

export class WaitingCards {
  readonly #cards = new Set<WaitingCard>();
  /** What got the focus last. VS Code takes it away while the palette is open. */
  #lastFocused: Node | undefined;

  /** The turn of the call that the user has just answered on its card, which had the focus. Its next call gets the focus. */
  #answeredIn: string | undefined;
  /** The card that got the focus by itself after an answer. `at`: in ms, by `performance.now()`. */
  #cameTo: { element: HTMLElement; at: number } | undefined;

  constructor() {
    // Where the page is only drawn, nothing gets the focus.
    if (typeof document === 'undefined') return;
    document.addEventListener('focusin', ({ target }) => (this.#lastFocused = target instanceof Node ? target : undefined));
    // From then on the user is doing something else. They may hold the modifier for the next answer.
    const forget = () => (this.#answeredIn = undefined);
    document.addEventListener('keydown', ({ key }) => !MODIFIERS.includes(key) && forget(), true);
    document.addEventListener('pointerdown', forget, true);
  }
  readonly #listeners = new Set<() => void>();

  /** Returns a function that removes the card. */
  add(card: WaitingCard): () => void {
    this.#cards.add(card);
    this.#changed();
    // A field keeps the focus. The composer has a key of its own.
    if (!isTyping()) this.focusAfterAnswer();
    return () => {
      this.#cards.delete(card);
      this.#changed();
    };
  }

  /** Returns a function that removes the listener. */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** In the order of the page. */
  get ordered(): WaitingCard[] {
    return [...this.#cards].sort((a, b) => (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  }

  /** The card for an answer key: the focus is in it, and not in a field. */
  forKey(): WaitingCard | undefined {
    // A page keeps its active element when another page gets the focus.
    if (!document.hasFocus() || isTyping()) return undefined;
    return this.ordered.find((card) => card.approve && card.element.contains(document.activeElement));
  }

  /** The card for a command of the palette: it has the focus, or had it until the palette took it. */
  #forCommand(): WaitingCard | undefined {
    const focused = document.activeElement === document.body ? this.#lastFocused : document.activeElement;
    return this.ordered.find(({ element }) => element.contains(focused ?? null));
  }

  /**
   * Answers the focused card if it is in sight. A key that is held down answers once. The palette, which takes the focus only for a moment,
   * answers nothing that the user may not have meant: the first card is then shown, and it says so.
   */
  answer(how: 'approve' | 'deny', byKey: boolean): void {
    if (byKey && keyIsHeld()) return;
    // The focus may have moved since the key was pressed. What counts is where it is now.
    const focused = byKey ? this.forKey() : this.#forCommand();
    if (focused?.approve && isInSight(focused.element)) {
      if (how === 'deny') return focused.deny?.();
      const came = focused.element === this.#cameTo?.element ? this.#cameTo : undefined;
      if (came && performance.now() < came.at + GUARD_MS) return focused.unanswered?.('early');
      return focused.approve(came !== undefined);
    }
    const card = focused ?? (byKey ? undefined : this.ordered[0]);
    if (!card) return;
    this.show(card);
    card.unanswered?.(how);
  }

  /**
   * For a key in the composer: answers the only card of the page, if that is a call. Otherwise the first card gets the focus, and the user
   * answers it there. Undefined when nothing waits.
   */
  answerTheOne(): 'taken' | 'shown' | undefined {
    const [first, second] = this.ordered;
    if (!first || keyIsHeld()) return first && 'taken';
    if (second || first.kind !== 'call' || !first.approve) {
      this.show(first);
      return 'shown';
    }
    // The focus stays in the composer, so that the next press answers.
    if (isInSight(first.element)) first.approve(true);
    else first.element.scrollIntoView({ block: 'nearest' });
    return 'taken';
  }

  /** Focuses and scrolls to a card. False when it does not wait. */
  focus({ chat, name }: CardPlace): boolean {
    const card = this.ordered.find(({ element: { dataset } }) => dataset['chat'] === chat && dataset['card'] === name);
    if (card) this.show(card);
    return card !== undefined;
  }

  /** Focuses and scrolls to the card after the focused one, or else the first. False when nothing waits. */
  focusNext(): boolean {
    const cards = this.ordered;
    const focused = this.#forCommand();
    const next = cards[((focused ? cards.indexOf(focused) : -1) + 1) % cards.length];
    if (next) this.show(next);
    return next !== undefined;
  }

  /** The user has answered a call of the turn. */
  hasAnswered(turnId: string): void {
    this.#answeredIn = this.ordered.some(({ element }) => element.contains(document.activeElement)) ? turnId : undefined;
  }

  /** Gives the focus to the next call, if there is one, of the turn whose call was answered last. */
  focusAfterAnswer(): void {
    const next = this.ordered.find(({ element: { dataset } }) => this.#answeredIn !== undefined && dataset['turn'] === this.#answeredIn);
    if (!next) return;
    this.#answeredIn = undefined;
    this.#cameTo = { element: next.element, at: performance.now() };
    this.show(next);
  }

  /** Brings it into view and gives it the focus. */
  show({ element }: WaitingCard): void {
    element.scrollIntoView({ block: 'nearest' });
    element.focus();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const view = (element.closest('.transcript') ?? document.documentElement).getBoundingClientRect();
  return bottom > view.top && top < view.bottom;
}
