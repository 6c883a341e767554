/**
 * The buttons that answer a card, in any page. They stay in view for as long as something of the card is. A click on them counts only once they
 * have been in their place for a moment.
 */
import * as l10n from '../../../base/l10n.ts';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useSteady } from '../answering/useSteady.ts';

export function CardButtons({ children }: { children: ComponentChildren }) {
  const row = useRef<HTMLDivElement>(null);
  const { isSteady, look } = useSteady(row);
  const [isRefused, setRefused] = useState(false);
  const guard = (event: MouseEvent) => {
    // A click by a key is for the element that has the focus, wherever that has moved. What only opens something is no answer.
    if (event.detail === 0 || !(event.target instanceof Element) || !event.target.closest('vscode-button:not([data-opens])')) return;
    const isMeant = look();
    setRefused(!isMeant);
    if (isMeant) return;
    event.stopPropagation();
    event.preventDefault();
  };
  return (
    <div class="card-foot">
      <div ref={row} class="card-buttons" role="group" aria-disabled={isSteady ? undefined : 'true'} onClickCapture={guard}>
        {children}
      </div>
      {/* Below the buttons, so that it does not move them. */}
      {isRefused && (
        <p class="problem" role="alert">
          {l10n.t('Nothing was sent, because this has only just appeared or moved. Look at it first, then click again.')}
        </p>
      )}
    </div>
  );
}
