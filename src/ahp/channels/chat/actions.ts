/** The actions of a chat. */
import * as z from 'zod/mini';
import { type InputRequest, inputAnswer } from '../../common/inputRequest.ts';
import { action, type ActionsOf, type AnyOf, anyObject, id, listOf, openEnum, recordOf, uri } from '../../common/schemas.ts';
import { stringOrMarkdown, type UsageInfo } from '../../common/shapes.ts';
import { confirmationReason, type ToolCallConfirmationReason, toolCallResult, toolResultContent } from '../../common/tools.ts';
import { type Changeset, inputResponse, type Meta, type StringOrMarkdown } from '../shapes/basic.ts';
import type { McpAuthRequirement } from '../shapes/customizations.ts';
import { message } from '../shapes/message.ts';
import type { ConfirmationFields, ToolCallContributor, ToolInput } from '../shapes/toolCall.ts';
import type { BackgroundWork, CanvasReference, ErrorResponsePart, ResponsePart, Turn } from './state.ts';

const _meta = z.optional(anyObject);
const inTurn = { turnId: id, _meta };
const inCall = { ...inTurn, toolCallId: id };
/** Milliseconds since the start of the turn. */
const duration = z.number();
const pendingMessage = { kind: openEnum('steering', 'queued'), id };

export const approval = action('chat/toolCallConfirmed', {
  ...inCall,
  approved: z.literal(true),
  confirmed: confirmationReason,
  /** Since 1.1.0. When the call first began to run, also where it was asked again about it. */
  startedAt: z.optional(z.string()),
  /** Takes effect where `toolInput` is inline. */
  editedToolInput: z.optional(z.string()),
  selectedOptionId: z.optional(id),
});
export const denial = action('chat/toolCallConfirmed', {
  ...inCall,
  approved: z.literal(false),
  reason: openEnum('denied', 'skipped'),
  reasonMessage: z.optional(stringOrMarkdown),
  userSuggestion: z.optional(message),
  selectedOptionId: z.optional(id),
});

/** What clients may dispatch, by type. */
export const chatClientActions = {
  /** The host sends it with `queuedMessageId` when it takes a message from the queue. `startedAt`: ISO 8601. */
  'chat/turnStarted': action('chat/turnStarted', { ...inTurn, startedAt: z.string(), message, queuedMessageId: z.optional(id) }),
  'chat/turnCancelled': action('chat/turnCancelled', { ...inTurn, duration }),
  /** Opens the last turn again, when it ended in an error that is `resumable`. */
  'chat/turnResume': action('chat/turnResume', { turnId: id }),
  /** Keeps the turns up to `turnId`, or none. */
  'chat/truncated': action('chat/truncated', { turnId: z.optional(id) }),

  'chat/toolCallConfirmed': z.discriminatedUnion('approved', [approval, denial]),
  /** By the client that owns the call. */
  'chat/toolCallComplete': action('chat/toolCallComplete', {
    ...inCall,
    result: toolCallResult,
    /** Since 1.1.0. Milliseconds. */
    duration: z.optional(z.number()),
    requiresResultConfirmation: z.optional(z.boolean()),
  }),
  'chat/toolCallResultConfirmed': action('chat/toolCallResultConfirmed', { ...inCall, approved: z.boolean() }),
  /** By the client that owns the call. */
  'chat/toolCallContentChanged': action('chat/toolCallContentChanged', { ...inCall, content: listOf(toolResultContent) }),

  'chat/pendingMessageSet': action('chat/pendingMessageSet', { ...pendingMessage, message }),
  'chat/pendingMessageRemoved': action('chat/pendingMessageRemoved', pendingMessage),
  'chat/queuedMessagesReordered': action('chat/queuedMessagesReordered', { order: listOf(id) }),
  /** Sets the draft, or clears it when there is none. */
  'chat/draftChanged': action('chat/draftChanged', { draft: z.optional(message) }),

  /** Sets an answer, or clears it when there is none. */
  'chat/inputAnswerChanged': action('chat/inputAnswerChanged', { requestId: id, questionId: id, answer: z.optional(inputAnswer) }),
  'chat/inputCompleted': action('chat/inputCompleted', {
    requestId: id,
    response: inputResponse,
    answers: z.optional(recordOf(inputAnswer)),
  }),

  'chat/workingDirectorySet': action('chat/workingDirectorySet', { directory: uri }),
  'chat/workingDirectoryRemoved': action('chat/workingDirectoryRemoved', { directory: uri }),
  /** Of this chat alone. Since 1.0.0. */
  'chat/isReadChanged': action('chat/isReadChanged', { isRead: z.boolean() }),
  /** Not of the default chat: that is archived with its session. Since 1.0.0. */
  'chat/isArchivedChanged': action('chat/isArchivedChanged', { isArchived: z.boolean() }),
};

interface InTurn {
  turnId: string;
  _meta?: Meta;
}
interface InCall extends InTurn {
  toolCallId: string;
}
/** What comes from the host only. */
interface ChatHostActions {
  /** Appends to the Markdown part `partId`. */
  'chat/delta': InTurn & { partId: string; content: string };
  /** Appends to the reasoning part `partId`. */
  'chat/reasoning': InTurn & { partId: string; content: string };
  'chat/responsePart': InTurn & { part: ResponsePart };
  'chat/usage': InTurn & { usage: UsageInfo };
  'chat/turnComplete': InTurn & { duration: number };
  'chat/error': InTurn & { duration: number; part: ErrorResponsePart };
  'chat/toolCallStart': InCall & { toolName: string; displayName: string; intention?: string; contributor?: ToolCallContributor };
  /** Appends to the parameters while they stream. */
  'chat/toolCallDelta': InCall & { content?: string; invocationMessage?: StringOrMarkdown };
  /** The parameters are complete. With `confirmed` the call runs, without it waits for the user. */
  'chat/toolCallReady': InCall &
    ConfirmationFields & {
      contributor?: ToolCallContributor;
      intention?: string;
      invocationMessage: StringOrMarkdown;
      toolInput?: ToolInput;
      confirmed?: ToolCallConfirmationReason;
      /** Since 1.1.0, with `confirmed`. As in an approval. */
      startedAt?: string;
    };
  'chat/toolCallAuthRequired': InCall & { auth: McpAuthRequirement };
  'chat/toolCallAuthResolved': InCall;
  'chat/activityChanged': { activity?: string };
  /** Older turns, after `fetchTurns`. */
  'chat/turnsLoaded': { turns: Turn[]; turnsNextCursor?: string };
  'chat/inputRequested': { request: InputRequest };
  /** Since 1.0.0, as all below. */
  'chat/backgroundWorkSet': { work: BackgroundWork };
  'chat/backgroundWorkRemoved': { id: string };
  'chat/movableChanged': { movable: boolean };
  'chat/changesetsChanged': { changesets?: Changeset[] };
  'chat/canvasesChanged': { canvases?: CanvasReference[] };
}

export type ChatAction = AnyOf<typeof chatClientActions> | ActionsOf<ChatHostActions>;
export type ChatActionOf<T extends ChatAction['type']> = Extract<ChatAction, { type: T }>;
