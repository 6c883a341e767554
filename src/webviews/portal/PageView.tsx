/** A page of VS Code's views in the place of the portal's own. All of its frame is in view, so that what the page takes for seen was seen. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { viewHref } from './portalView.ts';

interface PageViewProps {
  title: string;
  /** Of the page in the frame. */
  src: string;
  /** How many things wait for the user, where the page does not show that. */
  waiting?: number;
  children?: ComponentChildren;
}

export function PageView({ title, src, waiting = 0, children }: PageViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), [src]);
  return (
    <main class="page-view">
      <header class="page-bar">
        <a href={viewHref({ kind: 'portal' })}>← Portal</a>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {waiting > 0 && <a href={viewHref({ kind: 'needsYou' })}>Needs you ({waiting})</a>}
        {children}
      </header>
      <iframe title={title} src={src} allow="clipboard-write" />
    </main>
  );
}
