/** How far a provider is trusted, in the user's language. */
import * as l10n from '../../base/l10n.ts';
import type { ProviderIdentity } from '../../tap/wire/trust.ts';
import { originWords } from './originWords.ts';

/** For example “program on this computer” or “paired, https://page.example”. */
export function trustWords({ trust, origin, spawned }: Omit<ProviderIdentity, 'provider'>): string {
  switch (trust) {
    case 'internal':
      return l10n.t('internal, part of Tapline');
    case 'project':
      return spawned ? l10n.t('program started by a session') : l10n.t('program on this computer');
    case 'external':
      return origin === undefined ? l10n.t('paired program') : l10n.t`paired, ${originWords(origin)}`;
  }
}
