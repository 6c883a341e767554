/** Files and ranges in the words of the tools. */
import type * as vscode from 'vscode';
import type { WindowFolders } from '../shared/windowFolders.ts';

/** Undefined for what is not a file of the window's folders. */
export function fileOf(uri: vscode.Uri, folders: WindowFolders): string | undefined {
  return uri.scheme === 'file' && folders.has(uri.fsPath) ? uri.fsPath : undefined;
}

/** Lines and columns begin with 1. */
export function rangeOf({ start, end }: vscode.Range) {
  return { startLine: start.line + 1, startColumn: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
}
