/** What the user attaches to a message. */
import type { MessageAttachment } from '../../../ahp/channels/shapes/message.ts';
import type { URI } from '../../../ahp/common/shapes.ts';

/** A file or a folder. */
export type FileAttachment = Extract<MessageAttachment, { type: 'resource' }>;

/** `displayKind`: `file`, `directory` or another one, which tells its icon. */
export function fileAttachment(uri: URI, label: string, displayKind: string): FileAttachment {
  return { type: 'resource', uri, label, displayKind };
}

/** What can be opened; undefined for an attachment that is no file, and for one of a later version. */
export function uriOf(attachment: MessageAttachment): URI | undefined {
  return attachment.type === 'resource' && 'uri' in attachment ? attachment.uri : undefined;
}
