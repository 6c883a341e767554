/** What the user has open and looks at. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { cutList, cutText } from '../shared/cutAnswer.ts';
import { type EditorTool, editorTool } from '../shared/editorTool.ts';
import type { WindowFolders } from '../shared/windowFolders.ts';
import { fileOf, rangeOf } from './fileAndRange.ts';

const MAX_VISIBLE_LINES = 200;
const MAX_TABS = 200;
const ELSEWHERE = 'The active editor shows something that is not a file of this window’s folders. Its content is not lent.';

export function editorsTools(folders: WindowFolders): EditorTool[] {
  return [
    editorTool({
      name: 'editor_active',
      description:
        'What the user looks at in VS Code: the file of the active editor, its unsaved text where it has some, the selection and the lines that are in view. Lines and columns begin with 1.',
      input: z.strictObject({}),
      isReadOnly: true,
      run: () => active(folders),
    }),
    editorTool({
      name: 'editor_open_files',
      description:
        'The files of this workspace that the user has open in tabs of VS Code: which is active, and which have unsaved changes.',
      input: z.strictObject({}),
      isReadOnly: true,
      run: () => openFiles(folders),
    }),
  ];
}

function active(folders: WindowFolders): unknown {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return { note: 'No text editor is active.' };
  const { document, selection, selections } = editor;
  const file = fileOf(document.uri, folders);
  if (file === undefined) return { note: ELSEWHERE };
  const [visible] = editor.visibleRanges;
  return {
    file,
    language: document.languageId,
    lines: document.lineCount,
    hasUnsavedChanges: document.isDirty,
    selection: { ...rangeOf(selection), text: cutText(document.getText(selection)) },
    ...(selections.length > 1 && { furtherSelections: selections.length - 1 }),
    ...(visible && { visible: visibleText(document, visible) }),
  };
}

function visibleText(document: vscode.TextDocument, { start, end }: vscode.Range) {
  const last = Math.min(end.line, start.line + MAX_VISIBLE_LINES - 1, document.lineCount - 1);
  const text = document.getText(new vscode.Range(start.line, 0, last, document.lineAt(last).text.length));
  return { startLine: start.line + 1, endLine: last + 1, text: cutText(text) };
}

function openFiles(folders: WindowFolders): unknown {
  let others = 0;
  const files = vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const uri = uriOf(tab);
      const file = uri && fileOf(uri, folders);
      if (file === undefined) {
        others++;
        return [];
      }
      const isActive = tab.isActive && group.isActive;
      return [{ file, ...(isActive && { isActive }), ...(tab.isDirty && { hasUnsavedChanges: true }) }];
    }),
  );
  return { ...cutList(files, MAX_TABS, 'open files'), ...(others > 0 && { otherTabs: others }) };
}

/** Of a diff, the side that can be edited. */
function uriOf({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const { uri } = (input ?? {}) as { uri?: unknown };
  return uri instanceof vscode.Uri ? uri : undefined;
}
