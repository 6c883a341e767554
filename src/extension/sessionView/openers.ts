/** Opens what a session refers to: files and both sides of an edit. */
import * as vscode from 'vscode';
import type { FileEdit, FileEditSide } from '../../ahp/common/shapes.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { documentOf, resourceDocument } from './resourceDocuments.ts';

export async function openDiff(host: RegisteredHost, edit: FileEdit): Promise<void> {
  const path = displayPath((edit.after ?? edit.before)?.uri ?? '');
  const name = oneLine(path.slice(path.lastIndexOf('/') + 1));
  const document = (side: FileEditSide) => resourceDocument(host.id, side.content.uri, displayPath(side.uri));
  const { before, after } = edit;
  if (before && after) {
    await vscode.commands.executeCommand('vscode.diff', document(before), document(after), `${name} (edited by the agent)`, {
      preview: true,
    });
    return;
  }
  // A created file has no `before`, and a deleted file has no `after`.
  const only = after ?? before;
  if (only) await vscode.window.showTextDocument(document(only), { preview: true });
}

/**
 * Opens the file itself if the host runs on this computer, otherwise its content as a read-only document. The fragments `#L12`
 * and `#L12-L20` select lines.
 */
export async function openFile(host: RegisteredHost, link: string): Promise<void> {
  const lines = /^L(\d+)(?:-L?(\d+))?$/.exec(vscode.Uri.parse(link, true).fragment);
  const uri = lines ? link.slice(0, link.indexOf('#')) : link;
  const target = documentOf(host, uri);
  await vscode.window.showTextDocument(target, { preview: true, ...(lines && { selection: linesOf(lines) }) });
}

/** A single line selects its beginning. VS Code clips the range to the document. */
function linesOf([, first, last]: RegExpExecArray): vscode.Range {
  const from = Math.max(0, Number(first) - 1);
  return last === undefined ? new vscode.Range(from, 0, from, 0) : new vscode.Range(from, 0, Math.max(from, Number(last)), 0);
}
