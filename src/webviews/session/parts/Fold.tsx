/** One line that opens: what stands behind it is drawn only while it is open. It stays as it is over a reload of the page. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useSession } from '../page/sessionContext.tsx';
import { persist, readPersisted } from '../page/vscodeApi.ts';

export interface FoldProps {
  /** Tells it from the other folds of its session. */
  id: string;
  /** The line. */
  summary: ComponentChildren;
  class?: string;
  /** It hides what the user decides by: closed, it counts as not seen. */
  hides?: boolean;
  children: () => ComponentChildren;
}

export function Fold({ id, summary, class: className = '', hides = false, children }: FoldProps) {
  const key = `${useSession().uri} ${id}`;
  const [open, setOpen] = useState(() => Object.hasOwn(readPersisted().folds, key));
  // Of the last click, drawn or not: two may come before the next drawing, and the page may be gone before it.
  const wanted = useRef(open);
  const toggle = () => {
    wanted.current = !wanted.current;
    persist('folds', key, wanted.current || undefined);
    setOpen(wanted.current);
  };
  return (
    <details class={`fold ${className}`} open={open} data-cut={(hides && !open) || undefined}>
      <summary
        onClick={(event) => {
          // Ours alone: the element's own toggling tells of itself too late for two clicks in a row.
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
