/** "Watching 2"; undefined where nothing is or was watched. It stands alone, because a page needs it before all else of emitters. */
import * as l10n from '../../base/l10n.ts';

export function watchedText({ active, all }: { active: number; all: number }): string | undefined {
  if (all === 0) return undefined;
  return active === 0 ? l10n.t('Nothing watched now') : l10n.t`Watching ${l10n.countText(active)}`;
}
