/** What draws changes and documents. It is loaded when the first of them is shown. */
export { languageOfFile } from '../../../code/languageOf.ts';
export { MarkdownView } from '../../../session/text/MarkdownView.tsx';
export { DiffView, editDiff } from '../../../session/toolCall/DiffView.tsx';
