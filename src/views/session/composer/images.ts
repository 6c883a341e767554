/** Images in messages: which are taken, and how large. What an image is, its first bytes say; names and types of strangers do not. */
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { byteText } from '../../text/excerpt.ts';
import { oneLine } from '../../text/oneLine.ts';

/** What models take, and what is shown. */
const types = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp' } as const;
export type ImageType = keyof typeof types;

export const MAX_IMAGE_BYTES = 5_000_000;
/** Of its base64, in characters. */
export const MAX_IMAGE_TEXT = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;
/** Of the images together that a draft holds itself, because its host has none of our files. */
const MAX_EMBEDDED_BYTES = 2_000_000;
const MAX_IMAGES = 10;

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
  const called = `“${oneLine(name)}”`;
  if (!isImageType(type)) return `${called} was not attached: only PNG, JPEG, GIF and WebP images can be.`;
  if (size > MAX_IMAGE_BYTES)
    return `${called} was not attached: it has ${byteText(size)}, and an image may have at most ${byteText(MAX_IMAGE_BYTES)}.`;
  return undefined;
}

/** Why the draft has no room for it. */
export function roomProblem(attachments: readonly MessageAttachment[], added: MessageAttachment): string | undefined {
  if (attachments.filter(isImage).length >= MAX_IMAGES)
    return `“${oneLine(added.label ?? '')}” was not attached: a message may have ${MAX_IMAGES} images.`;
  const embedded = [...attachments, added].reduce((sum, one) => sum + embeddedBytes(one), 0);
  return embeddedBytes(added) > 0 && embedded > MAX_EMBEDDED_BYTES
    ? `“${oneLine(added.label ?? '')}” was not attached: for a host elsewhere, the images of a message may have ${byteText(MAX_EMBEDDED_BYTES)} together. Make it smaller.`
    : undefined;
}

/** By its name or type: what it really is, is checked when it is shown. */
export function isImage(attachment: MessageAttachment): boolean {
  if (attachment.type === 'embeddedResource' && 'contentType' in attachment) return isImageType(attachment.contentType);
  return attachment.type === 'resource' && 'uri' in attachment && /\.(?:png|jpe?g|gif|webp)$/i.test(attachment.uri);
}

function embeddedBytes(attachment: MessageAttachment): number {
  return attachment.type === 'embeddedResource' && 'data' in attachment ? Math.floor((attachment.data.length * 3) / 4) : 0;
}
