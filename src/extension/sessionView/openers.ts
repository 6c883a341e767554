/** Opens what a session refers to: files and both sides of an edit. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { FileEdit, FileEditSide } from '../../ahp/common/shapes.ts';
import { messageOf, UserError } from '../../base/errors.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { displayPath } from '../../views/text/displayPath.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { documentOf, resourceDocument } from './resourceDocuments.ts';

/** `what`: for the title of a difference. */
export async function openDiff(host: RegisteredHost, edit: FileEdit, what = l10n.t('edited by the agent')): Promise<void> {
  const path = displayPath((edit.after ?? edit.before)?.uri ?? '');
  const name = oneLine(path.slice(path.lastIndexOf('/') + 1));
  const document = (side: FileEditSide) => resourceDocument(host.id, side.content.uri, displayPath(side.uri));
  const { before, after } = edit;
  if (before && after) {
    await vscode.commands.executeCommand('vscode.diff', document(before), document(after), `${name} (${what})`, {
      preview: true,
    });
    return;
  }
  // A created file has no `before`, and a deleted file has no `after`.
  const only = after ?? before;
  if (only) await vscode.window.showTextDocument(document(only), { preview: true });
}

/**
 * Opens the file itself if the host runs on this computer, otherwise its content as a read-only document. The fragments `#L12`, `#L12,5`
 * (a column) and `#L12-L20` say where.
 */
export async function openFile(host: RegisteredHost, link: string): Promise<void> {
  const lines = /^L(\d+)(?:,(\d+)|-L?(\d+))?$/.exec(vscode.Uri.parse(link, true).fragment);
  const uri = lines ? link.slice(0, link.indexOf('#')) : link;
  const target = documentOf(host, uri);
  const document = await opened(
    target,
    () => l10n.t`${host.label} has no file ${displayPath(uri)} that can be shown. It may have been moved or deleted.`,
  );
  await vscode.window.showTextDocument(document, { preview: true, ...(lines && { selection: linesOf(lines) }) });
}

/** The path may be one that a model made up. */
async function opened(target: vscode.Uri, problem: () => string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(target);
  } catch (error) {
    throw new UserError(`${problem()} (${oneLine(messageOf(error))})`);
  }
}

/** A single line selects its beginning. VS Code clips the range to the document. */
function linesOf([, first, column = '1', last]: RegExpExecArray): vscode.Range {
  const from = Math.max(0, Number(first) - 1);
  const at = Math.max(0, Number(column) - 1);
  return last === undefined ? new vscode.Range(from, at, from, at) : new vscode.Range(from, 0, Math.max(from, Number(last)), 0);
}
