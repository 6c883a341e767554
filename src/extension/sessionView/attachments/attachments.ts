/** Files as attachments of a message to a session of a host. A file that the host does not have is refused at once, with a `UserError`. */
import * as vscode from 'vscode';
import type { URI } from '../../../ahp/common/shapes.ts';
import { type FileAttachment, fileAttachment } from '../../../views/session/composer/attachments.ts';
import { UserError } from '../../../base/errors.ts';
import { hasOurFiles, type RegisteredHost } from '../../hosts/registeredHost.ts';
import { attachProblem, findHostFiles, type LocalFile } from './hostFiles.ts';

const MAX_FOUND = 20;
const MAX_GIVEN = 50;
const SEARCH_TIMEOUT_MS = 5_000;

export async function pickAttachments(host: RegisteredHost): Promise<FileAttachment[]> {
  const picked = await vscode.window.showOpenDialog({
    canSelectMany: true,
    canSelectFiles: true,
    canSelectFolders: false,
    openLabel: 'Attach',
    title: 'Attach files to the message',
    defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
  });
  return attachmentsOf(host, picked ?? []);
}

/** The files and folders among `uris` that exist, as attachments. */
export async function attachmentsOf(host: RegisteredHost, uris: readonly vscode.Uri[]): Promise<FileAttachment[]> {
  const files = await existing(uris);
  const problem = hasOurFiles(host) ? undefined : await attachProblem(host.client, host.label, files.map(localFile));
  if (problem !== undefined) throw new UserError(problem);
  return files.map(({ uri, isFolder }) => attachment(uri, isFolder ? 'directory' : 'file'));
}

/** For `#` in the composer: files of the workspace, or of the session's folder on another host. Best match first. */
export async function findFiles(host: RegisteredHost, workingDirectory: URI | undefined, query: string): Promise<FileAttachment[]> {
  return hasOurFiles(host) ? findWorkspaceFiles(query) : findHostFiles(host.client, workingDirectory, query);
}

interface Existing {
  uri: vscode.Uri;
  isFolder: boolean;
  size: number;
}

async function existing(uris: readonly vscode.Uri[]): Promise<Existing[]> {
  const found = await Promise.all(
    uris.slice(0, MAX_GIVEN).map(async (given): Promise<Existing[]> => {
      // A remote window uses this scheme for the files of the computer on which the extension runs.
      const uri = given.scheme === 'vscode-remote' ? vscode.Uri.file(given.path) : given;
      if (uri.scheme !== 'file' || uri.authority !== '') return [];
      const stat = await vscode.workspace.fs.stat(uri).then(
        (known) => known,
        () => undefined, // does not exist
      );
      return stat === undefined ? [] : [{ uri, isFolder: (stat.type & vscode.FileType.Directory) !== 0, size: stat.size }];
    }),
  );
  return found.flat();
}

function localFile({ uri, isFolder, size }: Existing): LocalFile {
  const { fs } = vscode.workspace;
  const read = async () => (isFolder ? (await fs.readDirectory(uri)).map(([name]) => name) : fs.readFile(uri));
  return { uri: uri.toString(), size: isFolder ? 0 : size, read };
}

async function findWorkspaceFiles(query: string): Promise<FileAttachment[]> {
  const name = query.replace(/[^\p{L}\p{N}._/-]/gu, '');
  const cancel = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => cancel.cancel(), SEARCH_TIMEOUT_MS);
  try {
    const found = await vscode.workspace.findFiles(`**/*${name}*`, undefined, MAX_FOUND * 5, cancel.token);
    const rank = (uri: vscode.Uri) => {
      const path = vscode.workspace.asRelativePath(uri).toLowerCase();
      const base = path.slice(path.lastIndexOf('/') + 1);
      return (base.startsWith(name.toLowerCase()) ? 0 : 1000) + path.length;
    };
    return found
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, MAX_FOUND)
      .map((uri) => attachment(uri, 'file'));
  } finally {
    clearTimeout(timer);
    cancel.dispose();
  }
}

function attachment(uri: vscode.Uri, kind: 'file' | 'directory'): FileAttachment {
  return fileAttachment(uri.toString(), vscode.workspace.asRelativePath(uri), kind);
}
