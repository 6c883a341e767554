/** The files or commits that a plan is about, one a line. */
import * as l10n from '../../../base/l10n.ts';
import { VisibleText } from '../../session/text/VisibleText.tsx';

/** `hasMore`: the list is not all of them. */
export function PlanList({ label, lines, hasMore = false }: { label?: string; lines: readonly string[]; hasMore?: boolean }) {
  return (
    <ul class="plan-list" aria-label={label}>
      {lines.map((line) => (
        <li key={line}>
          <VisibleText text={line} />
        </li>
      ))}
      {hasMore && <li>{l10n.t('and more')}</li>}
    </ul>
  );
}
