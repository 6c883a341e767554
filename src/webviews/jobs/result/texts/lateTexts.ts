import * as l10n from '@vscode/l10n';
import { latePart } from '../../../late/latePart.ts';

export const lateTexts = latePart(
  l10n.t('What shows texts'),
  () => import('./shownTexts.ts'),
  ({ DiffView, editDiff, languageOfFile, MarkdownView }) => ({ DiffView, editDiff, languageOfFile, MarkdownView }),
);
