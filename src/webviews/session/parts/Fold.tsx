/** A line that can be opened. Its content is rendered only while it is open. The state survives a reload of the page. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { sessionKey } from '../../../views/session/sessionRef.ts';
import { useSession } from '../page/sessionContext.tsx';
import { persist, readPersisted } from '../page/pageShell.ts';
import { useReveal } from '../text/reveal.ts';

export interface FoldProps {
  /** Unique in the session. */
  id: string;
  summary: ComponentChildren;
  class?: string;
  /** The content is part of what the user decides by, so a closed fold counts as not seen. */
  hides?: boolean;
  /** The ids of folds in it. It is open at first where one of them is, so that nothing vanishes that the user has opened. */
  holds?: readonly string[];
  children: () => ComponentChildren;
}

export function Fold({ id, summary, class: className = '', hides = false, holds = [], children }: FoldProps) {
  const { hostId, chat } = useSession();
  const keyOf = (one: string) => `${sessionKey({ hostId, uri: chat })}\n${one}`;
  const key = keyOf(id);
  const [open, setOpen] = useState(() => [id, ...holds].some((one) => Object.hasOwn(readPersisted().folds, keyOf(one))));
  // The state after the last click. A second click may come before the next rendering, and the page may be closed before it.
  const wanted = useRef(open);
  const toggle = () => {
    wanted.current = !wanted.current;
    persist('folds', key, wanted.current || undefined);
    setOpen(wanted.current);
  };
  const element = useRef<HTMLDetailsElement>(null);
  useReveal(element, (part) => [id, ...holds].includes(part) && !wanted.current && toggle());
  return (
    <details ref={element} class={`fold ${className}`} open={open} data-reveals data-cut={(hides && !open) || undefined}>
      <summary
        onClick={(event) => {
          // The toggle event of the element comes too late for two clicks in a row.
          event.preventDefault();
          toggle();
        }}
      >
        <span class="codicon codicon-chevron-right fold-chevron" aria-hidden="true" />
        {summary}
      </summary>
      {open && <div class="fold-body">{children()}</div>}
    </details>
  );
}
