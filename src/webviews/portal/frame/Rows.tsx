/** Links one below the other. All of them are one stop of the Tab key; the arrow keys go through them. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { listTarget } from '../../focus/listTarget.ts';
import { type PortalView, viewHref } from '../../../views/portal/page/portalAddress.ts';

export interface Row {
  id: string;
  view: PortalView;
  content: ComponentChildren;
}

interface RowsProps {
  label: string;
  rows: readonly Row[];
  /** Id of the row that is shown beside the list. */
  current?: string;
}

export function Rows({ label, rows, current }: RowsProps) {
  const [focused, setFocused] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const has = (id: string | undefined) => id !== undefined && rows.some((row) => row.id === id);
  const stop = has(focused) ? focused : has(current) ? current : rows[0]?.id;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = listTarget(
      event.key,
      rows.findIndex(({ id }) => id === stop),
      rows.length,
    );
    if (to === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('a')[to]?.focus();
  };
  return (
    <ul class="rows" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {rows.map(({ id, view, content }) => (
        <li key={id}>
          <a
            data-row={id}
            href={viewHref(view)}
            tabIndex={id === stop ? 0 : -1}
            aria-current={id === current ? 'true' : undefined}
            onFocus={() => setFocused(id)}
          >
            {content}
          </a>
        </li>
      ))}
    </ul>
  );
}
