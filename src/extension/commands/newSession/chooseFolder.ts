/** Asks for a folder of this computer. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';

/** As a URI; undefined when the user cancels. Rejects with a `UserError` for a folder of a host elsewhere, which VS Code may offer too. */
export async function askForFolder(): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: l10n.t('Work here'),
    title: l10n.t('In which folder should the agent work?'),
  });
  const [folder] = picked ?? [];
  if (!folder) return undefined;
  // A remote window uses this scheme for the files of the computer on which the extension runs.
  const here = folder.scheme === 'vscode-remote' ? vscode.Uri.file(folder.path) : folder;
  if (here.scheme !== 'file') throw new UserError(l10n.t('That folder is not on this computer. Choose one that is.'));
  return here.toString();
}
