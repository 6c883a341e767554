/** Where a session works: its folder and its branch, outside of Tapline. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { branchName } from '../../../views/session/details/sessionDetails.ts';
import { folderOf } from '../../../views/session/openChat.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import { showInfo } from '../../notifications.ts';
import { documentOf } from '../../sessionView/resourceDocuments.ts';
import { titleOf } from '../../../pages/titleOf.ts';
import { readSession } from '../../sessions/readChats.ts';

export async function openFolder(host: RegisteredHost, ref: SessionRef): Promise<void> {
  await vscode.commands.executeCommand('vscode.openFolder', await folderHere(host, ref), { forceNewWindow: true });
}

export async function openTerminalInFolder(host: RegisteredHost, ref: SessionRef): Promise<void> {
  const cwd = await folderHere(host, ref);
  vscode.window.createTerminal({ name: oneLine(titleOf({ get: () => host }, ref), 40), cwd }).show();
}

export async function copyBranch(host: RegisteredHost, ref: SessionRef): Promise<void> {
  const branch = branchName(await readSession(host.client, ref.uri));
  if (branch === undefined) throw new UserError(l10n.t('Nothing was copied: the host of this session names no branch.'));
  await vscode.env.clipboard.writeText(branch);
  void showInfo(l10n.t`“${branch}” was copied.`);
}

/** Only a folder that VS Code can open, which is one of this computer. */
async function folderHere(host: RegisteredHost, ref: SessionRef): Promise<vscode.Uri> {
  const folder = folderOf(await readSession(host.client, ref.uri));
  if (folder === undefined) throw new UserError(l10n.t('This session has no folder.'));
  const uri = documentOf(host, folder);
  if (uri.scheme !== 'file')
    throw new UserError(
      l10n.t`The folder of this session is not on this computer: ${oneLine(displayPath(folder))} at ${oneLine(host.label)}. Open it with “Tapline: Browse Files of an Agent Host…”.`,
    );
  const found = await vscode.workspace.fs.stat(uri).then(
    ({ type }) => (type & vscode.FileType.Directory) !== 0,
    () => false,
  );
  if (!found)
    throw new UserError(l10n.t`The folder of this session is gone: ${oneLine(displayPath(folder))}. It may have been moved or deleted.`);
  return uri;
}
