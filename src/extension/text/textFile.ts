/** A text that the user saves as a file of their choice. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { oneLine } from '../../views/text/oneLine.ts';
import { showInfo } from '../notifications.ts';

export interface TextFormat {
  readonly label: string;
  /** What it is for. */
  readonly detail: string;
  readonly extension: 'md' | 'json';
}

/** Undefined: the user has changed their mind. `fileName`: as it is suggested, of strangers too. */
export async function chooseFile(
  fileName: string,
  { label, extension }: TextFormat,
  { title, saveLabel }: { title: string; saveLabel: string },
): Promise<vscode.Uri | undefined> {
  const name = oneLine(fileName).replace(/[/\\?#%:*"<>|]/g, '-');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name);
  return vscode.window.showSaveDialog({ title, saveLabel, defaultUri, filters: { [label]: [extension] } });
}

/** `said`: that it was saved, and where. */
export async function offerToOpen(file: vscode.Uri, said: string): Promise<void> {
  const open = l10n.t('Open');
  if ((await showInfo(said, open)) === open) await vscode.window.showTextDocument(file);
}
