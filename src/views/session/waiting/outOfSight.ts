/** What the bar above the composer says about cards that are not in view. */
import { counted } from '../../text/counted.ts';

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
  const kind = cards.every((card) => card.kind === first.kind) ? first.kind : 'thing';
  const noun = kind === 'signIn' ? 'sign-in' : kind;
  const waits = `${counted(cards.length, noun)} ${cards.length === 1 ? 'waits' : 'wait'}`;
  const above = cards.filter(({ place }) => place === 'above').length;
  if (above === cards.length) return `${waits} above`;
  if (above === 0) return `${waits} below`;
  return `${waits}: ${above} above, ${cards.length - above} below`;
}
