/** Files of which a page has only what is in them: an image or a text goes along in the message. Everything else has to be where the agent can read it. */
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import { byteText } from '../../text/excerpt.ts';
import { oneLine } from '../../text/oneLine.ts';
import { imageProblem, isImage } from './images.ts';

/** The model gets all of it. */
export const MAX_TEXT_BYTES = 200_000;
/** Of what a draft holds itself, together. */
const MAX_EMBEDDED_BYTES = 2_000_000;
const MAX_IMAGES = 10;
const MAX_EMBEDDED = 20;
const MAX_NAME = 200;
const ELSEWHERE = 'Put it into the folder of the session, and type # to attach it.';

export function givenName(name: string): string {
  return oneLine(name).slice(0, MAX_NAME);
}

/** Why a file is not read, as a sentence for the user; undefined where it may be. What it really is, its bytes say. */
export function fileProblem(file: { name: string; type: string; size: number }): string | undefined {
  const isPicture = file.type.startsWith('image/') && file.type !== 'image/svg+xml';
  return isPicture ? imageProblem(file) : textSizeProblem(file);
}

/** `text`: undefined where it is none. */
export function textProblem({ name, size, text }: { name: string; size: number; text: string | undefined }): string | undefined {
  if (text === undefined || text.includes('\0'))
    return `“${givenName(name)}” was not attached: here only texts and PNG, JPEG, GIF and WebP images can be. ${ELSEWHERE}`;
  return textSizeProblem({ name, size });
}

function textSizeProblem({ name, size }: { name: string; size: number }): string | undefined {
  const called = `“${givenName(name)}”`;
  if (size === 0) return `${called} was not attached: there is nothing in it.`;
  if (size <= MAX_TEXT_BYTES) return undefined;
  return `${called} was not attached: it has ${byteText(size)}, and here a file may have at most ${byteText(MAX_TEXT_BYTES)}. ${ELSEWHERE}`;
}

/** Why the draft has no room for it. */
export function roomProblem(attachments: readonly MessageAttachment[], added: MessageAttachment): string | undefined {
  const called = `“${givenName(added.label ?? '')}”`;
  if (isImage(added) && attachments.filter(isImage).length >= MAX_IMAGES)
    return `${called} was not attached: a message may have ${MAX_IMAGES} images.`;
  if (embeddedBytes(added) === 0) return undefined;
  const embedded = [...attachments, added].map(embeddedBytes).filter((bytes) => bytes > 0);
  if (embedded.length > MAX_EMBEDDED) return `${called} was not attached: ${MAX_EMBEDDED} files may go along in a message.`;
  return embedded.reduce((sum, bytes) => sum + bytes, 0) > MAX_EMBEDDED_BYTES
    ? `${called} was not attached: what goes along in a message may have ${byteText(MAX_EMBEDDED_BYTES)} together. Make it smaller.`
    : undefined;
}

function embeddedBytes(attachment: MessageAttachment): number {
  return attachment.type === 'embeddedResource' && 'data' in attachment ? Math.floor((attachment.data.length * 3) / 4) : 0;
}
