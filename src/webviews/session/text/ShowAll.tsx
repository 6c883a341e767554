/** The button below a text that was cut. It says how long the text is, and shows all of it. */
import * as l10n from '../../../base/l10n.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sizeText } from '../../../views/text/excerpt.ts';

interface ShowAllProps {
  lines: readonly string[];
  /** The name of the text, for screen readers. */
  what: string;
  onClick(): void;
}

export function ShowAll({ lines, what, onClick }: ShowAllProps) {
  const size = sizeText(lines);
  return (
    <button type="button" class="link-button show-all" aria-label={l10n.t`Show all: ${size} of ${what}`} data-cut onClick={onClick}>
      {l10n.t`Show all: ${size}`}
    </button>
  );
}

/** `part` is the element with the text. It gets the focus when the button is removed, and is scrolled to its beginning. */
export function useShowAll<E extends HTMLElement>() {
  const [isAll, setAll] = useState(false);
  const part = useRef<E>(null);
  useLayoutEffect(() => {
    if (!isAll) return;
    part.current?.focus({ preventScroll: true });
    part.current?.scrollIntoView({ block: 'start' });
  }, [isAll]);
  return { isAll, showAll: () => setAll(true), part };
}
