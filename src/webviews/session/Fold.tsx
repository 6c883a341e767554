/** One line that opens: what stands behind it is drawn only while it is open. It stays as it is over a reload of the page. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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
  const toggle = (now: boolean) => {
    if (now === open) return;
    setOpen(now);
    persist('folds', key, now || undefined);
  };
  return (
    <details class={`fold ${className}`} open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>
        <span class="codicon codicon-chevron-right fold-chevron" aria-hidden="true" />
        {summary}
      </summary>
      {open && <div class="fold-body">{children()}</div>}
    </details>
  );
}
