/** Files as attachments of a message to a session of a host. What cannot be attached is refused at once, with a `UserError`. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { URI } from '../../../ahp/common/shapes.ts';
import { bestPaths, globFor, plainName } from '../../../views/session/composer/foundFiles.ts';
import { type FileAttachment, fileAttachment } from '../../../views/session/composer/attachments.ts';
import { hasOurFiles } from '../../hosts/registeredHost.ts';
import type { Attached } from '../../../webviews/session/protocol.ts';
import { settings } from '../../settings.ts';
import { attachedElsewhere, type FileHere } from './elsewhere.ts';
import { findHostFiles } from '../../../pages/attaching/findHostFiles.ts';
import { placed, type SessionPlace } from './placedFile.ts';

/** What the editor knows is offered after them. */
const MAX_FOUND = 12;
const MAX_SEARCHED = 200;
const MAX_GIVEN = 50;
const SEARCH_TIMEOUT_MS = 5_000;

export async function pickAttachments(place: SessionPlace): Promise<Attached> {
  const picked = await vscode.window.showOpenDialog({
    canSelectMany: true,
    canSelectFiles: true,
    canSelectFolders: false,
    openLabel: l10n.t('Attach'),
    title: l10n.t('Attach files to the message'),
    defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
  });
  return attachmentsOf(place, picked ?? []);
}

/** The files and folders among `uris` that exist, as attachments. Those of the open repository are those of the session's work tree, where it has them. */
export async function attachmentsOf(place: SessionPlace, uris: readonly vscode.Uri[]): Promise<Attached> {
  const { host, session } = place;
  const files = await existing(uris);
  if (!hasOurFiles(host)) return attachedElsewhere(host, session.uri, files.map(fileHere), settings.contextTokens());
  return { attachments: await Promise.all(files.map((file) => ownAttachment(place, file))) };
}

/** For `#` in the composer: files and folders of the session's folder, on whichever host. Best match first. */
export async function findFiles({ host, folder }: SessionPlace, query: string): Promise<FileAttachment[]> {
  return hasOurFiles(host) ? findOwnFiles(folder, query) : findHostFiles(host.client, folder, query);
}

async function ownAttachment(place: SessionPlace, file: Existing): Promise<FileAttachment> {
  const { uri, path, isTwin } = await placed(place, file.uri);
  // eslint-disable-next-line texts/translated -- for the model
  return attachment({ ...file, uri }, isTwin ? `${path} (in the work tree)` : path);
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

function fileHere({ uri, isFolder, size }: Existing): FileHere {
  const { fs } = vscode.workspace;
  const read = async () => (isFolder ? (await fs.readDirectory(uri)).map(([name]) => name) : fs.readFile(uri));
  const label = vscode.workspace.asRelativePath(uri);
  return { uri: uri.toString(), path: uri.fsPath, label, isFolder, size: isFolder ? 0 : size, read };
}

async function findOwnFiles(folder: URI | undefined, query: string): Promise<FileAttachment[]> {
  const base = folder === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.parse(folder);
  if (!base) return [];
  const name = plainName(query);
  const cancel = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => cancel.cancel(), SEARCH_TIMEOUT_MS);
  try {
    const pattern = new vscode.RelativePattern(base, globFor(name));
    const found = await vscode.workspace.findFiles(pattern, undefined, MAX_SEARCHED, cancel.token);
    const paths = found.map((uri) => uri.path.slice(base.path.replace(/\/$/, '').length + 1));
    return bestPaths(paths, name, MAX_FOUND).map(({ path, isFolder }) =>
      attachment({ uri: vscode.Uri.joinPath(base, path), isFolder }, path),
    );
  } finally {
    clearTimeout(timer);
    cancel.dispose();
  }
}

function attachment({ uri, isFolder }: Pick<Existing, 'uri' | 'isFolder'>, label: string): FileAttachment {
  return fileAttachment(uri.toString(), label, isFolder ? 'directory' : 'file');
}
