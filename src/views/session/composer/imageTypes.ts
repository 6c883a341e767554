/** Images in messages: which are taken, and how large. What an image is, its first bytes say; names and types of strangers do not. */
import * as l10n from '../../../base/l10n.ts';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { byteText } from '../../text/excerpt.ts';
import { oneLine } from '../../text/oneLine.ts';

/** What models take, and what is shown. */
const types = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' } as const;
export type ImageType = keyof typeof types;

export const MAX_IMAGE_BYTES = 5_000_000;
/** Of its base64, in characters. */
export const MAX_IMAGE_TEXT = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

export function isImageType(type: string): type is ImageType {
  return Object.hasOwn(types, type);
}

export function extensionOf(type: ImageType): string {
  return types[type];
}

export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  return /^RIFF[^]{4}WEBP/.test(start) ? 'image/webp' : undefined;
}

/** Why a file is not taken, as a sentence for the user; undefined where it may be. */
export function imageProblem({ name, type, size }: { name: string; type: string; size: number }): string | undefined {
  const called = oneLine(name);
  if (!isImageType(type)) return l10n.t`“${called}” was not attached: only PNG, JPEG, GIF and WebP images can be.`;
  if (size > MAX_IMAGE_BYTES)
    return l10n.t`“${called}” was not attached: it has ${byteText(size)}, and an image may have at most ${byteText(MAX_IMAGE_BYTES)}.`;
  return undefined;
}

/** In the `_meta` of an attachment: it is not what the user has given, but a smaller picture of it. */
export const MADE_SMALLER = 'tapline/madeSmaller';

export function isMadeSmaller(attachment: MessageAttachment): boolean {
  return '_meta' in attachment && attachment._meta?.[MADE_SMALLER] === true;
}

/** By its name or type: what it really is, is checked when it is shown. */
export function isImage(attachment: MessageAttachment): boolean {
  if (attachment.type === 'embeddedResource' && 'contentType' in attachment) return isImageType(attachment.contentType);
  return attachment.type === 'resource' && 'uri' in attachment && /\.(?:png|jpe?g|gif|webp)$/i.test(attachment.uri);
}
