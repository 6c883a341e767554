/** Files that a message may carry, from the window's workspace. */
import * as vscode from 'vscode';
import type { MessageAttachment } from '../../ahp/v1/common.ts';

const MAX_FOUND = 20;
const MAX_GIVEN = 50;
const SEARCH_TIMEOUT_MS = 5_000;

export async function pickAttachments(): Promise<MessageAttachment[]> {
  const picked = await vscode.window.showOpenDialog({
    canSelectMany: true,
    canSelectFiles: true,
    canSelectFolders: false,
    openLabel: 'Attach',
    title: 'Attach files to the message',
    defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
  });
  return (picked ?? []).map((uri) => attachment(uri));
}

/** What of these is there, as attachments: dropped on the view or chosen in the explorer. */
export async function attachmentsOf(uris: readonly vscode.Uri[]): Promise<MessageAttachment[]> {
  const found = await Promise.all(
    uris.slice(0, MAX_GIVEN).map(async (given) => {
      // The window of a remote workspace names files so; they are local to us.
      const uri = given.scheme === 'vscode-remote' ? vscode.Uri.file(given.path) : given;
      if (uri.scheme !== 'file' || uri.authority !== '') return [];
      const stat = await vscode.workspace.fs.stat(uri).then(
        ({ type }) => type,
        () => undefined, // It is not there (any more).
      );
      return stat === undefined ? [] : [attachment(uri, stat & vscode.FileType.Directory ? 'directory' : 'file')];
    }),
  );
  return found.flat();
}

/** Workspace files whose name matches, best first. */
export async function findFiles(query: string): Promise<MessageAttachment[]> {
  const name = query.replace(/[^\p{L}\p{N}._/-]/gu, '');
  const cancel = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => cancel.cancel(), SEARCH_TIMEOUT_MS);
  try {
    const found = await vscode.workspace.findFiles(`**/*${name}*`, undefined, MAX_FOUND * 5, cancel.token);
    const rank = (uri: vscode.Uri) => {
      const path = vscode.workspace.asRelativePath(uri).toLowerCase();
      const base = path.slice(path.lastIndexOf('/') + 1);
      return (base.startsWith(name.toLowerCase()) ? 0 : 1000) + path.length;
    };
    return found
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, MAX_FOUND)
      .map((uri) => attachment(uri));
  } finally {
    clearTimeout(timer);
    cancel.dispose();
  }
}

function attachment(uri: vscode.Uri, type: 'file' | 'directory' = 'file'): MessageAttachment {
  return { type, uri: uri.toString(), displayName: vscode.workspace.asRelativePath(uri) };
}
