/** The line above what is chosen: its name, and on a phone the way back to the list. Takes the focus when something else is chosen. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type PortalView, viewHref } from '../../../views/portal/page/portalAddress.ts';
import { useIsWide } from './useIsWide.ts';

interface DetailHeadProps {
  title: string;
  /** Where nothing is chosen, and what that is called. */
  back: { view: PortalView; name: string };
  /** Of what the user has chosen. Undefined: the page has, and the focus stays where it is. */
  focusKey?: string;
  /** The page below it says the title too. A phone has no room for both. */
  pageHasTitle?: boolean;
  children?: ComponentChildren;
}

export function DetailHead({ title, back, focusKey, pageHasTitle = false, children }: DetailHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (focusKey !== undefined) heading.current?.focus();
  }, [focusKey]);
  const isWide = useIsWide();
  return (
    <header class="detail-head">
      {!isWide && <a href={viewHref(back.view)}>← {back.name}</a>}
      <h2 ref={heading} tabIndex={-1} class={pageHasTitle && !isWide ? 'visually-hidden' : undefined}>
        {title}
      </h2>
      {children}
    </header>
  );
}
