/** The documents of annotated files, and which of them are in a session's folders. */
import * as vscode from 'vscode';
import type { URI } from '../../ahp/common/shapes.ts';
import { isInFolders } from '../../views/annotations/isInFolders.ts';
import { folderOf } from '../sessions/sessionFolder.ts';
import { documentOf, hostFileOf } from '../sessionView/resourceDocuments.ts';
import type { AnnotatedSession } from './annotatedSession.ts';

/** Undefined for what is not a URI. */
export function documentIn({ host }: AnnotatedSession, file: URI): vscode.Uri | undefined {
  try {
    return documentOf(host, file);
  } catch {
    return undefined;
  }
}

/** The document's file in the words of the session's host, if it is in one of the session's folders. */
export function fileIn({ host, folders }: AnnotatedSession, document: vscode.Uri): URI | undefined {
  const file = hostFile(host, document);
  if (file === undefined) return undefined;
  const isWithin = document.scheme === 'file' ? folderOf(document.fsPath, folders.flatMap(localPath)) : isInFolders(file, folders);
  return isWithin ? file : undefined;
}

function hostFile(host: AnnotatedSession['host'], document: vscode.Uri): URI | undefined {
  try {
    return hostFileOf(host, document);
  } catch {
    return undefined; // Another extension may open any URI.
  }
}

function localPath(folder: URI): string[] {
  try {
    const { scheme, authority, fsPath } = vscode.Uri.parse(folder, true);
    return scheme === 'file' && authority === '' ? [fsPath] : [];
  } catch {
    return []; // A host may name anything as a folder.
  }
}
