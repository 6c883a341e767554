/** A text that the user saves as a file of their choice. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { oneLine } from '../../views/text/oneLine.ts';
import { showInfo } from '../notifications.ts';

/** Of a file's name, in characters. */
const NAME_LENGTH = 80;

export interface TextFormat {
  readonly label: string;
  /** What it is for. */
  readonly detail: string;
  readonly extension: 'md' | 'json';
}

/** Undefined: the user has changed their mind. `name`: without an ending. */
export async function chooseFile(
  name: string,
  { label, extension }: TextFormat,
  { title, saveLabel }: { title: string; saveLabel: string },
): Promise<vscode.Uri | undefined> {
  const fileName = `${oneLine(name, NAME_LENGTH).replace(/[/\\?#%:*"<>|]/g, '-')}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder ? vscode.Uri.joinPath(folder, fileName) : vscode.Uri.file(fileName);
  return vscode.window.showSaveDialog({ title, saveLabel, defaultUri, filters: { [label]: [extension] } });
}

/** `said`: that it was saved, and where. */
export async function offerToOpen(file: vscode.Uri, said: string): Promise<void> {
  const open = l10n.t('Open');
  if ((await showInfo(said, open)) === open) await vscode.window.showTextDocument(file);
}
