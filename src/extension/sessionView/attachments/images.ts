/** Images as attachments, and what is shown of them. */
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { UserError } from '../../../base/errors.ts';
import { fileAttachment } from '../../../views/session/composer/attachments.ts';
import { imageProblem, imageTypeOf, MAX_IMAGE_BYTES, MAX_IMAGE_TEXT } from '../../../views/session/composer/images.ts';
import type { ShownImage } from '../../../webviews/session/protocol.ts';
import { hasOurFiles, type RegisteredHost } from '../../hosts/registeredHost.ts';
import type { ImageStore } from './imageStore.ts';

const ASK_TIMEOUT_MS = 10_000;

/**
 * An agent on this computer gets a file. Other hosts get the image in the message, where their protocol has that. `data`: base64.
 * Rejects with a `UserError` for what is no image, and for a host that takes none.
 */
export async function imageAttachment(
  host: RegisteredHost,
  store: Pick<ImageStore, 'save'>,
  { name, data }: { name: string; data: string },
): Promise<MessageAttachment> {
  const bytes = Buffer.from(data.slice(0, MAX_IMAGE_TEXT + 4), 'base64');
  const contentType = imageTypeOf(bytes);
  const problem = imageProblem({ name, type: contentType ?? '', size: bytes.length });
  if (contentType === undefined || problem !== undefined) throw new UserError(problem ?? 'It is no image that can be attached.');
  if (hasOurFiles(host)) return fileAttachment(pathToFileURL(await store.save(bytes, contentType)).href, name, 'image');
  if (host.client.dialect?.name !== 'channels')
    throw new UserError(
      `${host.label} takes no images in messages. Put the image into the folder of the session there, and type # to attach it.`,
    );
  return { type: 'embeddedResource', label: name, displayKind: 'image', contentType, data: bytes.toString('base64') };
}

/** One after the other: a message may name any number. */
let reading: Promise<unknown> = Promise.resolve();

/** Rejects where it is none, or too large. */
export function readImage(host: RegisteredHost, uri: URI): Promise<ShownImage> {
  const read = reading.then(() => imageOf(host, uri));
  reading = read.catch(() => undefined); // The one who asked is told.
  return read;
}

async function imageOf(host: RegisteredHost, uri: URI): Promise<ShownImage> {
  const bytes = hasOurFiles(host) && uri.startsWith('file:') ? await readOwn(uri) : await readHosts(host, uri);
  const contentType = imageTypeOf(bytes);
  if (contentType === undefined || bytes.length > MAX_IMAGE_BYTES) throw new Error('It is no image that can be shown.');
  return { contentType, data: bytes.toString('base64') };
}

/** A host names it, so it may be anything: no device or pipe is opened, nothing of a network, and no more is read than an image may have. */
async function readOwn(uri: URI): Promise<Buffer> {
  const { authority, fsPath } = vscode.Uri.parse(uri, true);
  if (authority !== '' || /^[\\/]{2}/.test(fsPath) || !(await stat(fsPath)).isFile()) throw new Error('It is no file of this computer.');
  // What it names may have changed since, and a pipe would not answer.
  const file = await open(fsPath, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > MAX_IMAGE_BYTES) throw new Error('It is no image that can be shown.');
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(bytes, 0, found.size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function readHosts(host: RegisteredHost, uri: URI): Promise<Buffer> {
  const { data, encoding } = await host.client.command('resourceRead', { uri, encoding: 'base64' }, ASK_TIMEOUT_MS);
  const isUsable = encoding === 'base64' && typeof data === 'string' && data.length <= MAX_IMAGE_TEXT;
  return isUsable ? Buffer.from(data, 'base64') : Buffer.alloc(0);
}
