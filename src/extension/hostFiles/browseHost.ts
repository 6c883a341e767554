/** Opens a folder of a host: one in which its sessions work, or that in which it begins. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { pathOfFolder } from '../../views/newSession/folderPath.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import { hasOurFiles, type RegisteredHost } from '../hosts/registeredHost.ts';
import { hostFileUri } from './hostFileSystem.ts';

const MAX_FOLDERS = 200;

/** `sessionUri`: the session whose folder is meant. */
export async function browseHost(host: RegisteredHost, sessionUri: string | undefined): Promise<void> {
  const { state, sessions } = host.client;
  if (state.kind !== 'connected') throw new UserError(l10n.t`${oneLine(host.label)} is not connected. Browse its files when it is.`);
  const own = sessions.summaries.filter(({ resource }) => sessionUri === undefined || resource === sessionUri);
  const uris = [
    ...own.flatMap(({ workingDirectories = [] }) => workingDirectories),
    ...(sessionUri === undefined ? [state.defaultDirectory] : []),
  ];
  const paths = new Set(uris.filter((uri) => uri?.startsWith('file:')).map((uri) => pathOfFolder(uri as string)));
  const folders = [...paths].slice(0, MAX_FOLDERS);
  if (folders.length === 0)
    throw new UserError(l10n.t`${oneLine(host.label)} names no folder here. Start a session in the folder that you want to browse.`);
  const title = l10n.t`Files of ${withoutMarkup(oneLine(host.label))}`;
  const path = folders.length === 1 ? folders[0] : await pickFolder(folders, title);
  if (path === undefined) return;
  const here = l10n.t('Add to This Window');
  const places = [{ label: l10n.t('Open in a New Window') }, { label: here }];
  const where = await vscode.window.showQuickPick(places, {
    title,
    placeHolder: l10n.t`Where should ${withoutMarkup(oneLine(path))} be opened?`,
  });
  if (!where) return;
  const uri = hasOurFiles(host) ? vscode.Uri.file(path) : hostFileUri(host.id, path);
  if (where.label !== here) return vscode.commands.executeCommand('vscode.openFolder', uri, { forceNewWindow: true });
  const name = oneLine(`${path.slice(path.lastIndexOf('/') + 1) || path} (${host.label})`, 100);
  vscode.workspace.updateWorkspaceFolders(vscode.workspace.workspaceFolders?.length ?? 0, 0, { uri, name });
}

async function pickFolder(folders: readonly string[], title: string): Promise<string | undefined> {
  const items = folders.map((path) => ({ label: withoutMarkup(oneLine(path)), path }));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: l10n.t('Which folder do you want to browse?') }))?.path;
}
