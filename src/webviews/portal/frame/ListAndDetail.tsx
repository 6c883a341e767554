/** A list and what is chosen of it: side by side, or where there is no room for both, one at a time. */
import type { ComponentChildren } from 'preact';
import { useIsWide } from './useIsWide.ts';

interface ListAndDetailProps {
  /** Of the list; its region is called so. */
  title: string;
  /** Says more than the title, such as how many there are. */
  count?: string;
  /** Beside the title. */
  actions?: ComponentChildren;
  list: ComponentChildren;
  /** Something is chosen. */
  isChosen: boolean;
  /** What is chosen, and where nothing is, what stands there where there is room. */
  detail: ComponentChildren;
}

const TITLE_ID = 'list-title';

export function ListAndDetail({ title, count = '', actions, list, isChosen, detail }: ListAndDetailProps) {
  const isWide = useIsWide();
  return (
    <div class="list-and-detail">
      {(isWide || !isChosen) && (
        <section class="list" aria-labelledby={TITLE_ID}>
          <div class="list-head">
            <h2 id={TITLE_ID} tabIndex={-1}>
              {title}
              {count && ` (${count})`}
            </h2>
            {actions}
          </div>
          {list}
        </section>
      )}
      {(isWide || isChosen) && <div class="detail">{detail}</div>}
    </div>
  );
}
