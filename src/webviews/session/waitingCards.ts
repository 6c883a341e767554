/** The cards that wait for the user, so that commands and keybindings reach the focused one or else the first. */

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

  focused(): WaitingCard | undefined {
    return this.ordered().find((card) => card.element.contains(document.activeElement));
  }

  /** The focused card that can be approved or denied, or else the first such. */
  answerable(): WaitingCard | undefined {
    const answerable = this.ordered().filter((card) => card.approve);
    return answerable.find((card) => card.element.contains(document.activeElement)) ?? answerable[0];
  }

  /** Brings the first card, or the one after the focused one, into view and focus. False when nothing waits. */
  focusNext(): boolean {
    const cards = this.ordered();
    const at = cards.findIndex((card) => card.element.contains(document.activeElement));
    const next = cards[(at + 1) % cards.length];
    if (!next) return false;
    next.element.scrollIntoView({ block: 'nearest' });
    next.element.focus();
    return true;
  }
}
