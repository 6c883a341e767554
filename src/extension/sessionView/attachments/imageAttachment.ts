/** Images as attachments, and what is shown of them. */
import * as l10n from '../../../base/l10n.ts';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { type GivenImage, hostImage, imageInMessage, readInTurn, shownImage } from '../../../pages/attaching/messageImages.ts';
import { fileAttachment } from '../../../views/session/composer/attachments.ts';
import { MAX_IMAGE_BYTES } from '../../../views/session/composer/imageTypes.ts';
import type { ShownImage } from '../../../webviews/session/protocol.ts';
import { hasOurFiles, type RegisteredHost } from '../../hosts/registeredHost.ts';
import type { ImageStore } from './imageStore.ts';

/**
 * An agent on this computer gets a file. Other hosts get the image in the message, where their protocol has that.
 * Rejects with a `UserError` for a host that takes none.
 */
export async function imageAttachment(
  host: RegisteredHost,
  store: Pick<ImageStore, 'save'>,
  given: GivenImage,
): Promise<MessageAttachment> {
  if (!hasOurFiles(host)) return imageInMessage(host, given);
  return fileAttachment(pathToFileURL(await store.save(given.bytes, given.contentType)).href, given.name, 'image');
}

/** Rejects where it is none, or too large. */
export function readImage(host: RegisteredHost, uri: URI): Promise<ShownImage> {
  return readInTurn(() => imageOf(host, uri));
}

async function imageOf(host: RegisteredHost, uri: URI): Promise<ShownImage> {
  return hasOurFiles(host) && uri.startsWith('file:') ? shownImage(await readOwn(uri)) : hostImage(host, uri);
}

/** A host names it, so it may be anything: no device or pipe is opened, nothing of a network, and no more is read than an image may have. */
async function readOwn(uri: URI): Promise<Buffer> {
  const { authority, fsPath } = vscode.Uri.parse(uri, true);
  if (authority !== '' || /^[\\/]{2}/.test(fsPath) || !(await stat(fsPath)).isFile())
    throw new Error(l10n.t('It is no file of this computer.'));
  // What it names may have changed since, and a pipe would not answer.
  const file = await open(fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_IMAGE_BYTES) throw new Error(l10n.t('It is no image that can be shown.'));
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(bytes, 0, found.size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
