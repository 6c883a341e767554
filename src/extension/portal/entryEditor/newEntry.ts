/** “New File with Jobs…”: an entry from a template, not saved yet. */
import * as l10n from '../../../base/l10n.ts';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { entryTemplates } from './entryTemplates.ts';

export async function newEntry(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir();
  const chosen = await vscode.window.showQuickPick(entryTemplates(folder), {
    placeHolder: l10n.t('What does its job do?'),
    matchOnDetail: true,
  });
  if (!chosen) return;
  // The name gives it the schema, before it is saved too.
  const document = await vscode.workspace.openTextDocument(unusedName());
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), `${JSON.stringify(chosen.entry, undefined, 2)}\n`);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new UserError(l10n.t('VS Code did not let the template be written into the new file. Try “New File with Jobs…” again.'));
  await vscode.window.showTextDocument(document, { preview: false });
}

function unusedName(): vscode.Uri {
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  for (let at = 1; ; at++) {
    const uri = vscode.Uri.from({ scheme: 'untitled', path: `jobs${at === 1 ? '' : `-${at}`}.tapline-portal.json` });
    if (!open.has(uri.toString())) return uri;
  }
}
