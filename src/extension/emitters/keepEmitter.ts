/** Shows an emitter in the `tap.config.json` of the folder that its session works in, unsaved: it is kept by the user who saves it. */
import * as l10n from '../../base/l10n.ts';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { addEmitter } from '../../tap/owner/config/addEmitter.ts';
import { tapConfigPaths } from '../../tap/owner/config/tapConfigPaths.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import { showInfo } from '../notifications.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import { folderOf } from '../sessions/sessionFolder.ts';

/** Rejects with a text for the user. */
export async function keepEmitter(status: EmitterStatus, cwd: string | undefined): Promise<void> {
  if (!vscode.workspace.isTrusted)
    throw new UserError(l10n.t('This workspace is not trusted, so nothing of its tap.config.json would run.'));
  const folder = folderOf(cwd, folderPaths());
  if (folder === undefined) throw new UserError(l10n.t('The session works in none of the folders of this window.'));
  const found = tapConfigPaths.map((path) => join(folder, path)).find((path) => existsSync(path));
  const path = found ?? join(folder, tapConfigPaths[0]);
  const file = vscode.Uri.file(path);
  const document = await vscode.workspace.openTextDocument(found === undefined ? file.with({ scheme: 'untitled' }) : file);
  const before = document.getText();
  const after = addEmitter(before, path, status);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(0), document.positionAt(before.length)), after);
  if (!(await vscode.workspace.applyEdit(edit))) throw new UserError(l10n.t`${path} could not be changed.`);
  await vscode.window.showTextDocument(document);
  void showInfo(l10n.t`“${status.name}” is kept once you save ${basename(path)}. Then you are asked about all that it names.`);
}
