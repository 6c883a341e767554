/** Asks for a folder of this computer. */
import * as vscode from 'vscode';

/** As a URI; undefined when the user cancels. */
export async function askForFolder(): Promise<string | undefined> {
  const picked = await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    openLabel: 'Work here',
    title: 'In which folder should the agent work?',
  });
  return picked?.[0]?.toString();
}
