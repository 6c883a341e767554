/** Messages: what a person, an agent or the host says to a chat, and its attachments. */
import * as z from 'zod/mini';
import { anyObject, id, listOf, openEnum, tagged, type UnknownTag, uri } from '../../common/schemas.ts';
import { contentRef } from '../../common/shapes.ts';
import { agentSelection, modelSelection, textRange, textSelection } from './basic.ts';

const attachmentBase = {
  label: z.string(),
  /** Where the text of the message names it. */
  range: z.optional(textRange),
  displayKind: z.optional(z.string()),
  _meta: z.optional(anyObject),
};
const selection = z.optional(textSelection);
export const attachments = [
  z.object({ ...attachmentBase, type: z.literal('simple'), modelRepresentation: z.optional(z.string()) }),
  z.object({
    ...attachmentBase,
    type: z.literal('embeddedResource'),
    /** Base64. */
    data: z.string(),
    contentType: z.string(),
    selection,
  }),
  z.extend(contentRef, { ...attachmentBase, type: z.literal('resource'), selection }),
  z.object({ ...attachmentBase, type: z.literal('annotations'), resource: uri, annotationIds: z.optional(listOf(id)) }),
  /** `endTurn`: up to and with this turn. */
  z.object({ ...attachmentBase, type: z.literal('chat'), resource: uri, endTurn: z.optional(id) }),
] as const;
export type MessageAttachment = z.infer<(typeof attachments)[number]> | { type: UnknownTag; label?: string };
export const messageAttachment: z.ZodMiniType<MessageAttachment> = tagged('type', attachments);

export const message = z.object({
  text: z.string(),
  origin: z.object({ kind: openEnum('user', 'agent', 'tool', 'automation', 'systemNotification') }),
  attachments: z.optional(listOf(messageAttachment)),
  model: z.optional(modelSelection),
  agent: z.optional(agentSelection),
  _meta: z.optional(anyObject),
});
export interface Message extends z.infer<typeof message> {}

/** A message that waits: for the end of the turn, or to be put into it. */
export interface PendingMessage {
  id: string;
  message: Message;
}
