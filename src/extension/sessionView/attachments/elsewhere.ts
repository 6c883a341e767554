/**
 * Files of this computer for a session at a host that may be on another one. What the host has as well goes as it is. Anything else is lent to
 * it, or goes along as text where the host may not read what is lent. What neither can be done with is refused.
 */
import { basename } from 'node:path';
import { hasLentFiles } from '../../../ahp/lentFiles.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { UserError } from '../../../base/errors.ts';
import { utf8Of } from '../../../base/text/utf8.ts';
import { fileAttachment } from '../../../views/session/composer/attachments.ts';
import type { ContextItem } from '../../../views/session/composer/contextItems.ts';
import { fileItem } from '../../../views/session/composer/editorItems.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import type { Attached } from '../../../webviews/session/protocol.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import { placeOfNoLink } from '../../lending/lentFiles.ts';
import { type LocalFile, missingAt, missingProblem } from './hostFiles.ts';

/** A larger file is not read to send it as text. The setting for context allows less than that. */
const MAX_TEXT_BYTES = 400_000;

export interface FileHere extends LocalFile {
  path: string;
  /** For the host that has the same file. */
  label: string;
  isFolder: boolean;
}

type Elsewhere = Pick<RegisteredHost, 'client' | 'label' | 'lent'>;

/** All of them or none: rejects with a `UserError`. `budget`: of texts, in tokens. */
export async function attachedElsewhere(host: Elsewhere, session: URI, files: readonly FileHere[], budget: number): Promise<Attached> {
  const missing = await missingAt(host.client, files);
  const texts = new Map<FileHere, ContextItem>();
  // By AHP 1.0 a host may ask for files of its clients. Only with our extension it is sure that it does.
  if (!hasLentFiles(host.client.hostMeta)) for (const file of missing) await addText(texts, file);
  const toLend = missing.filter((file) => !texts.has(file));
  if (toLend.length > 0 && !hasLentFiles(host.client.hostMeta) && host.client.dialect?.name !== 'channels')
    throw new UserError(missingProblem(host.label, toLend));
  const lent = await lendAll(host, session, toLend);
  const attachments = files
    .filter((file) => !texts.has(file))
    .map((file) => {
      const uri = lent.get(file);
      // The host of a file that is lent is told its name, and not where it is.
      const [named, label] = uri === undefined ? [file.uri, file.label] : [uri, oneLine(basename(file.path))];
      return fileAttachment(named, label, file.isFolder ? 'directory' : 'file');
    });
  return { attachments, ...(texts.size > 0 && { context: { items: [...texts.values()], budget, problems: [] } }) };
}

async function addText(texts: Map<FileHere, ContextItem>, file: FileHere): Promise<void> {
  if (file.isFolder || file.size > MAX_TEXT_BYTES) return;
  await placeOfNoLink(file.path);
  const bytes = await file.read();
  const text = Array.isArray(bytes) ? undefined : utf8Of(bytes);
  if (text !== undefined && !text.includes('\0')) texts.set(file, fileItem(basename(file.path), text));
}

async function lendAll({ lent }: Elsewhere, session: URI, files: readonly FileHere[]): Promise<Map<FileHere, URI>> {
  const uris = new Map<FileHere, URI>();
  try {
    for (const file of files) uris.set(file, (await lent.lend(file.path, session)).uri);
    return uris;
  } catch (error) {
    for (const uri of uris.values()) lent.release(uri);
    throw error;
  }
}
