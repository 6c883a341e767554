/** The bar above the composer: says what waits out of view, and brings it there with the focus. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useState } from 'preact/hooks';
import { type CardOutOfSight, outOfSightText } from '../../../views/session/waiting/outOfSight.ts';
import type { WaitingCard, WaitingCards } from '../answering/waitingCards.ts';
import { Icon } from '../parts/Icon.tsx';

/** A card of which less than this is in view can be overlooked. In pixels. */
const LEAST_IN_VIEW = 40;

export function OutOfSight({ cards }: { cards: WaitingCards }) {
  const [hidden, setHidden] = useState<readonly (CardOutOfSight & { card: WaitingCard })[]>([]);
  useEffect(() => {
    let observer: IntersectionObserver | undefined;
    const follow = () => {
      observer?.disconnect();
      const all = cards.ordered;
      const root = all[0]?.element.closest('.transcript');
      if (!root) return setHidden([]);
      const places = new Map<Element, 'above' | 'below'>();
      observer = new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting, boundingClientRect, rootBounds } of entries) {
            if (isIntersecting) places.delete(target);
            else places.set(target, boundingClientRect.top < (rootBounds?.top ?? 0) ? 'above' : 'below');
          }
          setHidden(
            all.flatMap((card) => {
              const place = places.get(card.element);
              return place ? [{ card, kind: card.kind, place }] : [];
            }),
          );
        },
        { root, rootMargin: `-${LEAST_IN_VIEW}px 0px` },
      );
      for (const { element } of all) observer.observe(element);
    };
    follow();
    const stop = cards.onDidChange(follow);
    return () => {
      stop();
      observer?.disconnect();
    };
  }, [cards]);
  const text = outOfSightText(hidden);
  const [first] = hidden;
  if (text === undefined || !first) return null;
  return (
    <div class="out-of-sight">
      <Icon name="warning" />
      <span class="row-text">{text}</span>
      <button type="button" class="link-button" aria-label={l10n.t('Show what waits')} onClick={() => cards.show(first.card)}>
        {l10n.t('Show')}
      </button>
    </div>
  );
}
