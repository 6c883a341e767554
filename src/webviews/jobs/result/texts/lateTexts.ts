import { latePart } from '../../../late/latePart.ts';

export const lateTexts = latePart(
  'What shows texts',
  () => import('./shownTexts.ts'),
  ({ DiffView, editDiff, languageOfFile, MarkdownView }) => ({ DiffView, editDiff, languageOfFile, MarkdownView }),
);
