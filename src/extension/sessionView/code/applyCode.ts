/**
 * Puts a block of code of an agent into a file, after the user has seen the difference. The file is what the block names in the folder of the
 * session, else the open one, else one that the user picks. The edit can be undone, and is not saved.
 */
import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../../base/errors.ts';
import { applyQuestion, codeFor, filesNamed, type NamedCode } from '../../../views/text/markdown/codeTarget.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { insertProblem } from '../../../views/text/markdown/usableCode.ts';
import { confirmUnlikely, showInfo } from '../../notifications.ts';
import type { TextDocuments } from '../../textDocuments.ts';

/** In bytes. */
const MAX_FILE = 5_000_000;
const APPLY = 'Apply';

/** `folder`: where the session works, on this computer. */
export async function applyCode(named: NamedCode, folder: string | undefined, proposed: TextDocuments): Promise<void> {
  const problem = insertProblem(named.code);
  if (problem !== undefined) throw new UserError(`${problem} Nothing was changed.`);
  const root = folder === undefined ? undefined : vscode.Uri.parse(folder, true);
  const target = await targetOf(named, root);
  if (!target) return;
  const document = await opened(target);
  const name = oneLine(vscode.workspace.asRelativePath(document.uri, false));
  const text = document.getText();
  const selection = selectionIn(document);
  const range = selection ?? new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const code = codeFor(named.code, text, { start, end });
  const next = text.slice(0, start) + code + text.slice(end);
  if (next === text) return void showInfo(`${name} has this code already. Nothing was changed.`);

  const right = proposed.add(document.uri.path, next);
  await vscode.commands.executeCommand('vscode.diff', document.uri, right, `${name} ↔ code of the answer`, { preview: true });
  const { version } = document;
  const question = applyQuestion({
    file: name,
    lines: document.lineCount,
    newLines: code.replace(/\n$/, '').split('\n').length,
    ...(selection && { selection: { from: selection.start.line + 1, to: lastLineOf(selection) } }),
  });
  const answer = await showInfo(question, APPLY, 'Do Not Apply');
  if (answer === APPLY) await write(document, version, range, code, name);
  await closeDiff(right);
}

async function write(document: vscode.TextDocument, version: number, range: vscode.Range, code: string, name: string): Promise<void> {
  // The document may also have been closed, and its file changed.
  const now = await opened(document.uri);
  if (now !== document || now.version !== version)
    throw new UserError(
      `${name} has changed since the diff was made. Nothing was changed. Apply the code again to see the new difference.`,
    );
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, code);
  if (!(await vscode.workspace.applyEdit(edit))) throw new UserError(`${name} cannot be changed. Nothing was changed.`);
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Undefined: the user has picked none. */
async function targetOf(named: NamedCode, root: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  if (root) {
    for (const path of filesNamed(named)) {
      const file = path.startsWith('/') ? root.with({ path }) : vscode.Uri.joinPath(root, path);
      if ((await isFile(file)) && (await isInside(file, [root]))) return file;
    }
  }
  const open = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (open && isWritable(open.document.uri)) return (await mayChange(open.document.uri, root)) ? open.document.uri : undefined;
  const [picked] =
    (await vscode.window.showOpenDialog({
      title: 'Apply the Code to a File',
      openLabel: 'Show the Difference',
      ...(root && { defaultUri: root }),
    })) ?? [];
  return picked && (await mayChange(picked, root)) ? picked : undefined;
}

/** Outside of the folders that the user works in, only what they say. */
async function mayChange(file: vscode.Uri, root: vscode.Uri | undefined): Promise<boolean> {
  if (file.scheme !== 'file') return true;
  const folders = [...(root ? [root] : []), ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  if (await isInside(file, folders)) return true;
  const where = 'It is neither in the folder of the session nor in one of this window. You see the difference before anything is changed.';
  return confirmUnlikely(`Apply code of an agent to ${file.fsPath}?`, where, 'Show the Difference', 'Cancel');
}

/** By where they really are. A file that cannot be found is not inside. */
async function isInside(file: vscode.Uri, folders: readonly vscode.Uri[]): Promise<boolean> {
  const real = async (uri: vscode.Uri) => realpath(uri.fsPath).catch(() => undefined);
  const path = await real(file);
  for (const folder of folders) {
    const base = folder.scheme === 'file' ? await real(folder) : undefined;
    if (base !== undefined && path?.startsWith(base.endsWith(sep) ? base : base + sep)) return true;
  }
  return false;
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false; // A model made it up.
  }
}

async function opened(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    if (uri.scheme === 'file' && (await vscode.workspace.fs.stat(uri)).size > MAX_FILE) throw new Error('it is too large');
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new UserError(`The file cannot be opened: ${oneLine(messageOf(error))}. Nothing was changed.`);
  }
}

/** Documents of extensions, such as one side of a diff, cannot be changed. */
function isWritable({ scheme }: vscode.Uri): boolean {
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

/** What the user has selected in it. */
function selectionIn(document: vscode.TextDocument): vscode.Selection | undefined {
  const editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find((one) => one?.document === document);
  return editor && !editor.selection.isEmpty ? editor.selection : undefined;
}

/** From 1. A selection up to the beginning of a line does not hold that line. */
function lastLineOf({ start, end }: vscode.Range): number {
  return end.character === 0 && end.line > start.line ? end.line : end.line + 1;
}

async function closeDiff(right: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isOurs = ({ input }: vscode.Tab) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString();
  await vscode.window.tabGroups.close(tabs.filter(isOurs));
}
