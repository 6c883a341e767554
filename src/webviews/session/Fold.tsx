/** One line that opens: what stands behind it is drawn only while it is open. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export interface FoldProps {
  /** The line. */
  summary: ComponentChildren;
  class?: string;
  children: () => ComponentChildren;
}

export function Fold({ summary, class: className = '', children }: FoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <details class={`fold ${className}`} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="codicon codicon-chevron-right fold-chevron" aria-hidden="true" />
        {summary}
      </summary>
      {open && <div class="fold-body">{children()}</div>}
    </details>
  );
}
