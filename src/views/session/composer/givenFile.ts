/** Files of which a page has only what is in them: an image or a text goes along in the message. Everything else has to be where the agent can read it. */
import * as l10n from '../../../base/l10n.ts';
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { byteText } from '../../text/excerpt.ts';
import { oneLine } from '../../text/oneLine.ts';
import { isImage, isImageType, MAX_IMAGE_BYTES } from './imageTypes.ts';

/** The model gets all of it. */
export const MAX_TEXT_BYTES = 200_000;
/** Of what a draft holds itself, together. */
const MAX_EMBEDDED_BYTES = 2_000_000;
const MAX_IMAGES = 10;
const MAX_EMBEDDED = 20;
const MAX_NAME = 200;
/** Of one that is made smaller. It is held in memory as a whole. */
const MAX_PICTURE_BYTES = 50_000_000;
const ELSEWHERE = l10n.t('Put it into the folder of the session, and type # to attach it.');

export function givenName(name: string): string {
  return oneLine(name).slice(0, MAX_NAME);
}

interface GivenFile {
  name: string;
  type: string;
  size: number;
}

/** Why a file is not read, as a sentence for the user; undefined where it may be. What it really is, its bytes say. */
export function fileProblem(file: GivenFile): string | undefined {
  if (!isPicture(file)) return textSizeProblem(file);
  if (file.size <= MAX_PICTURE_BYTES) return undefined;
  return l10n.t`“${givenName(file.name)}” was not attached: it has ${byteText(file.size)}, and a picture may have at most ${byteText(MAX_PICTURE_BYTES)}.`;
}

/** Bytes that a picture may have. `embeds`: all pictures go along in the message. Elsewhere most are stored beside it. */
export function pictureRoom(attachments: readonly MessageAttachment[], embeds: boolean): number {
  return embeds ? Math.min(MAX_IMAGE_BYTES, roomFor(attachments)) : MAX_IMAGE_BYTES;
}

/** A picture that is taken only when it is made smaller, or a JPEG. */
export function needsAnotherForm(file: GivenFile, room: number): boolean {
  return isPicture(file) && (file.size > room || !isImageType(file.type));
}

/** Why no picture is read at all, however small it can be made. */
export function fullOfPictures(attachments: readonly MessageAttachment[], file: GivenFile, embeds: boolean): string | undefined {
  if (!isPicture(file)) return undefined;
  if (attachments.filter(isImage).length >= MAX_IMAGES)
    return l10n.t`“${givenName(file.name)}” was not attached: a message may have ${MAX_IMAGES} images.`;
  return pictureRoom(attachments, embeds) <= 0 ? pictureProblem(file, 'noRoom') : undefined;
}

/** A picture that has no room in the message as it is, and may have when it is made smaller. */
export function mayFitSmaller(attachments: readonly MessageAttachment[], file: GivenFile, given: MessageAttachment): boolean {
  return isPicture(file) && roomFor(attachments) > 0 && embeddedBytes(given) > roomFor(attachments);
}

export type PictureProblem = 'unreadable' | 'noRoom' | 'tooManyPixels' | 'notDrawn';

/** Why a picture has not become one that goes along. */
export function pictureProblem({ name, type }: Pick<GivenFile, 'name' | 'type'>, why: PictureProblem): string {
  const called = givenName(name);
  if (why === 'noRoom')
    return l10n.t`“${called}” was not attached: what goes along in a message may have ${byteText(MAX_EMBEDDED_BYTES)} together, and there is no room for it any more.`;
  if (why === 'tooManyPixels') return l10n.t`“${called}” was not attached: it has more than 100 megapixels.`;
  if (why === 'notDrawn') return l10n.t`“${called}” was not attached: this browser cannot draw it to make it smaller.`;
  return isImageType(type)
    ? l10n.t`“${called}” was not attached: it is too large, and could not be read to make it smaller.`
    : l10n.t`“${called}” was not attached: only PNG, JPEG, GIF and WebP images can be, and it could not be read to make it one.`;
}

/** `reason`: why it could not even be tried. */
export function notMadeSmaller(name: string, reason: string): string {
  return l10n.t`“${givenName(name)}” was not attached: it could not be made smaller. ${oneLine(reason)}`;
}

function isPicture({ type }: Pick<GivenFile, 'type'>): boolean {
  return type.startsWith('image/') && type !== 'image/svg+xml';
}

/** `text`: undefined where it is none. */
export function textProblem({ name, size, text }: { name: string; size: number; text: string | undefined }): string | undefined {
  if (text === undefined || text.includes('\0'))
    return l10n.t`“${givenName(name)}” was not attached: here only texts and PNG, JPEG, GIF and WebP images can be. ${ELSEWHERE}`;
  return textSizeProblem({ name, size });
}

function textSizeProblem({ name, size }: { name: string; size: number }): string | undefined {
  const called = givenName(name);
  if (size === 0) return l10n.t`“${called}” was not attached: there is nothing in it.`;
  if (size <= MAX_TEXT_BYTES) return undefined;
  return l10n.t`“${called}” was not attached: it has ${byteText(size)}, and here a file may have at most ${byteText(MAX_TEXT_BYTES)}. ${ELSEWHERE}`;
}

/** Why the draft has no room for it. */
export function roomProblem(attachments: readonly MessageAttachment[], added: MessageAttachment): string | undefined {
  const called = givenName(added.label ?? '');
  if (isImage(added) && attachments.filter(isImage).length >= MAX_IMAGES)
    return l10n.t`“${called}” was not attached: a message may have ${MAX_IMAGES} images.`;
  if (embeddedBytes(added) === 0) return undefined;
  if ([...attachments, added].filter((one) => embeddedBytes(one) > 0).length > MAX_EMBEDDED)
    return l10n.t`“${called}” was not attached: ${MAX_EMBEDDED} files may go along in a message.`;
  if (embeddedBytes(added) <= roomFor(attachments)) return undefined;
  return l10n.t`“${called}” was not attached: what goes along in a message may have ${byteText(MAX_EMBEDDED_BYTES)} together. Make it smaller.`;
}

/** Bytes that may go along in the message beside these. */
export function roomFor(attachments: readonly MessageAttachment[]): number {
  return attachments.reduce((room, one) => room - embeddedBytes(one), MAX_EMBEDDED_BYTES);
}

function embeddedBytes(attachment: MessageAttachment): number {
  return attachment.type === 'embeddedResource' && 'data' in attachment ? Math.floor((attachment.data.length * 3) / 4) : 0;
}
