/** Where a session works, and what a file of this computer is there. */
import * as vscode from 'vscode';
import type { SessionPlace as PlaceOf } from '../../../pages/session/sessionPlace.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { hasOurFiles, type RegisteredHost } from '../../hosts/registeredHost.ts';
import { twinIn } from './workTreeTwin.ts';

export type SessionPlace = PlaceOf<RegisteredHost>;

export interface PlacedFile {
  uri: vscode.Uri;
  /** From the folder of the session, where the file is in it. */
  path: string;
  /** It is that of the session's work tree, in place of the user's. */
  isTwin: boolean;
}

/** A file of the open repository is that of the session's work tree, where it has it. `uri`: as editors name it. */
export async function placed({ host, folder }: SessionPlace, uri: vscode.Uri): Promise<PlacedFile> {
  const own = hasOurFiles(host) && folder !== undefined ? vscode.Uri.parse(folder) : undefined;
  // A folder of the network is not looked into: its computer would be asked with the user's name.
  const twin = own?.scheme === 'file' && own.authority === '' && uri.scheme === 'file' ? await twinIn(own.fsPath, uri.fsPath) : undefined;
  const file = twin === undefined ? uri : vscode.Uri.file(twin);
  const path = displayPath(file.toString(), folder);
  const isInside = path !== displayPath(file.toString());
  return { uri: file, path: isInside ? path : vscode.workspace.asRelativePath(file), isTwin: twin !== undefined };
}
