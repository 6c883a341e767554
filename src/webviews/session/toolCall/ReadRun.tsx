/** Calls that only read, as one line that opens to their rows. */
import type { ComponentChildren } from 'preact';
import { runLabel } from '../../../views/session/toolCall/readRuns.ts';
import { Fold } from '../parts/Fold.tsx';
import { Icon } from '../parts/Icon.tsx';

interface ReadRunProps {
  rows: Parameters<typeof runLabel>[0];
  children: () => ComponentChildren;
}

export function ReadRun({ rows, children }: ReadRunProps) {
  const keys = rows.map(({ key }) => key);
  return (
    <Fold
      id={`run:${keys[0]}`}
      class="read-run"
      holds={keys}
      summary={
        <>
          <Icon name="files" />
          <span class="row-text">{runLabel(rows)}</span>
        </>
      }
    >
      {children}
    </Fold>
  );
}
