/** Images of messages, whatever the shell: what is shown of them, and those that go along in a message. */
import * as l10n from '../../base/l10n.ts';
import type { MessageAttachment } from '../../ahp/channels/shapes/message.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { UserError } from '../../base/errors.ts';
import { type ImageType, imageProblem, imageTypeOf, MAX_IMAGE_BYTES, MAX_IMAGE_TEXT } from '../../views/session/composer/imageTypes.ts';
import type { ShownImage } from '../../webviews/session/protocol.ts';
import type { ShownHost } from '../shownHost.ts';

const ASK_TIMEOUT_MS = 10_000;

export interface GivenImage {
  name: string;
  contentType: ImageType;
  bytes: Buffer;
}

/** Undefined where it is none. Throws a `UserError` for one that is too large. */
export function givenImage(name: string, bytes: Buffer): GivenImage | undefined {
  const contentType = imageTypeOf(bytes);
  if (contentType === undefined) return undefined;
  const problem = imageProblem({ name, type: contentType, size: bytes.length });
  if (problem !== undefined) throw new UserError(problem);
  return { name, contentType, bytes };
}

/** In the message, where the protocol of the host has that. Throws a `UserError` where it has not. */
export function imageInMessage(
  { client, label }: Pick<ShownHost, 'client' | 'label'>,
  { name, contentType, bytes }: GivenImage,
): MessageAttachment {
  if (client.dialect?.name !== 'channels')
    throw new UserError(
      l10n.t`${label} takes no images in messages. Put the image into the folder of the session there, and type # to attach it.`,
    );
  return { type: 'embeddedResource', label: name, displayKind: 'image', contentType, data: bytes.toString('base64') };
}

/** One after the other: a message may name any number. */
let reading: Promise<unknown> = Promise.resolve();

export function readInTurn(read: () => Promise<ShownImage>): Promise<ShownImage> {
  const image = reading.then(read);
  reading = image.catch(() => undefined); // The one who asked is told.
  return image;
}

/** Rejects where the host has none there, or one that is too large. */
export async function hostImage({ client }: Pick<ShownHost, 'client'>, uri: URI): Promise<ShownImage> {
  const { data, encoding } = await client.command('resourceRead', { uri, encoding: 'base64' }, ASK_TIMEOUT_MS);
  const isUsable = encoding === 'base64' && typeof data === 'string' && data.length <= MAX_IMAGE_TEXT;
  return shownImage(isUsable ? Buffer.from(data, 'base64') : Buffer.alloc(0));
}

/** Throws where it is none, or too large. */
export function shownImage(bytes: Buffer): ShownImage {
  const contentType = imageTypeOf(bytes);
  if (contentType === undefined || bytes.length > MAX_IMAGE_BYTES) throw new Error(l10n.t('It is no image that can be shown.'));
  return { contentType, data: bytes.toString('base64') };
}
