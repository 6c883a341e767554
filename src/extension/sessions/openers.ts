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

/** The file itself where the host shares our file system, else its content as a read-only document. `#L12` and `#L12-L20` are lines. */
export async function openFile(host: AgentHost, link: string): Promise<void> {
  const whole = vscode.Uri.parse(link, true);
  const lines = /^L(\d+)(?:-L?(\d+))?$/.exec(whole.fragment);
  const parsed = lines ? whole.with({ fragment: '' }) : whole;
  const uri = lines ? link.slice(0, link.indexOf('#')) : link;
  // A file of another computer (`file://server/…`) would be asked for with the user's credentials: that goes through the host.
  const ours = host.kind === 'embedded' && parsed.scheme === 'file' && parsed.authority === '';
  const target = ours ? parsed : resourceDocument(host.id, uri, displayPath(uri));
  await vscode.window.showTextDocument(target, { preview: true, ...(lines && { selection: linesOf(lines) }) });
}

/** The beginning of the one line, or all of several; VS Code keeps a range within its document. */
function linesOf([, first, last]: RegExpExecArray): vscode.Range {
  const from = Math.max(0, Number(first) - 1);
  return last === undefined ? new vscode.Range(from, 0, from, 0) : new vscode.Range(from, 0, Math.max(from, Number(last)), 0);
}
