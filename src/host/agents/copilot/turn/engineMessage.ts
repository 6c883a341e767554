/** The user's message in the form that the engine takes. */
import { basename } from 'node:path';
import type { MessageOptions } from '@github/copilot-sdk';
import type { Annotation } from '../../../../ahp/channels/annotations.ts';
import type { Turn } from '../../../../ahp/channels/chat/state.ts';
import type { Message, MessageAttachment } from '../../../../ahp/channels/shapes/message.ts';
import { utf8Of } from '../../../../base/text/utf8.ts';
import { labelOf, linesOf, nameOf } from '../../attachmentWords.ts';
import { commentsText, pathOf } from '../../comments.ts';
import { code, codeBlock } from '../../markdown.ts';
import { attachedChat } from './recap.ts';

export type EngineMessage = Pick<MessageOptions, 'prompt' | 'displayPrompt' | 'attachments'>;
type EngineAttachment = NonNullable<MessageOptions['attachments']>[number];
type Attachment<T extends MessageAttachment['type']> = Extract<MessageAttachment, { type: T }>;

/** Characters of what all attachments of a message say. */
const MAX_TEXT = 400_000;
/** The engine would send images also to models that cannot see, which then refuse the whole conversation for good. */
const IMAGE = /\.(png|jpe?g|gif|webp|bmp|tiff?|heic|avif)$/i;
/** The images that the engine passes on. */
const SEEN = /^image\/(png|jpeg|webp|gif)$/i;

export interface Reading {
  /** True when the model sees images. */
  vision: boolean;
  /** Those of another chat of this host. Undefined where there is no such chat. */
  turnsOf: (chat: string) => readonly Turn[] | undefined;
  /** Comments on files, by their channel of this host. Undefined where there is no such channel. */
  commentsIn: (channel: string) => readonly Annotation[] | undefined;
}

/** For a turn that was interrupted. `before`: texts for the model. Nobody sees it: the message is shown already. */
export function goingOn({ text }: Message, before: readonly (string | undefined)[]): EngineMessage {
  const interrupted =
    '<interrupted>\nThe work on the message below was interrupted and goes on now. What was done for it is done: do not do it again. ' +
    `Look where you are not sure, go on from there, and finish.\n\n${text}\n</interrupted>`;
  return { prompt: [...before, interrupted].filter((part) => part !== undefined).join('\n\n') };
}

/** What the engine gets of an attachment: the attachment, or what is said of it in the prompt, or both. */
interface MessageInput {
  attachment?: EngineAttachment;
  text?: string;
}

/** `before` and `after` are texts for the model that the user does not see. */
export function engineMessage(
  { text, attachments = [] }: Message,
  reading: Reading,
  before: readonly (string | undefined)[] = [],
  after: readonly string[] = [],
): EngineMessage {
  const given = attachments.map((attachment) => givenOf(attachment, reading));
  const said = within(
    MAX_TEXT,
    given.flatMap(({ text: part }) => part ?? []),
  );
  const prompt = [...before.filter((part) => part !== undefined), text, ...said, ...after].join('\n\n');
  const passed = given.flatMap(({ attachment }) => attachment ?? []);
  return { prompt, ...(prompt !== text && { displayPrompt: text }), ...(passed.length > 0 && { attachments: passed }) };
}

function givenOf(attachment: MessageAttachment, reading: Reading): MessageInput {
  switch (attachment.type) {
    case 'simple':
      return { text: attachment.modelRepresentation || `Attached: ${nameOf(attachment)}` };
    case 'resource':
      return givenResource(attachment, reading.vision);
    case 'embeddedResource':
      return givenContent(attachment, reading.vision);
    case 'chat': {
      const turns = reading.turnsOf(attachment.resource);
      return { text: (turns && attachedChat(labelOf(attachment), turns, attachment.endTurn)) ?? unseen(attachment) };
    }
    case 'annotations':
      return givenComments(attachment, reading);
    default:
      return { text: unseen(attachment) };
  }
}

function givenResource({ uri, label, displayKind, selection }: Attachment<'resource'>, vision: boolean): MessageInput {
  const path = pathOf(uri);
  if (path === undefined) return { text: `Attached: ${uri}` };
  if (!vision && IMAGE.test(path)) return { text: `Attached, but you cannot see images: ${path}` };
  const lines = linesOf(selection);
  return {
    // Always with a name: without one the engine cannot read its own record of an attachment.
    attachment: {
      type: displayKind === 'directory' ? 'directory' : 'file',
      path,
      displayName: shownName(label, uri) || basename(path) || path,
    },
    // The engine's own kind of attachment for it needs the text, which may have changed since.
    ...(lines !== undefined && { text: `Selected by the user: ${lines} of ${code(path)}` }),
  };
}

function givenContent(attachment: Attachment<'embeddedResource'>, vision: boolean): MessageInput {
  const { data, contentType, selection } = attachment;
  if (SEEN.test(contentType))
    return vision
      ? { attachment: { type: 'blob', data, mimeType: contentType.toLowerCase(), displayName: labelOf(attachment) } }
      : { text: `Attached, but you cannot see images: ${code(labelOf(attachment))}` };
  // The engine drops what it does not know without a word.
  const text = contentType.startsWith('image/') && !/svg/i.test(contentType) ? undefined : utf8Of(Buffer.from(data, 'base64'));
  if (text === undefined || text.includes('\0')) return { text: unseen(attachment) };
  const lines = linesOf(selection);
  const selected = lines === undefined ? '' : `, of which the user has selected ${lines}`;
  return { text: `Attached: ${code(labelOf(attachment))}${selected}:\n\n${codeBlock(text)}` };
}

/** `annotationIds`: absent for all. */
function givenComments(attachment: Attachment<'annotations'>, { commentsIn }: Reading): MessageInput {
  const { resource, annotationIds } = attachment;
  const found = commentsIn(resource)?.filter(({ id }) => annotationIds?.includes(id) ?? true) ?? [];
  if (found.length === 0) return { text: unseen(attachment) };
  return { text: `Attached: ${nameOf(attachment)}:\n\n${commentsText(found, (path) => path)}` };
}

function unseen(attachment: MessageAttachment): string {
  return `Attached, but you cannot see it: ${nameOf(attachment)}`;
}

/** Where no label was given, a client of AHP v1 has the URI as one. */
function shownName(label: string, uri: string): string {
  return label === uri ? '' : label;
}

/** The texts, the last ones cut when all are too long. */
function within(most: number, texts: readonly string[]): string[] {
  let room = most;
  return texts.map((text) => {
    const shown = text.slice(0, room);
    room -= shown.length;
    return shown.length < text.length ? `${shown}\n(The rest is left out, because there is too much.)` : shown;
  });
}
