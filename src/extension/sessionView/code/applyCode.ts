/**
 * Puts a block of code of an agent into a file, after the user has seen the difference. The file is what the block names in the folder of the
 * session, else the open one, else one that the user picks. The edit can be undone, and is not saved.
 */
import * as l10n from '../../../base/l10n.ts';
import { realpath } from 'node:fs/promises';
import { posix, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { messageOf, UserError } from '../../../base/errors.ts';
import { applyQuestion, codeFor, filesNamed, type NamedCode } from '../../../views/text/markdown/codeTarget.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { insertProblem } from '../../../views/text/markdown/usableCode.ts';
import { confirmUnlikely, showInfo } from '../../notifications.ts';
import type { TextDocuments } from '../../textDocuments.ts';

/** In bytes. */
const MAX_FILE = 5_000_000;
const APPLY = l10n.t('Apply');

/** `folder`: where the session works, on this computer. */
export async function applyCode(named: NamedCode, folder: string | undefined, proposed: TextDocuments): Promise<void> {
  const problem = insertProblem(named.code);
  if (problem !== undefined) throw new UserError(l10n.sentencesText([problem, l10n.t('Nothing was changed.')]));
  const root = folder === undefined ? undefined : vscode.Uri.parse(folder, true);
  const target = await targetOf(named, root);
  if (!target) return;
  const document = await opened(target);
  const { version } = document;
  const name = oneLine(vscode.workspace.asRelativePath(document.uri, false));
  const text = document.getText();
  const selection = selectionIn(document);
  const range = selection ?? new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const code = codeFor(named.code, text, { start, end }, document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
  const next = text.slice(0, start) + code + text.slice(end);
  if (next === text) return void showInfo(l10n.t`${name} has this code already. Nothing was changed.`);

  const right = proposed.add(document.uri.path, next);
  try {
    await vscode.commands.executeCommand('vscode.diff', document.uri, right, `${name} ↔ code of the answer`, { preview: true });
    const question = applyQuestion({
      file: name,
      lines: document.lineCount,
      newLines: code.replace(/\r?\n$/, '').split('\n').length,
      ...(selection && { selection: { from: selection.start.line + 1, to: lastLineOf(selection) } }),
    });
    const answer = await showInfo(question, APPLY, l10n.t('Do Not Apply'));
    if (answer === APPLY) await write({ document, version, range, code, name, right });
  } finally {
    await closeDiff(right);
  }
}

interface Edit {
  readonly document: vscode.TextDocument;
  /** Of the document that the difference was made of. */
  readonly version: number;
  readonly range: vscode.Range;
  readonly code: string;
  readonly name: string;
  /** The side of the difference that has the code. */
  readonly right: vscode.Uri;
}

async function write({ document, version, range, code, name, right }: Edit): Promise<void> {
  // The document may also have been closed, and its file changed.
  const now = await opened(document.uri);
  if (now !== document || now.version !== version)
    throw new UserError(
      l10n.t`${name} has changed since the diff was made. Nothing was changed. Apply the code again to see the new difference.`,
    );
  // The question stays when the diff is closed, or gives its tab to that of another block.
  if (!isShown(right)) throw new UserError(l10n.t('The difference is not shown any more, so nothing was changed. Apply the code again.'));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, code);
  if (!(await vscode.workspace.applyEdit(edit))) throw new UserError(l10n.t`${name} cannot be changed. Nothing was changed.`);
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Undefined: the user has picked none. */
async function targetOf(named: NamedCode, root: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  if (root) {
    for (const path of filesNamed(named)) {
      const file = path.startsWith('/') ? root.with({ path }) : vscode.Uri.joinPath(root, path);
      const inside = (await isFile(file)) ? await insideOf(file, [root]) : undefined;
      if (inside) return inside;
    }
  }
  const open = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  // It has been read already: what is changed is what the user sees.
  if (open && isWritable(open.document.uri)) return (await allowed(open.document.uri, root)) && open.document.uri;
  const [picked] =
    (await vscode.window.showOpenDialog({
      title: l10n.t('Apply the Code to a File'),
      openLabel: l10n.t('Show the Difference'),
      ...(root && { defaultUri: root }),
    })) ?? [];
  return picked && allowed(picked, root);
}

/** Outside of the folders that the user works in, only what they say. Undefined: it must not be changed. */
async function allowed(file: vscode.Uri, root: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  if (file.scheme === 'untitled') return file;
  const folders = [...(root ? [root] : []), ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const inside = await insideOf(file, folders);
  if (inside) return inside;
  const shown = file.scheme === 'file' ? file.fsPath : oneLine(file.toString(true), 300);
  const where = l10n.t(
    'It is neither in the folder of the session nor in one of this window. You see the difference before anything is changed.',
  );
  return (await confirmUnlikely(l10n.t`Apply code of an agent to ${shown}?`, where, l10n.t('Show the Difference'), l10n.t('Cancel')))
    ? file
    : undefined;
}

/** Where it really is in one of the folders, with no link behind that folder. Undefined where it is in none, or cannot be found. */
async function insideOf(file: vscode.Uri, folders: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
  if (file.scheme !== 'file') return folders.some((folder) => isBelow(file, folder)) ? file : undefined;
  const real = (uri: vscode.Uri) => realpath(uri.fsPath).catch(() => undefined);
  const path = await real(file);
  if (path === undefined) return undefined;
  // Two folders may be the same one. The way that the user took to it is the way to its open document.
  for (const folder of [...folders].sort((a, b) => Number(isBelow(file, b)) - Number(isBelow(file, a)))) {
    const base = folder.scheme === 'file' ? await real(folder) : undefined;
    if (base !== undefined && path.startsWith(base.endsWith(sep) ? base : base + sep))
      return vscode.Uri.joinPath(folder, ...relative(base, path).split(sep));
  }
  return undefined;
}

/** By their names only. */
function isBelow(file: vscode.Uri, folder: vscode.Uri): boolean {
  const base = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
  return file.scheme === folder.scheme && file.authority === folder.authority && posix.normalize(file.path).startsWith(base);
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
    if (uri.scheme === 'file' && (await vscode.workspace.fs.stat(uri)).size > MAX_FILE) throw new Error(l10n.t('it is too large'));
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw new UserError(l10n.t`The file cannot be opened: ${oneLine(messageOf(error))}. Nothing was changed.`);
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

/** In front of the other tabs of its group. */
function isShown(right: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ activeTab }) => activeTab && isDiffOf(activeTab, right));
}

async function closeDiff(right: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  await vscode.window.tabGroups.close(tabs.filter((tab) => isDiffOf(tab, right)));
}

function isDiffOf({ input }: vscode.Tab, right: vscode.Uri): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString();
}
