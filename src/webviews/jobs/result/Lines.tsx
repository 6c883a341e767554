/** How many lines were added and removed, where that is known. */
import * as l10n from '../../../base/l10n.ts';

export function Lines({ added, removed }: { added?: number | undefined; removed?: number | undefined }) {
  if (added === undefined && removed === undefined) return null;
  return (
    <span class="result-lines">
      <span class="visually-hidden">{l10n.t`${l10n.countText(added ?? 0)} added, ${l10n.countText(removed ?? 0)} removed`}</span>
      <span class="added" aria-hidden="true">
        +{l10n.countText(added ?? 0)}
      </span>{' '}
      <span class="removed" aria-hidden="true">
        −{l10n.countText(removed ?? 0)}
      </span>
    </span>
  );
}
