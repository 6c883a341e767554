import * as l10n from '../../../base/l10n.ts';
import type { ChangedFile } from '../../../views/portal/answers/resultAnswers.ts';

/** What has become of a file. */
export const changeWords: Readonly<Record<ChangedFile['change'], string>> = {
  created: l10n.t('created'),
  changed: l10n.t('changed'),
  deleted: l10n.t('deleted'),
  moved: l10n.t('moved'),
};
