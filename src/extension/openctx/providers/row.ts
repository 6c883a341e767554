/** A provider as a row of “Context Providers”. */
import * as l10n from '../../../base/l10n.ts';
import { basename } from 'node:path';
import { shownAddress } from '../../../base/text/shownAddress.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import type { DrawnRow, TreeIcon } from '../../../views/tree/treeRow.ts';
import type { ListedProvider, ProviderStatus } from './listedProvider.ts';

export interface ProviderRow extends Omit<DrawnRow, 'id' | 'action'> {
  readonly description: string;
  readonly icon: TreeIcon;
  /** `waits`, `decided`, `failed` and so on, after “provider”. */
  readonly context: string;
}

/** `namesFolder`: the window has several. Times are written for the locale of the computer. */
export function providerRow({ folder, uri, status, provider }: ListedProvider, namesFolder: boolean): ProviderRow {
  const { text, icon, color } = shown(status);
  const label = oneLine(shownAddress(uri), 200) || l10n.t('(no name)');
  const of = namesFolder ? [oneLine(basename(folder))] : [];
  const decided = provider?.needsConsent && status.kind !== 'waits' ? ' decided' : '';
  return {
    label,
    description: [text, ...of].join(' · '),
    tooltip: [label, text, l10n.t`For ${folder}`].join('\n'),
    icon: { id: icon, ...(color !== undefined && { color }) },
    context: `provider ${status.kind}${decided}`,
  };
}

function shown(status: ProviderStatus): { text: string; icon: string; color?: string } {
  switch (status.kind) {
    case 'waits':
      return { text: l10n.t('waits for your word'), icon: 'question', color: 'list.warningForeground' };
    case 'refused':
      return { text: l10n.t('not allowed'), icon: 'circle-slash' };
    case 'off':
      return { text: l10n.t('off'), icon: 'circle-slash' };
    case 'unused':
      return { text: l10n.t('not asked yet'), icon: 'circle-outline' };
    case 'works':
      if (status.leftOut !== undefined)
        return { text: l10n.t`works. ${oneLine(status.leftOut)}`, icon: 'warning', color: 'list.warningForeground' };
      return { text: l10n.t('works'), icon: 'pass' };
    case 'wrong':
    case 'failed': {
      const until = status.kind === 'failed' ? status.leftAloneUntil : undefined;
      const alone = until === undefined ? [] : [l10n.t`It is left alone until ${l10n.dateFormat({ timeStyle: 'medium' }).format(until)}.`];
      return { text: l10n.sentencesText([oneLine(status.message), ...alone]), icon: 'error', color: 'list.errorForeground' };
    }
  }
}
