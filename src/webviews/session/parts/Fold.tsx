/** A line that can be opened. Its content is rendered only while it is open. The state survives a reload of the page. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { sessionKey } from '../../../views/session/sessionRef.ts';
import { useSession } from '../page/sessionContext.tsx';
import { persist, readPersisted } from '../page/vscodeApi.ts';
import { useReveal } from './reveal.ts';

export interface FoldProps {
  /** Unique in the session. */
  id: string;
  summary: ComponentChildren;
  class?: string;
  /** The content is part of what the user decides by, so a closed fold counts as not seen. */
  hides?: boolean;
  children: () => ComponentChildren;
}

export function Fold({ id, summary, class: className = '', hides = false, children }: FoldProps) {
  const { hostId, chat } = useSession();
  const key = `${sessionKey({ hostId, uri: chat })}\n${id}`;
  const [open, setOpen] = useState(() => Object.hasOwn(readPersisted().folds, key));
  // The state after the last click. A second click may come before the next rendering, and the page may be closed before it.
  const wanted = useRef(open);
  const toggle = () => {
    wanted.current = !wanted.current;
    persist('folds', key, wanted.current || undefined);
    setOpen(wanted.current);
  };
  const element = useRef<HTMLDetailsElement>(null);
  useReveal(element, (part) => part === id && !wanted.current && toggle());
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
