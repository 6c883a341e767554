/** Asks for a folder on the computer of another host. It completes the path and accepts only folders that exist. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { ErrorCode } from '../../../ahp/common/errors.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { messageOf } from '../../../base/errors.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { folderUri, matchingFolders, pathOfFolder, typedPath } from '../../../views/newSession/folderPath.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { withoutMarkup } from '../../../views/text/withoutMarkup.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';

interface FolderItem extends vscode.QuickPickItem {
  /** The folder that the item opens. Without it the item accepts the typed folder, unless it is a message. */
  path?: string;
  isMessage?: true;
}

/** Undefined when the user cancels. */
export async function chooseRemoteFolder(host: RegisteredHost, provider: string): Promise<URI | undefined> {
  const { state } = host.client;
  const start = state.kind === 'connected' && state.defaultDirectory ? pathOfFolder(state.defaultDirectory) : '/';
  const input = vscode.window.createQuickPick<FolderItem>();
  input.title = l10n.t('New Session');
  input.placeholder = l10n.t`Folder on ${withoutMarkup(host.label)} in which the agent should work`;
  input.ignoreFocusOut = true;
  input.value = start.endsWith('/') ? start : `${start}/`;
  const listings = new Map<string, Promise<string[]>>();
  /** The names of the folders in `folder`. */
  const listed = (folder: string): Promise<string[]> => {
    const known = listings.get(folder) ?? foldersIn(host, folder);
    listings.set(folder, known);
    // Try again the next time.
    known.catch(() => listings.delete(folder));
    return known;
  };

  const update = async () => {
    const { value } = input;
    const typed = typedPath(value);
    if (!typed) {
      input.items = [message(l10n.t('Type a path from the root, such as /home/me/project'))];
      return;
    }
    const take: FolderItem = { label: l10n.t`Work in ${withoutMarkup(value)}`, alwaysShow: true };
    input.items = [take];
    input.busy = true;
    try {
      const names = await listed(typed.folder);
      if (input.value !== value) return;
      const isThere = typed.rest === '' || names.includes(typed.rest);
      const inside = matchingFolders(names, typed.rest).map((name): FolderItem => ({
        label: withoutMarkup(oneLine(name)),
        iconPath: new vscode.ThemeIcon('folder'),
        description: l10n.t({ message: 'open', comment: 'a verb' }),
        alwaysShow: true,
        path: `${typed.folder}${name}/`,
      }));
      const missing = inside.length === 0 ? [message(l10n.t`There is no folder ${value} on ${host.label}.`)] : [];
      input.items = [...(isThere ? [take] : missing), ...inside];
    } catch (error) {
      // Some hosts list only the folders of their sessions. Whether this one exists is checked when it is accepted.
      if (input.value === value && isMissing(error)) input.items = [message(l10n.t`There is no folder ${typed.folder} on ${host.label}.`)];
    } finally {
      if (input.value === value) input.busy = false;
    }
  };

  const accept = async (): Promise<URI | undefined> => {
    const [item] = input.activeItems;
    if (!item || item.isMessage) return undefined;
    if (item.path !== undefined) {
      input.value = item.path;
      await update();
      return undefined;
    }
    const uri = folderUri(input.value);
    input.enabled = false;
    const problem = await folderProblem(host, provider, uri);
    input.enabled = true;
    if (problem === undefined) return uri;
    input.items = [message(problem)];
    return undefined;
  };

  try {
    return await new Promise<URI | undefined>((resolve, reject) => {
      input.onDidChangeValue(() => void update().catch(reject));
      input.onDidAccept(() => void accept().then((uri) => uri && resolve(uri), reject));
      input.onDidHide(() => resolve(undefined));
      input.show();
      void update().catch(reject);
    });
  } finally {
    input.dispose();
  }
}

async function foldersIn(host: RegisteredHost, folder: string): Promise<string[]> {
  const { entries } = await host.client.command('resourceList', { uri: folderUri(folder) });
  return entries.filter(({ type }) => type === 'directory').map(({ name }) => name);
}

/** Why an agent cannot work in the folder; undefined when it can. A host that does not list folders checks them with the configuration. */
async function folderProblem(host: RegisteredHost, provider: string, uri: URI): Promise<string | undefined> {
  const missing = l10n.t`There is no folder ${pathOfFolder(uri)} on ${host.label}.`;
  try {
    await host.client.command('resourceList', { uri });
    return undefined;
  } catch (error) {
    if (!(error instanceof RpcError)) return messageOf(error);
    if (isMissing(error)) return missing;
  }
  try {
    await host.client.command('resolveSessionConfig', { provider, workingDirectory: uri });
    return undefined;
  } catch (error) {
    return error instanceof RpcError && error.code === ErrorCode.InvalidParams ? missing : messageOf(error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof RpcError && error.code === ErrorCode.NotFound;
}

function message(text: string): FolderItem {
  return { label: withoutMarkup(oneLine(text)), iconPath: new vscode.ThemeIcon('info'), alwaysShow: true, isMessage: true };
}
