/** What the editor has for a message, as texts. */
import type * as vscode from 'vscode';
import { type ContextItem } from '../../../views/session/composer/contextItems.ts';
import { selectionItem } from '../../../views/session/composer/editorItems.ts';
import { placed, type SessionPlace } from './sessionPlace.ts';

const MAX_SELECTIONS = 10;

/** Each selection exactly, with the lines in which it is. Empty where nothing is selected. */
export async function selections(place: SessionPlace, { document, selections: all }: vscode.TextEditor): Promise<ContextItem[]> {
  const selected = all.filter(({ isEmpty }) => !isEmpty).slice(0, MAX_SELECTIONS);
  if (selected.length === 0) return [];
  const { path } = await placed(place, document.uri);
  return selected.map((selection) => {
    const { start, end } = selection;
    // A selection of whole lines ends at the start of the line after them.
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    return selectionItem({ path, from: start.line + 1, to: last + 1, text: document.getText(selection) });
  });
}
