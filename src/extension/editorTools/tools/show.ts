/** Shows the user something in the editor. The keyboard focus stays where it is. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { TextDocuments } from '../../textDocuments.ts';
import { type EditorTool, editorTool } from '../shared/editorTool.ts';
import type { WindowFolders } from '../shared/windowFolders.ts';

const path = z.string().min(1).max(4096).describe('A full path, or one from the workspace folder.');
const place = z.number().int().min(1).max(10_000_000);
const MAX_PROPOSED = 1024 * 1024;

export function showTools(folders: WindowFolders, proposed: TextDocuments): EditorTool[] {
  return [
    editorTool({
      name: 'editor_reveal',
      description:
        'Shows the user a place in a file of this workspace: opens it in VS Code, selects the range and scrolls to it. Lines and columns begin with 1.',
      input: z.strictObject({
        path,
        startLine: place,
        startColumn: place.default(1),
        endLine: place.optional().describe('Default: the start.'),
        endColumn: place.optional(),
      }),
      isReadOnly: false,
      async run({ path: given, startLine, startColumn, endLine = startLine, endColumn = endLine === startLine ? startColumn : 1 }) {
        const uri = vscode.Uri.file(folders.file(given));
        const selection = new vscode.Range(startLine - 1, startColumn - 1, endLine - 1, endColumn - 1);
        const editor = await vscode.window.showTextDocument(uri, { selection, preserveFocus: true, preview: true });
        return `Shown. The file has ${editor.document.lineCount} lines.`;
      },
    }),
    editorTool({
      name: 'editor_show_diff',
      description:
        'Shows the user a text that you propose for a file of this workspace, beside the file as it is, as a diff in VS Code. Changes nothing: the user can read it and cannot apply it there.',
      input: z.strictObject({ path, proposedText: z.string().max(MAX_PROPOSED).describe('The whole text of the file as you propose it.') }),
      isReadOnly: false,
      async run({ path: given, proposedText }) {
        const file = vscode.Uri.file(folders.file(given));
        const name = file.path.split('/').at(-1) ?? '';
        const right = proposed.add(file.path, proposedText);
        await vscode.commands.executeCommand('vscode.diff', file, right, l10n.t`${name} ↔ proposed by an agent`, {
          preserveFocus: true,
          preview: true,
        });
        return 'Shown.';
      },
    }),
  ];
}
