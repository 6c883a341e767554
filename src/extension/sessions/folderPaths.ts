import * as vscode from 'vscode';

/** Paths of the window's folders on this computer, as the workspace names them. */
export function folderPaths(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
}
