/** The cards that wait for the user, so that commands and keybindings reach the focused one or else the first. */
import { isTyping, keyIsHeld } from './slips.ts';

export interface WaitingCard {
  element: HTMLElement;
  /** Absent on a form of questions: it has no one-word answer. */
  approve?: () => void;
  deny?: () => void;
}

export class WaitingCards {
  private readonly cards = new Set<WaitingCard>();

  /** Returns what takes it out again. */
  add(card: WaitingCard): () => void {
    this.cards.add(card);
    return () => this.cards.delete(card);
  }

  /** In the order of the page. */
  private ordered(): WaitingCard[] {
    return [...this.cards].sort((a, b) => (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  }

  /** The card that an answer key is for: it has the focus, and what has it there takes no text. */
  forKey(): WaitingCard | undefined {
    // A page keeps its active element when the focus goes to another one.
    if (!document.hasFocus() || isTyping()) return undefined;
    return this.ordered().find((card) => card.approve && card.element.contains(document.activeElement));
  }

  /** The focused card that can be approved or denied, or else the first such. */
  private forCommand(): WaitingCard | undefined {
    const answerable = this.ordered().filter((card) => card.approve);
    return answerable.find((card) => card.element.contains(document.activeElement)) ?? answerable[0];
  }

  /** Answers a card that is in sight; one that is not is only brought there. A key that is held answers once. */
  answer(how: 'approve' | 'deny', byKey: boolean): void {
    if (byKey && keyIsHeld()) return;
    // The key may be older than the focus that it finds: what counts is where the focus is now.
    const card = byKey ? this.forKey() : this.forCommand();
    if (!card) return;
    if (isInSight(card.element)) card[how]?.();
    else show(card);
  }

  /** Brings the first card, or the one after the focused one, into view and focus. False when nothing waits. */
  focusNext(): boolean {
    const cards = this.ordered();
    const at = cards.findIndex((card) => card.element.contains(document.activeElement));
    const next = cards[(at + 1) % cards.length];
    if (next) show(next);
    return next !== undefined;
  }
}

function show({ element }: WaitingCard): void {
  element.scrollIntoView({ block: 'nearest' });
  element.focus();
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const view = (element.closest('.transcript') ?? document.documentElement).getBoundingClientRect();
  return bottom > view.top && top < view.bottom;
}
