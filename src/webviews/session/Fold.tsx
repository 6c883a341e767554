/** One line that opens: what stands behind it is drawn only while it is open. It stays as it is over a reload of the page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSession } from './sessionContext.tsx';
import { persist, readPersisted } from './vscodeApi.ts';

export interface FoldProps {
  /** Tells it from the other folds of its session. */
  id: string;
  /** The line. */
  summary: ComponentChildren;
  class?: string;
  children: () => ComponentChildren;
}

export function Fold({ id, summary, class: className = '', children }: FoldProps) {
  const key = `${useSession().uri} ${id}`;
  const [open, setOpen] = useState(() => Object.hasOwn(readPersisted().folds, key));
  useEffect(() => {
    if (open !== Object.hasOwn(readPersisted().folds, key)) persist('folds', key, open || undefined);
  }, [open, key]);
  return (
    <details class={`fold ${className}`} open={open}>
      <summary
        onClick={(event) => {
          // Ours alone: the element's own toggling tells of itself too late for two clicks in a row.
          event.preventDefault();
          setOpen((was) => !was);
        }}
      >
        <span class="codicon codicon-chevron-right fold-chevron" aria-hidden="true" />
        {summary}
      </summary>
      {open && <div class="fold-body">{children()}</div>}
    </details>
  );
}
