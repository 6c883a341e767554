/** What the bar above the composer says about cards that are not in view. */
import * as l10n from '../../../base/l10n.ts';

/** Of a waiting card. `thing`: one that cannot be answered in its place. */
export type CardKind = 'call' | 'result' | 'signIn' | 'question' | 'thing';

export interface CardOutOfSight {
  kind: CardKind;
  place: 'above' | 'below';
}

/** Undefined when all that waits is in view. */
export function outOfSightText(cards: readonly CardOutOfSight[]): string | undefined {
  const [first] = cards;
  if (!first) return undefined;
  const waits = waitsText(cards.every((card) => card.kind === first.kind) ? first.kind : 'thing', cards.length);
  const above = cards.filter(({ place }) => place === 'above').length;
  if (above === cards.length) return l10n.t`${waits} above`;
  if (above === 0) return l10n.t`${waits} below`;
  return l10n.t`${waits}: ${l10n.countText(above)} above, ${l10n.countText(cards.length - above)} below`;
}

/** A whole sentence, to which the places are added. */
function waitsText(kind: CardKind, count: number): string {
  const many = l10n.countText(count);
  switch (kind) {
    case 'call':
      return l10n.plural(count, l10n.t`${many} call waits`, l10n.t`${many} calls wait`);
    case 'result':
      return l10n.plural(count, l10n.t`${many} result waits`, l10n.t`${many} results wait`);
    case 'signIn':
      return l10n.plural(count, l10n.t`${many} sign-in waits`, l10n.t`${many} sign-ins wait`);
    case 'question':
      return l10n.plural(count, l10n.t`${many} question waits`, l10n.t`${many} questions wait`);
    case 'thing':
      return l10n.plural(count, l10n.t`${many} thing waits`, l10n.t`${many} things wait`);
  }
}
