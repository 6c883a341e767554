import * as l10n from '../../../../base/l10n.ts';
import { latePart } from '../../../late/latePart.ts';

export const lateTexts = latePart(
  l10n.t('What shows texts'),
  () => import('./shownTexts.ts'),
  ({ DiffView, editDiff, languageOfFile, MarkdownView }) => ({ DiffView, editDiff, languageOfFile, MarkdownView }),
);
