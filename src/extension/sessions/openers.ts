/** Opens what a session refers to: files and both sides of an edit. */
import * as vscode from 'vscode';
import type { FileEdit, FileEditSide } from '../../ahp/v1/common.ts';
import { oneLine } from '../../views/oneLine.ts';
import { displayPath } from '../../views/displayPath.ts';
import type { AgentHost } from '../hosts/agentHost.ts';
import { resourceDocument } from './resourceDocuments.ts';

export async function openDiff(host: AgentHost, edit: FileEdit): Promise<void> {
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
  // A created file has no before and a deleted one no after: there is one document to show.
  const only = after ?? before;
  if (only) await vscode.window.showTextDocument(document(only), { preview: true });
}

/** The file itself where the host shares our file system, else its content as a read-only document. */
export async function openFile(host: AgentHost, uri: string): Promise<void> {
  const parsed = vscode.Uri.parse(uri, true);
  // A file of another computer (`file://server/…`) would be asked for with the user's credentials: that goes through the host.
  const ours = host.kind === 'embedded' && parsed.scheme === 'file' && parsed.authority === '';
  const target = ours ? parsed : resourceDocument(host.id, uri, displayPath(uri));
  await vscode.window.showTextDocument(target, { preview: true });
}
